"""Reads the conversation: its turns, what the running turn has already done, and what was asked last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from models.offline.tasks.headings import is_summary


@dataclass(frozen=True, slots=True)
class Outcome:
    """One tool call that was answered: the tool, what it was given, and its answer as JSON (or as text)."""

    tool: str
    given: dict[str, Any]
    answer: dict[str, Any]


@dataclass(slots=True)
class Turn:
    """A message of the user's, the outcomes of its tool calls, and the reply, empty while the turn runs."""

    said: str
    id: str
    outcomes: list[Outcome] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    reply: str = ""


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
