"""Tells what a clause does, what a question is about and what is looked for, by meaning beside what the rules read.

One net sees the vector of the clause and what was read of it: the act by rule, the topic, its values, and what stands
before it in the conversation. Another sees the vector alone and tells what kinds of offers are looked for, where no
word says it ("a riad in the medina"). The weights lie in `words/acts.npz` and `words/kinds.npz`, each with its model
card; `python -m evals.training.acts` and `python -m evals.training.kinds` rebuild them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, get_args

from models.offline.reading.form import Piece
from models.offline.reading.understanding import WISHES, Act, Clause, Kind, ReadingContext, Topic
from models.offline.tables import READING
from text.encoder import encode, net_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NET, KIND_NET = READING.folder / "acts.npz", READING.folder / "kinds.npz"
ACTS: tuple[Act, ...] = get_args(Act)
TOPICS: tuple[Topic, ...] = get_args(Topic)
KINDS: tuple[Kind, ...] = get_args(Kind)
LIKELY_KIND = 0.5
"""The least log-odds of a kind that is looked for."""
SHARE = 0.3
"""How much a sign weighs beside the vector, whose length is one."""
_UNSURE = frozenset({"ask", "inform", "chat", "tell"})
"""Acts that the rules give to what they know no better; the others, and a question with its topic, they know by their
words."""
_LEAD, _LONG_LEAD = 2.0, 4.5
"""By how much log-odds an act has to lead before it replaces that of the rules; and where the clause holds details or
wishes and nothing is done to a booking, which asks first."""
_DETAILS = frozenset({"places", "dates", "party"}) | WISHES - {"sort"}
_LIKELY, _LIKELY_TOPIC = -1.0, -1.0
"""The least log-odds of an act, and of a topic."""
_LIKELY_DEED: dict[Act, float] = {
    "confirm": 1.0, "restart": 1.0, "reject": 1.0, "undo": 0.5, "book": 0.5, "hold": 0.5, "cancel": 0.5, "change": 0.5,
    "drop": 0.5, "choose": -1.5,
}  # fmt: skip
"""The least log-odds of an act that does something."""
_OF_QUESTIONS = frozenset({"ask", "inform", "help", "complain", "chat", "greet", "tell"})
_ON_BOOKINGS = frozenset({"cancel", "change", "bags", "seats"})


def judged(piece: Piece, draft: Clause, context: ReadingContext) -> Clause:
    """Return the draft with the act that the net tells, and for a question the topic, where the rules know none."""
    if draft.act not in _UNSURE or (draft.act == "ask" and draft.topic):
        return draft
    odds = odds_of(piece, draft, context)
    scores = {act: odds[act] for act in ACTS if act == draft.act or _may_be(act, piece, draft, context)}
    best = max(scores, key=lambda act: scores[act])
    lead = _LONG_LEAD if draft.holds & _DETAILS and best not in _ON_BOOKINGS else _LEAD
    if scores[best] > _LIKELY_DEED.get(best, _LIKELY) and scores[best] - scores[draft.act] > lead:
        draft = replace(draft, act=best)
    if draft.act == "inform" and not (draft.kinds or (context.offers_shown and draft.places)):
        draft = replace(draft, kinds=likely_kinds(piece.text))
    topic = max(TOPICS, key=lambda topic: odds[f"about {topic}"])
    asks = draft.act == "ask" and odds[f"about {topic}"] > _LIKELY_TOPIC
    return replace(draft, topic=topic) if asks else draft


def _may_be(act: Act, piece: Piece, draft: Clause, context: ReadingContext) -> bool:
    """Return False for an act that meaning alone does not make.

    That is an order, a choice or a yes in a question, a choice of no offer, a wish that holds nothing, chatter out of
    what is told, what is done to a booking where there is none, and a cry for help that names what is sought. Where
    days, places or people are said it stays a wish, a question, a statement, or what is done to a booking.
    """
    said = draft.wishes
    if (act == "bags" and not (said.bags or draft.topic == "bags")) or (
        act == "seats" and not (said.seat or draft.topic == "seat")
    ):
        return False
    if (piece.asked and act not in _OF_QUESTIONS) or (act in _ON_BOOKINGS and not context.booked):
        return False
    if (draft.act == "tell" and act == "chat") or (act == "inform" and not (draft.holds or draft.unread)):
        return False
    if act == "choose" and not draft.holds & {"named", "which that"}:
        return False
    if draft.places or draft.dates or draft.party or said.budget or said.is_timed or said.without:
        return act in {"ask", "tell", "inform", *_ON_BOOKINGS}
    return not (draft.conversion or (act == "help" and draft.kinds))


def signs_of(piece: Piece, draft: Clause, context: ReadingContext) -> frozenset[str]:
    """Return what was read of a clause and what stands before it, by name."""
    found = {f"act {draft.act}", f"topic {draft.topic}", f"asked for {context.asked}"}
    found |= {f"holds {name}" for name in draft.holds} | {f"kind {kind}" for kind in draft.kinds}
    before = {"trip": context.trip_open, "offers": context.offers_shown, "booked": context.booked}
    found |= {name for name, stands in before.items() if stands}
    found |= {name for name in ("asked", "formed", "joined") if getattr(piece, name)}
    return frozenset(found | ({"unread"} if draft.unread else set()))


@lru_cache(maxsize=4096)
def odds_of(piece: Piece, draft: Clause, context: ReadingContext) -> Mapping[str, float]:
    """Return the log-odds of each act, and of each topic under `about` and its name."""
    names = (*ACTS, *(f"about {topic}" for topic in TOPICS))
    seen = inputs([piece.text], [signs_of(piece, draft, context)], known_signs())
    return dict(zip(names, net_outputs(NET, seen)[0].tolist(), strict=True))


@lru_cache(maxsize=4096)
def likely_kinds(text: str) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause looks for; none for one that only adds a detail.

    A flight is none of them: where a journey is told and nothing else is looked for, it is looked for anyway.
    """
    odds = net_outputs(KIND_NET, encode([text]))[0].tolist()
    return tuple(kind for kind, each in zip(KINDS, odds, strict=True) if each > LIKELY_KIND and kind != "flight")


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
