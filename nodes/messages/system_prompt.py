"""The system prompt of one turn: base instructions, profile, memories and memory policy, rendered deterministically."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from typing_extensions import TypedDict

from graph.state import ShownNote
from memory.policy import screen
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
    clashes: Sequence[tuple[Note, Note]] = ()
    """Pairs of the notes that can't both guide the answer."""
    left_open: Sequence[tuple[Note, Note]] = ()
    """Such pairs that the user was asked about in an earlier session, and decided for neither."""
    episodes: Sequence[str] = ()
    """Earlier sessions that fit the latest message, one line each, with their date."""


class Rendered(TypedDict):
    """A system prompt, and the notes that it shows."""

    system: str
    shown: list[ShownNote]


def render(memories: Memories | None, *, today: date, language: Language) -> Rendered:
    """The system prompt and what it shows. With None (temporary chat) it holds the base instructions alone."""
    weekday = reply("weekdays", language).split()[today.weekday()]
    base = prompt("concierge", language, today=f"{today} ({weekday})")
    if memories is None:
        return Rendered(system=base, shown=[])
    safe_global = [note for note in memories.global_notes if _is_safe(note)]
    safe_session = [note for note in memories.session_notes if _is_safe(note)]
    handles = _handles([*safe_global, *safe_session])
    shown = [ShownNote(handle=handles[n.id], id=n.id, text=n.text) for n in (*safe_global, *safe_session)]
    blocks = [
        base,
        _profile_block(memories.profile, memories.trips),
        _memories_block(safe_global, safe_session, handles, memories),
        _episodes_block(memories.episodes),
        f"<memory_policy>\n{prompt('memory_policy', language)}\n</memory_policy>",
    ]
    return Rendered(system="\n\n".join(block for block in blocks if block), shown=shown)


def _is_safe(note: Note) -> bool:
    """Screened again here: what was stored under an older policy must not reach a model under a newer one."""
    return screen(note.text) is None and screen(note.condition or "") is None


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
    global_notes: Sequence[Note],
    session_notes: Sequence[Note],
    handles: dict[str, str],
    memories: Memories,
) -> str:
    lines: list[str] = []
    for heading, notes in (("GLOBAL", global_notes), ("SESSION", session_notes)):
        if notes:
            lines.append(f"{heading} (newest first)")
            lines += [_line(note, handles[note.id]) for note in notes]
    for label, pairs in (
        ("CLASH {}: ask which one holds before relying on either", memories.clashes),
        ("OPEN {}: asked before, and left open: do not ask again, and rely on neither", memories.left_open),
    ):
        named = [(handles[one.id], handles[other.id]) for one, other in pairs if {one.id, other.id} <= handles.keys()]
        lines += [label.format(f"[{one}] [{other}]") for one, other in named]
    return "<memories>\n" + "\n".join(lines or ["(none)"]) + "\n</memories>"


def _episodes_block(episodes: Sequence[str]) -> str:
    safe = [f"- {neutralise(episode)}" for episode in episodes if screen(episode) is None]
    return "<earlier_sessions>\n" + "\n".join(safe) + "\n</earlier_sessions>" if safe else ""


def _line(note: Note, handle: str) -> str:
    labels: list[str] = [note.topic]
    labels += ["hard"] if note.hard else []
    labels += ["trip only"] if note.scope == "trip" else ["shared"] if note.scope == "workspace" else []
    labels.append(note.last_update_date.isoformat())
    labels += [neutralise(note.condition)] if note.condition else []
    return f"- [{handle}] {', '.join(labels)}: {neutralise(note.text)}"
