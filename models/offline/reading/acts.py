"""Tells what a clause does and what a question is about, by its meaning beside what the rules read, in every language.

One net sees the vector of the clause and what was read of it: the act by rule, the topic, its values, and what stands
before it in the conversation. Its weights lie in `words/acts.npz`, its model card is `words/acts.md`;
`python -m evals.training.acts` rebuilds them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, get_args

from models.offline.reading.form import Piece
from models.offline.reading.understanding import Act, Choice, Clause, ReadingContext, Topic
from models.offline.tables import READING
from text.encoder import encode
from text.net import net_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NET = READING.folder / "acts.npz"
ACTS: tuple[Act, ...] = get_args(Act)
TOPICS: tuple[Topic, ...] = get_args(Topic)
SHARE = 0.3
"""How much a sign weighs beside the vector, whose length is one."""
_UNSURE = frozenset({"ask", "inform", "chat", "tell"})
"""Acts that the rules give to what they know no better; the others they know by their words."""
_SURE, _SURER, _SUREST = 1.5, 3.0, 5.0
"""By how much log-odds an act has to lead before it replaces that of the rules; one that does something, and one that
takes the place of what the rules know; a yes."""
_LIKELY = -1.0
"""Log-odds that an act of the net has at least."""
_DEEDS = frozenset({"book", "hold", "cancel", "change", "reject", "drop", "choose", "restart", "undo"})
_COURTESIES = frozenset({"greet", "thanks", "bye"})
"""Acts that the rules know by their words, for which no vector is made."""


def judged(piece: Piece, draft: Clause, context: ReadingContext) -> Clause:
    """Return the draft with the act that the net tells, and for a question the topic."""
    if draft.act in _COURTESIES:
        return draft
    odds = dict(zip((*ACTS, *TOPICS), _odds(piece.text, signs_of(piece, draft, context)), strict=True))
    scores = {act: odds[act] for act in ACTS if act == draft.act or _may_be(act, piece, draft)}
    best = max(scores, key=lambda act: scores[act])
    if scores[best] < _LIKELY:
        return draft
    return replace(draft, act=best) if scores[best] - scores[draft.act] > _needed(draft, best) else draft


def _needed(ruled: Act, best: Act) -> float:
    """Return by how much log-odds an act has to lead before it replaces that of the rules."""
    if best == "confirm":
        return _SUREST
    return _SURER if best in _DEEDS or ruled not in _UNSURE else _SURE


def _may_be(act: Act, piece: Piece, draft: Clause) -> bool:
    """Return False for an act that meaning alone does not make.

    That is a yes in a question, a choice of no offer or in place of an order to book it, and a sum to convert that is
    no question. Where days, places or people are said it stays a wish, a question or a statement.
    """
    said = draft.wishes
    if act == "choose" and (draft.act == "book" or draft.choice in (None, Choice(that=True))):
        return False
    if draft.places or draft.dates or draft.party or said.budget or said.is_timed or said.without:
        return act in ("ask", "tell", "inform", "change")
    return not (draft.conversion or (piece.asked and act in ("confirm", "restart")))


def _needed(draft: Clause, best: Act) -> float:
    """Return by how much log-odds an act has to lead before it replaces that of the rules."""
    if best == "confirm":
        return _SUREST
    details = best == "tell" and draft.holds & {"places", "dates", "party"}
    return _SURER if best in _DEEDS or details or draft.act not in _UNSURE else _SURE


def signs_of(piece: Piece, draft: Clause, context: ReadingContext) -> frozenset[str]:
    """Return what was read of a clause and what stands before it, by name."""
    found = {f"act {draft.act}", f"topic {draft.topic}", f"asked for {context.asked}"}
    found |= {f"holds {name}" for name in draft.holds} | {f"kind {kind}" for kind in draft.kinds}
    before = {"trip": context.trip_open, "offers": context.offers_shown, "booked": context.booked}
    found |= {name for name, stands in before.items() if stands}
    found |= {name for name in ("asked", "formed", "joined") if getattr(piece, name)}
    return frozenset(found | ({"unread"} if draft.unread else set()))


@lru_cache(maxsize=4096)
def _odds(text: str, signs: frozenset[str]) -> tuple[float, ...]:
    """Return the log-odds of each act and of each topic."""
    return tuple(net_outputs(NET, inputs([text], [signs], known_signs()))[0].tolist())


def inputs(texts: list[str], signs: list[frozenset[str]], known: tuple[str, ...]) -> NDArray[np.float32]:
    """Return what the net sees of clauses: shape (texts, 512 + known signs)."""
    import numpy as np

    found = np.array([[SHARE * (name in each) for name in known] for each in signs], np.float32)
    return np.hstack([encode(texts), found])


@cache
def known_signs() -> tuple[str, ...]:
    """Return the signs that the net knows, in the order of its inputs."""
    import numpy as np

    with np.load(NET) as stored:
        return tuple(stored["signs"].tobytes().decode().split("\n"))
