"""Reads what a model is given: the system prompt with the memories that are shown, and the conversation so far."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from models.offline.tables import DIALOGUE

_HEADINGS = DIALOGUE.table("headings")
SHARES: dict[str, int] = _HEADINGS["shares"]
"""The parts of a history summary, with the percent of its words that each may have."""
UNVERIFIED = "UNVERIFIED"
HELD = frozenset({"kept", "kept_already"})
"""What the save tool says of what it keeps."""
_ENOUGH = 5
"""Headings that make a text a history summary."""

_NAMES = "|".join((*SHARES, *_HEADINGS["names"]))
_HEADING = re.compile(rf"^[\W_]*(?P<name>{_NAMES})\b[\W_]*(?P<rest>.*)$", re.IGNORECASE)


def by_heading(text: str) -> dict[str, str]:
    """The text under each heading that `text` has, by field name; parts marked UNVERIFIED are left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        match = _HEADING.match(line)
        if match:
            name = _named(match)
            found.setdefault(name, []).append(match["rest"].strip())
        elif name and line.strip():
            found[name].append(line.strip(" -*"))
    joined = {name: " ".join(part for part in parts if part).strip() for name, parts in found.items()}
    return {name: text for name, text in joined.items() if text and text.strip(". ") != UNVERIFIED}


def is_summary(text: str) -> bool:
    """True for text under most of the headings of a history summary."""
    names = {_named(match) for line in text.splitlines() if (match := _HEADING.match(line))}
    return len(names) >= _ENOUGH


def _named(match: re.Match[str]) -> str:
    name = match["name"].lower()
    return str(_HEADINGS["names"].get(name, name))


_TODAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_UNDECIDED = "did not decide"
"""What is said of a call that waited for an answer when the next message came."""
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
    date: str = ""
    condition: str | None = None
    hard: bool = False
    session: bool = False


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """One tool call that was answered: the tool, what it was given, and its answer as JSON (or as text)."""

    tool: str
    given: dict[str, Any]
    answer: dict[str, Any]

    def listed(self, name: str) -> list[dict[str, Any]]:
        """Return the objects of a list in the answer; none where it has no such list."""
        found = self.answer.get(name)
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


@dataclass(slots=True)
class Turn:
    """A message of the user's, the outcomes of its tool calls, and the reply, empty while the turn runs.

    `told` is how many of the outcomes an earlier reply of the turn told; None where there was none. A turn goes on
    after its reply when what was left open is put up again and decided.
    """

    said: str
    id: str
    outcomes: list[Outcome] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    reply: str = ""
    told: int | None = None

    @property
    def noted(self) -> list[tuple[str, str]]:
        """Text and topic of what was kept in this turn."""
        kept = (each for each in self.outcomes if each.tool == "save_memory_note" and each.answer.get("status") in HELD)
        return [(str(each.given.get("text")), str(each.given.get("topic"))) for each in kept]


@dataclass(frozen=True, slots=True)
class Transcript:
    """The visible conversation: system prompt, summary of what came before, and turns, the running one last."""

    system: str
    summary: str
    turns: tuple[Turn, ...]

    @property
    def now(self) -> Turn:
        """The running turn."""
        return self.turns[-1] if self.turns else Turn("", "")

    @property
    def before(self) -> tuple[Turn, ...]:
        """The turns before it."""
        return self.turns[:-1]

    @property
    def to_be_private(self) -> bool:
        """True while the traveller has asked that nothing be learnt, and not answered the question about it."""
        asked = [each for turn in self.before for each in turn.outcomes if each.tool == "remember_conversation"]
        return bool(asked) and not asked[-1].given.get("remember") and _UNDECIDED in asked[-1].answer.get("message", "")

    @property
    def opening(self) -> bool:
        """True while nothing has been answered yet."""
        return not self.summary and not any(turn.reply for turn in self.before)


def read_transcript(messages: Sequence[BaseMessage]) -> Transcript:
    """Read `messages` in order; a first pair whose answer is a summary counts as the summary, not as a turn."""
    system: list[str] = []
    turns: list[Turn] = []
    for message in messages:
        if isinstance(message, SystemMessage):
            system.append(str(message.text))
        elif isinstance(message, HumanMessage):
            turns.append(Turn(str(message.text), message.id or ""))
        elif turns and isinstance(message, AIMessage):
            turns[-1].calls.extend(dict(call) for call in message.tool_calls)
            turns[-1].reply = "" if message.tool_calls else str(message.text)
            turns[-1].told = len(turns[-1].outcomes) if turns[-1].reply else turns[-1].told
        elif turns and isinstance(message, ToolMessage):
            turns[-1].outcomes.append(_outcome(turns[-1], message))
    summary = turns.pop(0).reply if len(turns) > 1 and is_summary(turns[0].reply) else ""
    return Transcript("\n\n".join(system), summary, tuple(turns))


def _outcome(turn: Turn, message: ToolMessage) -> Outcome:
    call = next((call for call in turn.calls if call.get("id") == message.tool_call_id), {})
    try:
        answer = json.loads(str(message.text))
    except ValueError:
        answer = {"status": "error", "message": str(message.text)}
    return Outcome(
        tool=message.name or str(call.get("name", "")),
        given=dict(call.get("args", {})),
        answer=answer if isinstance(answer, dict) else {"results": answer},
    )
