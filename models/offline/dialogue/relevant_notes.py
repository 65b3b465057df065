"""Puts kept notes to use: which of them matter for a message, and how the answer says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from models.offline.dialogue.conditions import tail
from models.offline.dialogue.turn_context import TurnContext
from models.offline.proposals import noted_condition
from models.offline.readings import Concern
from models.offline.statements import single_valued_topics

_MOST = 6
_FEW = 3
_LIMITS = frozenset({"meal", "accessibility", "document"})
_WAYS = frozenset({"transport", "car", "airline", "booking", "other"})
_FAMILIES = {
    "flight": ("seat", "cabin", "airline", "layover", "baggage", "booking"),
    "stay": ("hotel", "room", "neighborhood"),
    "food": ("meal",),
    "ground": ("transport", "car", "activity", "pace"),
}


@dataclass(frozen=True, slots=True)
class _Known:
    """A statement that may be applied: shown as a memory (with a handle) or said in this conversation (without)."""

    handle: str
    topic: str
    text: str
    condition: str | None
    hard: bool


@dataclass(frozen=True, slots=True)
class RelevantNotes:
    """Words that say what was taken into account, empty when nothing was, and the handles of the notes."""

    words: str = ""
    handles: tuple[str, ...] = ()


def relevant_notes(context: TurnContext, *, whole_trip: bool) -> RelevantNotes:
    """Notes that matter for the running message, in words; `whole_trip` takes in all that the open trip is about."""
    kinds = (context.trip.kinds or ("trip",)) if whole_trip else ()
    concern = context.language.concern(context.now.said, kinds)
    chosen = _distinct(context, (each for each in _known(context) if _matters(context, each, concern)))
    return _render(context, chosen, concern) if chosen else RelevantNotes()


def _known(context: TurnContext) -> list[_Known]:
    """In order of precedence: this conversation, SESSION, GLOBAL."""
    pairs = (*context.briefing.conflicts, *context.briefing.left_open)
    open_choice = {memory.handle for pair in pairs for memory in pair}
    memories = sorted(context.briefing.memories, key=lambda memory: not memory.session)
    shown = [_Known(each.handle, each.topic, each.text, each.condition, each.hard) for each in memories]
    texts = {(context.language.content_words(each.text), each.condition): each for each in shown}
    said = [
        texts.get(
            (context.language.content_words(each.text), each.condition),
            _Known("", each.topic, each.text, each.condition, each.topic in _LIMITS),
        )
        for each in context.earlier
    ]
    return [*said, *(each for each in shown if each.handle not in open_choice)]


def _distinct(context: TurnContext, known: Iterable[_Known]) -> list[_Known]:
    """One note for a topic that holds one value, hard limits first; what the message itself says needs no note."""
    own = {context.language.content_words(each.text) for each in context.statements}
    single = single_valued_topics()
    taken: set[tuple[str, str | None]] = {
        (each.topic, noted_condition(each) or None) for each in context.statements if each.topic in single
    }
    hard: list[_Known] = []
    soft: list[_Known] = []
    for each in known:
        place = (each.topic, each.condition)
        repeated = any((each.text, each.condition) == (other.text, other.condition) for other in (*hard, *soft))
        if repeated or context.language.content_words(each.text) in own or (not each.hard and place in taken):
            continue
        if each.topic in single:
            taken.add(place)
        (hard if each.hard else soft).append(each)
    return [*hard, *soft[:_MOST]]


def _matters(context: TurnContext, known: _Known, concern: Concern) -> bool:
    if concern.everything or known.topic in concern.topics or (known.hard and concern.limits):
        return True
    text = f"{known.text} {known.condition or ''}"
    return bool(
        context.language.relevant_kinds(text) & concern.kinds or context.language.content_words(text) & concern.words
    )


def _render(context: TurnContext, chosen: list[_Known], concern: Concern) -> RelevantNotes:
    say = context.say
    words = [_grouped(context, chosen) if len(chosen) > _FEW else say("apply", items=_items(context, chosen))]
    refusals = [each.text for each in chosen if each.topic in _WAYS and context.language.polarity(each.text) < 0]
    ways = context.language.alternatives(refusals) if {"transport", "between"} & concern.kinds else None
    if ways:
        words.append(say("apply_transport", refusals=ways[0], alternatives=ways[1]))
    if concern.kinds == {"meal"}:
        words.append(say("apply_meal"))
    return RelevantNotes(" ".join(words), tuple(dict.fromkeys(each.handle for each in chosen if each.handle)))


def _items(context: TurnContext, chosen: Iterable[_Known]) -> str:
    language = context.language
    return "; ".join(language.restate(each.text) + tail(language, each.text, each.condition) for each in chosen)


def _grouped(context: TurnContext, chosen: list[_Known]) -> str:
    """Many notes, by what they are about."""
    say = context.say
    groups: dict[str, list[_Known]] = {}
    for each in chosen:
        family = next((name for name, topics in _FAMILIES.items() if each.topic in topics), "rest")
        groups.setdefault(family, []).append(each)
    names = [name for name in (*_FAMILIES, "rest") if name in groups]
    told = [say("apply_group", name=say(f"group_{name}"), items=_items(context, groups[name])) for name in names]
    return " ".join((say("apply_many"), *told))
