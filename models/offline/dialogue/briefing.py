"""Reads the system prompt as a model would: today's date, the profile and the memories that are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

_TODAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_BLOCK = re.compile(r"<(user_profile|memories)>(.*?)</\1>", re.DOTALL)
_LINE = re.compile(
    r"^- \[(?P<handle>[^\]\s]+)\] (?P<topic>\w+)(?P<marks>(?:, [^,:]+?)*?), (?P<date>\d{4}-\d{2}-\d{2})(?:, "
    r"(?P<condition>[^:]+))?: (?P<text>.+)$"
)
_PAIR = re.compile(r"^(CONFLICT|OPEN) \[([^\]\s]+)\] \[([^\]\s]+)\]")
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
    """Read the system prompt; parts that are absent stay empty. Raises ValueError for a day that no month has."""
    found = _TODAY.search(re.split("<user_profile>|<memories>", system, maxsplit=1)[0])
    blocks = {name: text.splitlines() for name, text in _BLOCK.findall(system)}
    profile, trips = _read_profile(blocks.get("user_profile", []))
    memories = _read_memories(blocks.get("memories", []))
    named = {memory.handle: memory for memory in memories}
    pairs = [pair.groups() for line in blocks.get("memories", []) if (pair := _PAIR.match(line))]
    conflicts, left_open = (
        tuple((named[one], named[other]) for mark, one, other in pairs if mark == kind and {one, other} <= named.keys())
        for kind in ("CONFLICT", "OPEN")
    )
    today = date.fromisoformat(found[1]) if found else _FALLBACK_DAY
    return Briefing(today, profile, trips, memories, conflicts, left_open)


def _read_profile(lines: list[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the fields, a nested one under the names of both ("insurance/level"), and the past trips."""
    fields: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        if line.strip().startswith("- "):
            lists.setdefault(key, []).append(_unquoted(line.strip()[2:]))
        elif ":" in line and not line.startswith("---"):
            name, value = (_unquoted(part.strip()) for part in line.strip().split(":", 1))
            key = key if line.startswith(" ") else name
            if value not in {"", "null", "[]", "{}"}:
                fields[f"{key}/{name}" if line.startswith(" ") else name] = value
    trips = tuple(lists.pop("recent_trips", []))
    return fields | {name: ", ".join(values) for name, values in lists.items()}, trips


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _read_memories(lines: list[str]) -> tuple[Memory, ...]:
    found: list[Memory] = []
    session = False
    for line in lines:
        session = line.startswith("SESSION") or (session and not line.startswith("GLOBAL"))
        if match := _LINE.match(line.strip()):
            text, condition = _OWN_WORDS.sub(r"\g<said>", match["text"].strip()), (match["condition"] or "").strip()
            marks = "hard" in match["marks"]
            found.append(
                Memory(match["handle"], match["topic"], text, match["date"], condition or None, marks, session)
            )
    return tuple(found)
