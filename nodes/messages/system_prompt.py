"""Renders the system prompt of a turn: base instructions, memory policy, profile and memories."""

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from typing_extensions import TypedDict

from graph.state import ShownNote
from memory.policy import screen, verdict_key
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.trips import Trip
from prompts import Language, prompt, reply
from text import neutralise

_TRIPS_SHOWN = 3
_PLAIN = re.compile(r"[\w(][\w ./,()'’+-]*")
"""Texts that are valid YAML without quotes."""


@dataclass(frozen=True, slots=True)
class Memories:
    """The memories to show in a turn, already selected, each list newest first."""

    profile: Profile
    trips: Sequence[Trip]
    global_notes: Sequence[Note]
    session_notes: Sequence[Note]
    conflicts: Sequence[tuple[Note, Note]] = ()
    """Pairs of notes that contradict each other."""
    left_open: Sequence[tuple[Note, Note]] = ()
    """Conflicts that the user was asked about in an earlier session and did not decide."""
    episodes: Sequence[str] = ()
    """Earlier sessions relevant to the latest message, one line each, with their date."""
    screened: Container[str] = ()
    """Keys (see `verdict_key`) of texts that already passed this version of the screen."""


class Rendered(TypedDict):
    """A system prompt, and the notes that it shows."""

    system: str
    shown: list[ShownNote]


def render(
    memories: Memories | None, *, today: date, language: Language, schema: str, words: Mapping[str, str]
) -> Rendered:
    """Render the system prompt. With None (temporary chat) it has no memories and no memory policy.

    The constant parts come first and the variable parts last, so that endpoints can cache the prefix. `schema` has the
    attributes that a note may claim, one line per topic; it is empty if the model does not save notes itself.
    `words` are those of the domain.
    """
    base = prompt("concierge", language, words)
    weekday = reply("weekdays", language).split()[today.weekday()]
    day = f"<today>{today} ({weekday})</today>"
    if memories is None:
        return Rendered(system=f"{base}\n\n{day}", shown=[])
    safe_global = [note for note in memories.global_notes if _is_safe(note, memories.screened)]
    safe_session = [note for note in memories.session_notes if _is_safe(note)]
    handles = _handles([*safe_global, *safe_session])
    shown = [ShownNote(handle=handles[n.id], id=n.id, text=n.text) for n in (*safe_global, *safe_session)]
    saving = prompt("memory_saving", language, words, schema=schema) if schema else ""
    earlier = [f"- {neutralise(episode)}" for episode in memories.episodes if screen(episode) is None]
    blocks = [
        base,
        f"<memory_policy>\n{prompt('memory_policy', language, saving=saving).strip()}\n</memory_policy>",
        day,
        _profile_block(memories.profile, memories.trips),
        _memories_block(safe_global, safe_session, handles, memories, words["once"]),
        "<earlier_sessions>\n" + "\n".join(earlier) + "\n</earlier_sessions>" if earlier else "",
    ]
    return Rendered(system="\n\n".join(block for block in blocks if block), shown=shown)


def screened_text(note: Note) -> str:
    """Return the text of a note that is screened before it goes into a prompt."""
    return f"{note.text}, {note.condition}" if note.condition else note.text


def _is_safe(note: Note, screened: Container[str] = ()) -> bool:
    """Screen a note again: it may have been stored under an older policy that let it pass."""
    text = screened_text(note)
    return (bool(screened) and verdict_key(text) in screened) or screen(text) is None


def _handles(notes: Sequence[Note]) -> dict[str, str]:
    """Return short names by note id: the shortest unique prefixes of the ids, of at least four characters."""
    ids = [note.id.replace("-", "") for note in notes]
    width = next(width for width in range(4, 33) if len({key[:width] for key in ids}) == len(set(ids)))
    return {note.id: f"n{key[:width]}" for note, key in zip(notes, ids, strict=True)}


def _profile_block(profile: Profile, trips: Sequence[Trip]) -> str:
    facts: dict[str, Any] = profile.shown_to_model()
    recent = [trip.short() for trip in trips if trip.status != "cancelled"][:_TRIPS_SHOWN]
    if recent:
        facts["recent_trips"] = recent
    if not facts:
        return ""
    return "<user_profile>\n---\n" + "\n".join(_yaml(facts)) + "\n---\n</user_profile>"


def _yaml(value: dict[str, Any], indent: str = "") -> list[str]:
    lines: list[str] = []
    for name, item in value.items():
        key = neutralise(str(name)).replace(":", " ")
        if isinstance(item, dict):
            lines += [f"{indent}{key}:", *_yaml(item, indent + "  ")]
        elif isinstance(item, list):
            lines += [f"{indent}{key}:", *(f"{indent}- {_scalar(element)}" for element in item)]
        else:
            lines.append(f"{indent}{key}: {_scalar(item)}")
    return lines


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = neutralise(str(value))
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _memories_block(
    global_notes: Sequence[Note], session_notes: Sequence[Note], handles: dict[str, str], memories: Memories, once: str
) -> str:
    lines: list[str] = []
    by_topic = sorted(global_notes, key=lambda note: note.topic)  # newest first inside a topic
    for heading, notes in (("GLOBAL (by topic, newest first)", by_topic), ("SESSION (newest first)", session_notes)):
        if notes:
            lines.append(heading)
            lines += [_line(note, handles[note.id], once) for note in notes]
    for label, pairs in (
        ("CONFLICT {}: ask which one holds before relying on either", memories.conflicts),
        ("OPEN {}: asked before, and left open: do not ask again, and rely on neither", memories.left_open),
    ):
        named = [(handles[one.id], handles[other.id]) for one, other in pairs if {one.id, other.id} <= handles.keys()]
        lines += [label.format(f"[{one}] [{other}]") for one, other in named]
    return "<memories>\n" + "\n".join(lines or ["(none)"]) + "\n</memories>"


def _line(note: Note, handle: str, once: str) -> str:
    labels: list[str] = [note.topic]
    labels += ["hard"] if note.hard else []
    labels += [f"{once} only"] if note.scope == "trip" else ["shared"] if note.scope == "workspace" else []
    labels.append(note.last_update_date.isoformat())
    labels += [neutralise(note.condition)] if note.condition else []
    text = neutralise(note.text)
    if note.own_words and (question := note.latest.question) and screen(question) is None:
        text = f'"{text}" (asked: {neutralise(question)})'
    return f"- [{handle}] {', '.join(labels)}: {text}"
