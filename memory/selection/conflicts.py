"""Notes that can't both guide one answer, so that the traveller is asked which one holds (S2.5).

Two active notes clash when they contradict each other for what is asked now: one question with two answers ("aisle"
and "window"), or a stance and its opposite, the traveller's own against what the workspace says included. Notes
under different conditions live side by side (S1.3) until a message meets both conditions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from memory.records.notes import Note
from models.offline.statements import Form, answered_in, contradict, form_of, items_of

_JOURNEY = re.compile(
    r"\b(?:fly|flying|flies|trips?|travel\w*|journeys?|visit\w*|holidays?|vacations?|itinerary|book|booking|reserve|"
    r"(?:go|going|get|getting|head|heading|be|off) (?:to|in) (?!bed\b|sleep\b|know\b|think\b)\w+)\b|"
    r"旅|出張|行きた|行く|行こう|行って|飛ぶ|飛びた|訪れ|訪ね|予約|手配",
    re.IGNORECASE,
)
_STAY = re.compile(r"\bstay(?:ing)?\b|\bsleep\b|泊ま|泊まり|\d泊|滞在", re.IGNORECASE)
_EAT = re.compile(r"\b(?:eat(?:ing)?|dinner|lunch|breakfast|brunch|supper)\b|夕食|昼食|朝食|食べ", re.IGNORECASE)
_RIDE = re.compile(r"\b(?:taxi|train|bus|transfer|get around|drive|driving)\b|移動|電車|タクシー|運転", re.IGNORECASE)
_SEAT = re.compile(r"\bseat(?:s|ing)?\b|席", re.IGNORECASE)
_WORDED = (("trip", _JOURNEY), ("seat", _SEAT), ("hotel", _STAY), ("meal", _EAT), ("car", _RIDE))
_ON_BOARD = frozenset({"overnight", "longhaul", "shorthaul", "transatlantic", "transpacific", "daytime"})
_ASKED_WITH = {
    "seat": {"flight", "seat", "cabin", "airline"},
    "cabin": {"flight", "seat", "cabin", "airline"},
    "airline": {"flight", "airline"},
    "layover": {"flight", "layover", "airport"},
    "baggage": {"flight", "bag", "airline"},
    "room": {"hotel", "room"},
    "hotel": {"hotel", "room"},
    "neighborhood": {"hotel", "room", "area"},
    "budget": {"flight", "hotel", "room", "car", "restaurant"},
    "booking": {"flight", "hotel"},
    "meal": {"meal", "restaurant"},
    "car": {"car"},
    "transport": {"car", "airport"},
    "insurance": {"car"},
    "activity": {"activity", "area"},
    "pace": {"activity"},
}
"""The kinds of requests that a topic matters for, besides a whole journey."""


def clashes(notes: Sequence[Note], message: str, *, answers: Sequence[Note] = ()) -> list[tuple[Note, Note]]:
    """Pairs of active `notes` that can't both guide the answer to `message`, in their order; the same for the same.

    A message that itself says which one it wants has no clash, nor has one that the topic doesn't matter for.

    Args:
        notes: The notes in question. What holds for one trip takes precedence and clashes with nothing.
        message: The latest user message.
        answers: What was said in this conversation: it settles what it speaks of.
    """
    lasting = [note for note in notes if note.status == "active" and note.scope != "trip"]
    if len(lasting) < 2:
        return []
    standing = [(note, form_of(note)) for note in lasting]
    rivals = [(one, other) for one, other in combinations(standing, 2) if _contradict(one, other)]
    if not rivals:
        return []
    asked = _Asked.of(message)
    said = [form_of(note) for note in answers if note.status == "active"]
    return [
        (one, other)
        for (one, mine), (other, theirs) in rivals
        if asked.meets(mine, theirs)
        and asked.leaves_open(one, mine, theirs)
        and not any(_settles(form, mine, theirs) for form in said)
        and not any(_newer(later, one, other) and _settles(form, mine, theirs) for later, form in standing)
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a message asks for: the kinds of things, and the concepts that it names."""

    kinds: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, message: str) -> _Asked:
        items = items_of(message)
        loose = [item.name for item in items if item.role == "word"]
        # "A short overnight flight" meets "on short flights" too.
        items += [item for word in loose for item in items_of(f"{word} flight") if item.role == "context"]
        names = frozenset(item.name for item in items if item.role in ("value", "context", "word", "number"))
        kinds = {item.name for item in items if item.role == "domain"}
        kinds |= {kind for kind, pattern in _WORDED if pattern.search(message)}
        if names & _ON_BOARD:
            kinds.add("flight")
        return cls(frozenset(kinds), names)

    def meets(self, one: Form, other: Form) -> bool:
        """True when both hold under the same condition, or the message meets the conditions of both."""
        if one.condition == other.condition:
            return True
        return bool(one.condition and other.condition) and one.condition | other.condition <= self.names

    def leaves_open(self, note: Note, one: Form, other: Form) -> bool:
        """True when the answer depends on what the two say, and the message does not say it itself."""
        mine, theirs = self.names & _said(one), self.names & _said(other)
        if mine or theirs:
            return mine != theirs and bool(mine) and bool(theirs)
        if any(answered_in(one, name) for name in self.names):
            return False
        return "trip" in self.kinds or bool(self.kinds & _ASKED_WITH.get(note.topic, set()))


def _contradict(one: tuple[Note, Form], other: tuple[Note, Form]) -> bool:
    one_topic = one[0].topic == other[0].topic and one[0].single_valued
    return contradict(one[1], other[1], single_valued=one_topic)


def _settles(later: Form, mine: Form, theirs: Form) -> bool:
    """True when `later` speaks of the same: it answers the question that the two disagree on."""
    disputed = _said(mine) | _said(theirs)
    return bool(disputed & _said(later)) or any(answered_in(later, name) for name in disputed)


def _newer(note: Note, one: Note, other: Note) -> bool:
    return note.created_at > max(one.created_at, other.created_at)


def _said(form: Form) -> frozenset[str]:
    return frozenset(name for sign, name in form.atoms if sign and name[0] != "#")
