"""Reads the system prompt as a model would: today's date, the profile and the memories that are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

_TODAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_PROFILE = re.compile(r"<user_profile>(.*?)</user_profile>", re.DOTALL)
_MEMORIES = re.compile(r"<memories>(.*?)</memories>", re.DOTALL)
_LINE = re.compile(
    r"^- \[(?P<handle>[^\]\s]+)\] (?P<topic>\w+)(?P<marks>(?:, [^,:]+?)*?), (?P<date>\d{4}-\d{2}-\d{2})(?:, "
    r"(?P<condition>[^:]+))?: (?P<text>.+)$"
)
_CONFLICT = re.compile(r"^CONFLICT \[([^\]\s]+)\] \[([^\]\s]+)\]")
_LEFT_OPEN = re.compile(r"^OPEN \[([^\]\s]+)\] \[([^\]\s]+)\]")
_OWN_WORDS = re.compile(r'^"(?P<said>.*)" \(asked: .*\)$')
"""A sentence of the user's, with the question that it answers."""
_FALLBACK_DAY = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as shown: its handle, topic, date, condition, marks and text."""

    handle: str
    topic: str
    text: str
    date: str
    condition: str | None
    hard: bool
    session: bool


@dataclass(frozen=True, slots=True)
class Briefing:
    """What the system prompt says. `today` is 2000-01-01 when the prompt names no day.

    A nested field of `profile` has the names of both as its key: "loyalty_status/Star Alliance".
    """

    today: date = _FALLBACK_DAY
    profile: dict[str, str] = field(default_factory=dict)
    trips: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    conflicts: tuple[tuple[Memory, Memory], ...] = ()
    left_open: tuple[tuple[Memory, Memory], ...] = ()
    """Memories that can't both hold for the latest message."""

    @property
    def first_name(self) -> str:
        """The user's first name, or an empty string."""
        return self.profile.get("name", "").split(" ")[0]


def read_briefing(system: str) -> Briefing:
    """Read the system prompt; parts that are absent stay empty."""
    instructions = system.split("<user_profile>")[0].split("<memories>")[0]
    found = _TODAY.search(instructions)
    profile, trips = _read_profile(system)
    memories = _read_memories(system)
    today = _day(found[1]) if found else _FALLBACK_DAY
    conflicts, left_open = (_read_pairs(pattern, system, memories) for pattern in (_CONFLICT, _LEFT_OPEN))
    return Briefing(today, profile, trips, memories, conflicts, left_open)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _FALLBACK_DAY


def _read_profile(system: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields, a nested one under the names of both ("insurance/level"), and the past trips."""
    block = _PROFILE.search(system)
    fields: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    key = ""
    for line in block[1].splitlines() if block else []:
        if line.strip().startswith("- "):
            lists.setdefault(key, []).append(_unquoted(line.strip()[2:]))
        elif ":" in line and not line.startswith("---"):
            name, _, value = line.strip().partition(":")
            name = _unquoted(name)
            if line.startswith(" "):
                name = f"{key}/{name}"
            else:
                key = name
            if value.strip() not in {"", "null", "[]", "{}"}:
                fields[name] = _unquoted(value.strip())
    trips = tuple(lists.pop("recent_trips", []))
    return fields | {name: ", ".join(values) for name, values in lists.items()}, trips


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _read_pairs(pattern: re.Pattern[str], system: str, memories: Sequence[Memory]) -> tuple[tuple[Memory, Memory], ...]:
    block = _MEMORIES.search(system)
    by_handle = {memory.handle: memory for memory in memories}
    found = (pattern.match(line) for line in (block[1].splitlines() if block else ()))
    return tuple(
        (by_handle[match[1]], by_handle[match[2]])
        for match in found
        if match and match[1] in by_handle and match[2] in by_handle
    )


def _read_memories(system: str) -> tuple[Memory, ...]:
    block = _MEMORIES.search(system)
    found: list[Memory] = []
    session = False
    for line in block[1].splitlines() if block else []:
        if line.startswith(("GLOBAL", "SESSION")):
            session = line.startswith("SESSION")
        elif match := _LINE.match(line.strip()):
            marks = match["marks"]
            found.append(
                Memory(
                    handle=match["handle"],
                    topic=match["topic"],
                    text=_OWN_WORDS.sub(r"\g<said>", match["text"].strip()),
                    date=match["date"],
                    condition=(match["condition"] or "").strip() or None,
                    hard="hard" in marks,
                    session=session,
                )
            )
    return tuple(found)
