"""Which notes matter for a message: by what the message is about, and by what the note is about."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from models.offline.dialogue.memory import earlier_statements
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import content_words
from models.offline.tables import DIALOGUE
from text.words import is_japanese

_MOST = 6
_LIMITS = frozenset({"meal", "accessibility", "document"})
_SINGLE = frozenset({"seat", "cabin", "layover", "pace", "budget"})
"""Topics of which the newest note counts."""
_SEEKING = frozenset({"ask", "inform", "book", "choose", "change", "hold"})


@dataclass(frozen=True, slots=True)
class Known:
    """A statement that may be applied: shown as a memory (with a handle) or said in this conversation (without)."""

    handle: str
    topic: str
    text: str
    condition: str | None
    hard: bool


@dataclass(frozen=True, slots=True)
class Concern:
    """A kind of request: its words, and the words and topics of the notes that matter for it.

    `limits` lets every hard limit matter, `everything` every note.
    """

    kind: str
    pattern: re.Pattern[str]
    notes: re.Pattern[str] | None
    topics: frozenset[str]
    limits: bool
    everything: bool


def relevant_notes(dialogue: Dialogue, *, whole_trip: bool) -> list[Known]:
    """Return the notes that matter for the message, hard limits first; `whole_trip` takes in all of the trip."""
    concerns = _concerns_of(dialogue, whole_trip)
    if not concerns:
        return []
    words = content_words(dialogue.now.said)
    return _distinct(dialogue, (each for each in _known(dialogue) if _matters(each, concerns, words)))


def concerns_named(text: str) -> frozenset[str]:
    """Return the kinds of requests that `text` is about, by its words."""
    form = _form(text)
    return frozenset(each.kind for each in _table(_code(text)) if each.pattern.search(form))


def _concerns_of(dialogue: Dialogue, whole_trip: bool) -> list[Concern]:
    said = dialogue.step.said.clauses
    if not whole_trip and not any(clause.act in _SEEKING for clause in said):
        return []
    table, form = _table(dialogue.words.code), _form(dialogue.now.said)
    kinds = {str(frame.kind) for frame in dialogue.state.trip.of_status("open")} if whole_trip else set[str]()
    return [each for each in table if each.kind in kinds or each.pattern.search(form)]


def _matters(known: Known, concerns: list[Concern], words: frozenset[str]) -> bool:
    limits, everything = any(each.limits for each in concerns), any(each.everything for each in concerns)
    if everything or (known.hard and limits) or any(known.topic in each.topics - {"other"} for each in concerns):
        return True
    form = _form(f"{known.text} {known.condition or ''}")
    return bool(content_words(form) & words) or any(each.notes and each.notes.search(form) for each in concerns)


def _known(dialogue: Dialogue) -> list[Known]:
    """Return what may be applied in order of precedence: this conversation, SESSION, GLOBAL."""
    briefing = dialogue.briefing
    open_choice = {memory.handle for pair in (*briefing.conflicts, *briefing.left_open) for memory in pair}
    memories = sorted(briefing.memories, key=lambda memory: not memory.session)
    shown = [Known(each.handle, each.topic, each.text, each.condition, each.hard) for each in memories]
    by_words = {content_words(each.text): each for each in shown}
    said = [
        by_words.get(content_words(each.text), Known("", each.topic, each.text, None, each.topic in _LIMITS))
        for each in earlier_statements(dialogue.transcript.before)
    ]
    return [*said, *(each for each in shown if each.handle not in open_choice)]


def _distinct(dialogue: Dialogue, known: Iterable[Known]) -> list[Known]:
    """Return one note for a topic that holds one value, hard limits first; what the message itself says needs none."""
    now = [call["args"] for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    own = {content_words(str(each.get("text", ""))) for each in now}
    taken: set[tuple[str, str | None]] = {
        (str(each.get("topic")), None) for each in now if each.get("topic") in _SINGLE
    }
    wished = {name for frame in dialogue.state.trip.frames.values() for name in frame.slots}
    taken |= {(topic, None) for topic in ("seat", "cabin") if topic in wished}
    hard: list[Known] = []
    soft: list[Known] = []
    for each in known:
        place = (each.topic, each.condition)
        repeated = any((each.text, each.condition) == (other.text, other.condition) for other in (*hard, *soft))
        if repeated or content_words(each.text) in own or (not each.hard and place in taken):
            continue
        if each.topic in _SINGLE:
            taken.add(place)
        (hard if each.hard else soft).append(each)
    return [*hard, *soft[:_MOST]]


def _form(text: str) -> str:
    return text.lower().replace("’", "'")


def _code(text: str) -> str:
    return "ja" if is_japanese(text) else "en"


@cache
def _table(code: str) -> tuple[Concern, ...]:
    name = code if code in ("en", "ja") else "en"
    edge = r"\b" if name == "en" else ""
    return tuple(
        Concern(
            entry["kind"],
            re.compile(f"{edge}(?:{entry['pattern']}){edge}"),
            re.compile(f"{edge}(?:{entry['notes']}){edge}") if entry["notes"] else None,
            frozenset(entry["topics"]),
            entry["limits"],
            entry.get("everything", False),
        )
        for entry in DIALOGUE.table(f"concerns_{name}")["concern"]
    )
