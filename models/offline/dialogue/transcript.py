"""Parses the input of the model: the system prompt with the memories that it shows, and the conversation so far."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from models.offline.tables import DIALOGUE
from text.words import in_lines

_HEADINGS = DIALOGUE.table("headings")
SHARES: dict[str, int] = _HEADINGS["shares"]
"""The parts of a history summary, each with its share of the words in percent."""
UNVERIFIED = "UNVERIFIED"
HELD = frozenset({"kept", "kept_already"})
"""Statuses with which the save tool reports a stored note."""
_MIN_HEADINGS = 5
"""Distinct headings from which on a text counts as a history summary."""

_NAMES = "|".join((*SHARES, *_HEADINGS["names"]))
_HEADING = re.compile(rf"^[\W_]*(?P<name>{_NAMES})\b[\W_]*(?P<rest>.*)$", re.IGNORECASE)


def by_heading(text: str) -> dict[str, str]:
    """Return the text under each heading of `text`, by field name, without empty parts and those marked UNVERIFIED."""
    lines: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        match = _HEADING.match(line)
        if match:
            name = _field_name(match)
            lines.setdefault(name, []).append(match["rest"].strip())
        elif name and line.strip():
            lines[name].append(line.strip(" -*"))
    joined = {name: " ".join(part for part in parts if part).strip() for name, parts in lines.items()}
    return {name: text for name, text in joined.items() if text and text.strip(". ") != UNVERIFIED}


def is_summary(text: str) -> bool:
    """Return whether `text` has at least half of the headings of a history summary."""
    names = {_field_name(match) for line in text.splitlines() if (match := _HEADING.match(line))}
    return len(names) >= _MIN_HEADINGS


def _field_name(match: re.Match[str]) -> str:
    name = match["name"].lower()
    return str(_HEADINGS["names"].get(name, name))


_TODAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_UNDECIDED = "did not decide"
"""Part of the tool message for a call that was still awaiting approval when the next message came."""
_BLOCK = re.compile(r"<(user_profile|memories)>(.*?)</\1>", re.DOTALL)
_LINE = re.compile(
    r"^- \[(?P<handle>[^\]\s]+)\] (?P<topic>\w+)(?P<marks>(?:, [^,:]+?)*?), (?P<date>\d{4}-\d{2}-\d{2})(?:, "
    r"(?P<condition>[^:]+))?: (?P<text>.+)$"
)
_PAIR = re.compile(r"^(CONFLICT|OPEN) \[([^\]\s]+)\] \[([^\]\s]+)\]")
_QUOTED_ANSWER = re.compile(r'^"(?P<answer>.*)" \(asked: .*\)$')
"""A memory in the user's own words, with the question that they answer."""
_FALLBACK_DAY = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as the system prompt shows it. `hard` marks a limit, `session` a note of the current session."""

    handle: str
    topic: str
    text: str
    date: str = ""
    condition: str | None = None
    hard: bool = False
    session: bool = False


@dataclass(frozen=True, slots=True)
class Briefing:
    """The content of the system prompt. `today` is 2000-01-01 if the prompt names no date.

    The key of a nested `profile` field is a path: "loyalty_status/Star Alliance". `conflicts` are the pairs marked
    CONFLICT, of which the traveller must choose one; `left_open` those marked OPEN, undecided for the latest message.
    """

    today: date = _FALLBACK_DAY
    profile: dict[str, str] = field(default_factory=dict)
    trips: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    conflicts: tuple[tuple[Memory, Memory], ...] = ()
    left_open: tuple[tuple[Memory, Memory], ...] = ()


def read_briefing(system: str) -> Briefing:
    """Parse the system prompt; parts that are absent stay empty. Raises ValueError if its date is not a valid one."""
    today_match = _TODAY.search(re.split("<user_profile>|<memories>", system, maxsplit=1)[0])
    blocks = {name: text.splitlines() for name, text in _BLOCK.findall(system)}
    profile, trips = _read_profile(blocks.get("user_profile", []))
    memories = _read_memories(blocks.get("memories", []))
    by_handle = {memory.handle: memory for memory in memories}
    lines = [pair.groups() for line in blocks.get("memories", []) if (pair := _PAIR.match(line))]
    pairs = [line for line in lines if by_handle.keys() >= {*line[1:]}]
    conflicts, left_open = (
        tuple((by_handle[first], by_handle[second]) for mark, first, second in pairs if mark == kind)
        for kind in ("CONFLICT", "OPEN")
    )
    today = date.fromisoformat(today_match[1]) if today_match else _FALLBACK_DAY
    return Briefing(today, profile, trips, memories, conflicts, left_open)


def _read_profile(lines: list[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the fields, a nested one under a path such as "insurance/level", and the past trips."""
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
    memories: list[Memory] = []
    session = False
    for line in lines:
        session = line.startswith("SESSION") or (session and not line.startswith("GLOBAL"))
        if match := _LINE.match(line.strip()):
            text, condition = _QUOTED_ANSWER.sub(r"\g<answer>", match["text"].strip()), match["condition"] or ""
            handle, topic, day, hard = match["handle"], match["topic"], match["date"], "hard" in match["marks"]
            memories.append(Memory(handle, topic, text, day, condition.strip() or None, hard, session))
    return tuple(memories)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answered tool call. A text as its answer becomes an error with a `message`; a JSON list becomes `results`."""

    tool: str
    given: dict[str, Any]
    answer: dict[str, Any]

    def listed(self, name: str) -> list[dict[str, Any]]:
        """Return the objects in the list `name` of the answer; empty if it has no such list."""
        items = self.answer.get(name)
        return [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []


@dataclass(slots=True)
class Turn:
    """A user message, its tool calls with their outcomes, and the reply, which is empty while the turn runs.

    `reported` counts the outcomes that came before the latest reply of the turn; None if it has had no reply. A turn
    continues after a reply when a call that was left undecided is submitted again and decided.
    """

    said: str
    id: str
    outcomes: list[Outcome] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    reply: str = ""
    reported: int | None = None

    @property
    def noted(self) -> list[tuple[str, str]]:
        """Return text and topic of each note that was stored in this turn."""
        kept = (each for each in self.outcomes if each.tool == "save_memory_note" and each.answer.get("status") in HELD)
        return [(str(each.given.get("text")), str(each.given.get("topic"))) for each in kept]


@dataclass(frozen=True, slots=True)
class Transcript:
    """The visible conversation: the system prompt, a summary of older messages, and the turns, the current one last."""

    system: str
    summary: str
    turns: tuple[Turn, ...]

    @property
    def now(self) -> Turn:
        """Return the current turn; an empty one if there are no messages."""
        return self.turns[-1] if self.turns else Turn("", "")

    @property
    def before(self) -> tuple[Turn, ...]:
        """Return the turns before the current one."""
        return self.turns[:-1]

    @property
    def to_be_private(self) -> bool:
        """Return whether the traveller asked not to be remembered, and has not yet confirmed or declined it."""
        asked = [each for turn in self.before for each in turn.outcomes if each.tool == "remember_conversation"]
        return bool(asked) and not asked[-1].given.get("remember") and _UNDECIDED in asked[-1].answer.get("message", "")

    @property
    def opening(self) -> bool:
        """Return whether there has been no reply yet in this conversation."""
        return not self.summary and not any(turn.reply for turn in self.before)


def read_transcript(messages: Sequence[BaseMessage]) -> Transcript:
    """Parse `messages` in order; a first turn whose reply is a history summary becomes `summary` instead of a turn."""
    system: list[str] = []
    turns: list[Turn] = []
    for message in messages:
        if isinstance(message, SystemMessage):
            system.append(str(message.text))
        elif isinstance(message, HumanMessage):
            turns.append(Turn(in_lines(str(message.text)), message.id or ""))
        elif turns and isinstance(message, AIMessage):
            turns[-1].calls.extend(dict(call) for call in message.tool_calls)
            turns[-1].reply = "" if message.tool_calls else str(message.text)
            turns[-1].reported = len(turns[-1].outcomes) if turns[-1].reply else turns[-1].reported
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
