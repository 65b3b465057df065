"""Classifies the act of a clause, the topic of a question and the kinds of offers that are wanted.

One net takes the embedding of the clause and binary features ("signs"): the act by rule, the topic, which values were
read, and the state of the conversation. Another takes the embedding alone and predicts the kinds of offers that are
wanted if no word names them ("a riad in the medina"). The weights are in `words/acts.npz` and `words/kinds.npz`, each
with its model card; `python -m evals.training.acts` and `python -m evals.training.kinds` rebuild them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, get_args

from models.offline.reading.draft import OF_SHOWN
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
"""Log-odds above which a kind of offers counts as wanted."""
SHARE = 0.3
"""The value of a sign that is present; the embedding has unit length."""
_UNSURE = frozenset({"ask", "inform", "chat", "tell"})
"""Acts that the rules fall back on. They recognise the others by their words, as they do a question with a topic."""
_LEAD, _TOPIC_LEAD, _LONG_LEAD = 3.0, 4.5, 5.0
"""By how much log-odds the best act or topic must lead that of the rules to replace it. The long lead is for a question
not asked as one, and for a clause with details or wishes unless the act is about a booking, since the reply asks before
it acts on one."""
_DETAILS = frozenset({"places", "dates", "party"}) | WISHES - {"sort"}
_SEARCHED = (_DETAILS | {"kinds", "sort"}) - OF_SHOWN
_LIKELY, _LIKELY_TOPIC = -1.0, 0.0
"""Log-odds above which an act, and a topic, is accepted."""
_LIKELY_DEED: dict[Act, float] = {
    "confirm": 1.0, "restart": 2.0, "reject": 1.0, "undo": 1.0, "book": 2.0, "hold": 2.0, "cancel": 1.5, "change": 1.5,
    "drop": 1.0, "choose": -1.5,
}  # fmt: skip
"""The same threshold for acts that change something."""
_OF_QUESTIONS = frozenset({"ask", "inform", "help", "complain", "chat", "greet", "tell"})
_ON_BOOKINGS = frozenset({"cancel", "change", "bags", "seats"})


def judged(piece: Piece, draft: Clause, context: ReadingContext) -> Clause:
    """Return the draft with the act, kinds and topic that the nets predict, if the rules were unsure of them."""
    if draft.act not in _UNSURE:
        return draft
    odds = odds_of(piece, draft, context)
    scores = {act: odds[act] for act in ACTS if act == draft.act or _may_be(act, piece, draft, context)}
    best = max(scores, key=lambda act: scores[act])
    in_passing = {"places"} if best == "tell" else set()  # "I changed planes in Oslo once"
    detailed = draft.holds & (_DETAILS - in_passing) and best not in _ON_BOOKINGS
    asks_of_offer = best == "ask" and "which that" in draft.holds and draft.holds & OF_SHOWN
    lead = _LONG_LEAD if (detailed or (best == "ask" and not piece.asked)) and not asks_of_offer else _LEAD
    sure = draft.act == "ask" and draft.topic
    if not sure and scores[best] > _LIKELY_DEED.get(best, _LIKELY) and scores[best] - scores[draft.act] > lead:
        draft = replace(draft, act=best)
    if draft.act == "inform" and not (draft.kinds or (context.offers_shown and draft.places)):
        draft = replace(draft, kinds=likely_kinds(piece.text))
    return replace(draft, topic=_topic(draft, odds)) if draft.act == "ask" else draft


def _topic(draft: Clause, odds: Mapping[str, float]) -> Topic:
    """Return the likeliest topic of a question if it is likely enough, and far likelier than that by rule."""
    best = max(TOPICS, key=lambda topic: odds[f"about {topic}"])
    likely = odds[f"about {best}"] > _LIKELY_TOPIC
    leads = not draft.topic or odds[f"about {best}"] - odds[f"about {draft.topic}"] > _TOPIC_LEAD
    # "Which is the quietest?": no data tell. "And the Grand Linden?": the question before is repeated.
    is_open = draft.choice and (best == "offer" or (best == "best" and draft.choice.every))
    return best if likely and leads and not is_open else draft.topic


def _may_be(act: Act, piece: Piece, draft: Clause, context: ReadingContext) -> bool:
    """Return whether the net may give a clause this act.

    Orders, choices and confirmations are never questions, and need an offer or a booking that they can be about. A
    clause with days, places or people can only be a wish, a question, a statement, or about a booking.
    """
    wishes, holds = draft.wishes, draft.holds
    needs: dict[Act, object] = {
        "choose": context.offers_shown and holds & {"named", "which that"},
        "book": context.offers_shown,
        "hold": context.offers_shown,
        "confirm": context.offers_shown or context.asked == "confirm",
        "cancel": context.booked,
        "change": context.booked,
        "bags": context.booked and (wishes.bags or draft.topic == "bags"),
        "seats": context.booked and (wishes.seat or draft.topic == "seat"),
        "ask": (piece.asked or draft.act != "chat") and not (draft.act == "inform" and holds & _SEARCHED),
        "tell": not (wishes.seat or draft.party),
        "undo": not holds & _DETAILS,
        "drop": not wishes.dropped,
        "inform": holds or draft.unread,
        "chat": draft.act != "tell",
        "help": not draft.kinds,
    }
    if (piece.asked and act not in _OF_QUESTIONS) or not needs.get(act, True):
        return False
    if draft.places or draft.dates or draft.party or wishes.budget or wishes.is_timed or wishes.without:
        return act in {"ask", "tell", "inform", *_ON_BOOKINGS}
    return not draft.conversion


def signs_of(piece: Piece, draft: Clause, context: ReadingContext) -> frozenset[str]:
    """Return the names of the binary features of a clause: what the rules read, and the state of the conversation."""
    signs = {f"act {draft.act}", f"topic {draft.topic}", f"asked for {context.asked}"}
    signs |= {f"holds {name}" for name in draft.holds} | {f"kind {kind}" for kind in draft.kinds}
    state = {"trip": context.trip_open, "offers": context.offers_shown, "booked": context.booked}
    signs |= {name for name, is_true in state.items() if is_true}
    signs |= {name for name in ("asked", "formed", "joined") if getattr(piece, name)}
    return frozenset(signs | ({"unread"} if draft.unread else set()))


@lru_cache(maxsize=4096)
def odds_of(piece: Piece, draft: Clause, context: ReadingContext) -> Mapping[str, float]:
    """Return the log-odds of each act by its name, and of each topic by "about " and its name."""
    names = (*ACTS, *(f"about {topic}" for topic in TOPICS))
    features = inputs([piece.text], [signs_of(piece, draft, context)], known_signs())
    return dict(zip(names, net_outputs(NET, features)[0].tolist(), strict=True))


@lru_cache(maxsize=4096)
def likely_kinds(text: str) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause asks for; none if it only adds a detail.

    Flights are left out: they are searched for anyway if a journey is described and nothing else is wanted.
    """
    odds = net_outputs(KIND_NET, encode([text]))[0].tolist()
    return tuple(kind for kind, each in zip(KINDS, odds, strict=True) if each > LIKELY_KIND and kind != "flight")


def inputs(texts: list[str], signs: list[frozenset[str]], known: tuple[str, ...]) -> NDArray[np.float32]:
    """Return the input of the net, one row a clause: shape (texts, 512 + known signs)."""
    import numpy as np

    rows = np.array([[SHARE * (name in each) for name in known] for each in signs], np.float32)
    return np.hstack([encode(texts), rows])


@cache
def known_signs() -> tuple[str, ...]:
    """Return the signs that the net was trained with, in the order of its inputs."""
    import numpy as np

    with np.load(NET) as stored:
        return tuple(stored["signs"].tobytes().decode().split("\n"))
