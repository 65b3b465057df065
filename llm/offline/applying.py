"""Puts kept notes to use: which of them matter for a message, and how the answer says so (S2.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from llm.offline.talk import Talk
from llm.offline.tongue import Concern
from stores.notes import SINGLE_VALUED

_MOST = 6


@dataclass(frozen=True, slots=True)
class _Known:
    """A statement that may be applied: shown as a memory (with a handle) or said in this conversation (without)."""

    handle: str
    topic: str
    text: str
    condition: str | None
    hard: bool


@dataclass(frozen=True, slots=True)
class Applied:
    """Words that say what was taken into account, empty when nothing was, and the handles of the notes."""

    words: str = ""
    handles: tuple[str, ...] = ()


def applied(talk: Talk, *, with_earlier: bool) -> Applied:
    """Notes that matter for the running message, in words; `with_earlier` takes in this conversation."""
    kinds = talk.trip.kinds or (("flight",) if talk.trip.open else ())
    concern = talk.speech.concern(talk.now.said, kinds if with_earlier or talk.reading.opens else ())
    chosen = _distinct(talk, (each for each in _known(talk, with_earlier) if _matters(talk, each, concern)))
    return _worded(talk, chosen, concern) if chosen else Applied()


def _known(talk: Talk, with_earlier: bool) -> Iterable[_Known]:
    """In order of precedence: this conversation, SESSION, GLOBAL; the limits that always hold first of all."""
    memories = sorted(talk.briefing.memories, key=lambda memory: not memory.session)
    shown = [_Known(each.handle, each.topic, each.text, each.condition, each.hard) for each in memories]
    texts = {talk.speech.content_words(each.text): each for each in shown}
    said = [
        texts.get(talk.speech.content_words(each.text), _Known("", each.topic, each.text, each.condition, False))
        for each in (talk.earlier if with_earlier else [])
    ]
    return [*said, *shown]


def _distinct(talk: Talk, known: Iterable[_Known]) -> list[_Known]:
    """One note for a topic that holds one value; what the message itself says of a topic needs no note."""
    taken: set[tuple[str, str | None]] = {
        (each.topic, each.condition) for each in talk.statements if each.topic in SINGLE_VALUED
    }
    chosen: list[_Known] = []
    for each in known:
        place = (each.topic, each.condition)
        if any(each.text == other.text for other in chosen) or (not each.hard and place in taken):
            continue
        if each.topic in SINGLE_VALUED:
            taken.add(place)
        chosen.append(each)
    return sorted(chosen, key=lambda each: not each.hard)[:_MOST]


def _matters(talk: Talk, known: _Known, concern: Concern) -> bool:
    if known.topic in concern.topics or (
        known.hard and (known.topic in concern.limits or (known.topic == "accessibility" and concern.topics))
    ):
        return True
    words = talk.speech.content_words(known.text)
    return bool(words & concern.words) and talk.request.intent in {"advice", "question", "trip"}


def _worded(talk: Talk, chosen: list[_Known], concern: Concern) -> Applied:
    say = talk.speech.say
    items = [
        talk.speech.told_back(each.text) + (say("condition", condition=each.condition) if each.condition else "")
        for each in chosen
    ]
    words = [say("apply", items="; ".join(items))]
    refusals = [each.text for each in chosen if each.topic == "transport" and talk.speech.polarity(each.text) < 0]
    ways = talk.speech.alternatives(refusals) if "transport" in concern.topics else None
    if ways:
        words.append(say("apply_transport", refusals=ways[0], alternatives=ways[1]))
    if concern.topics == {"meal"}:
        words.append(say("apply_meal"))
    return Applied(" ".join(words), tuple(each.handle for each in chosen if each.handle))
