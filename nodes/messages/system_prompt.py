"""Renders the system prompt of one turn: base instructions, profile, memories and memory policy."""

import json
import re
from collections.abc import Container, Sequence
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
"""Texts that YAML reads as they stand; others are quoted."""


@dataclass(frozen=True, slots=True)
class Memories:
    """What a turn may see of memory, already selected, each list newest first."""

    profile: Profile
    trips: Sequence[Trip]
    global_notes: Sequence[Note]
    session_notes: Sequence[Note]
    conflicts: Sequence[tuple[Note, Note]] = ()
    """Pairs of the notes that can't both guide an answer."""
    left_open: Sequence[tuple[Note, Note]] = ()
    """Such pairs that the user was asked about in an earlier session, and decided for neither."""
    episodes: Sequence[str] = ()
    """Earlier sessions that fit the latest message, one line each, with their date."""
    screened: Container[str] = ()
    """Names of texts that this version of the screen let through before, as `verdict_key` makes them."""


class Rendered(TypedDict):
    """A system prompt, and the notes that it shows."""

    system: str
    shown: list[ShownNote]


def render(memories: Memories | None, *, today: date, language: Language, schema: str) -> Rendered:
    """Render the system prompt, and say what it shows. With None (temporary chat) it holds no memory and no policy.

    What never changes stands in front and what may change comes last, so that endpoints cache the prefix. `schema` has
    the attributes that may be claimed, one line a topic; it is empty where the model saves no notes itself.
    """
    base = prompt("concierge", language)
    weekday = reply("weekdays", language).split()[today.weekday()]
    day = f"<today>{today} ({weekday})</today>"
    if memories is None:
        return Rendered(system=f"{base}\n\n{day}", shown=[])
    safe_global = [note for note in memories.global_notes if _is_safe(note, memories.screened)]
    safe_session = [note for note in memories.session_notes if _is_safe(note)]
    handles = _handles([*safe_global, *safe_session])
    shown = [ShownNote(handle=handles[n.id], id=n.id, text=n.text) for n in (*safe_global, *safe_session)]
    saving = prompt("memory_saving", language, schema=schema) if schema else ""
    earlier = [f"- {neutralise(episode)}" for episode in memories.episodes if screen(episode) is None]
    blocks = [
        base,
        f"<memory_policy>\n{prompt('memory_policy', language, saving=saving).strip()}\n</memory_policy>",
        day,
        _profile_block(memories.profile, memories.trips),
        _memories_block(safe_global, safe_session, handles, memories),
        "<earlier_sessions>\n" + "\n".join(earlier) + "\n</earlier_sessions>" if earlier else "",
    ]
    return Rendered(system="\n\n".join(block for block in blocks if block), shown=shown)


def screened_text(note: Note) -> str:
    """Return what of a note is screened ahead of a prompt."""
    return f"{note.text}, {note.condition}" if note.condition else note.text


def _is_safe(note: Note, screened: Container[str] = ()) -> bool:
    """Screen a note again: what was stored under an older policy must not reach a model under a newer one."""
    text = screened_text(note)
    return (bool(screened) and verdict_key(text) in screened) or screen(text) is None


def _handles(notes: Sequence[Note]) -> dict[str, str]:
    """Short names by note id: as few characters of the id as tell the notes apart, four at least."""
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
    for name, held in value.items():
        key = neutralise(str(name)).replace(":", " ")
        if isinstance(held, dict):
            lines += [f"{indent}{key}:", *_yaml(held, indent + "  ")]
        elif isinstance(held, list):
            lines += [f"{indent}{key}:", *(f"{indent}- {_scalar(item)}" for item in held)]
        else:
            lines.append(f"{indent}{key}: {_scalar(held)}")
    return lines


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = neutralise(str(value))
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _memories_block(
    global_notes: Sequence[Note], session_notes: Sequence[Note], handles: dict[str, str], memories: Memories
) -> str:
    lines: list[str] = []
    by_topic = sorted(global_notes, key=lambda note: note.topic)  # newest first inside a topic
    for heading, notes in (("GLOBAL (by topic, newest first)", by_topic), ("SESSION (newest first)", session_notes)):
        if notes:
            lines.append(heading)
            lines += [_line(note, handles[note.id]) for note in notes]
    for label, pairs in (
        ("CONFLICT {}: ask which one holds before relying on either", memories.conflicts),
        ("OPEN {}: asked before, and left open: do not ask again, and rely on neither", memories.left_open),
    ):
        named = [(handles[one.id], handles[other.id]) for one, other in pairs if {one.id, other.id} <= handles.keys()]
        lines += [label.format(f"[{one}] [{other}]") for one, other in named]
    return "<memories>\n" + "\n".join(lines or ["(none)"]) + "\n</memories>"


def _line(note: Note, handle: str) -> str:
    labels: list[str] = [note.topic]
    labels += ["hard"] if note.hard else []
    labels += ["trip only"] if note.scope == "trip" else ["shared"] if note.scope == "workspace" else []
    labels.append(note.last_update_date.isoformat())
    labels += [neutralise(note.condition)] if note.condition else []
    said = neutralise(note.text)
    if note.own_words and (question := note.latest.question) and screen(question) is None:
        said = f'"{said}" (asked: {neutralise(question)})'
    return f"- [{handle}] {', '.join(labels)}: {said}"
