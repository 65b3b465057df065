"""Describes what a run gives back to its caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from graph.state import BlockedNote, ConsolidatedNote, State, StopReason, is_real_user
from graph.trace import TraceStep
from memory.events import MemoryEvent
from memory.records.notes import Note
from nodes.approve import REJECTED


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What begins now: the tool of this name, or `thinking`, when the model reads what the tools gave."""

    name: str


@dataclass(frozen=True, slots=True)
class ReplyMemory:
    """What memory did in this run.

    Attributes:
        shown: Notes that the model was given.
        used: Those of them that shaped the answer, as it declared and code checked.
        written: Notes staged in this run; they become long-term memory when the session ends.
        forgotten: Ids of notes that were forgotten in this run.
        blocked: Refused proposals: a code of the policy and a keyed hash, never the text.
        violations: False claims of use, with `code` and `handle`.
        consolidated: What became of the session's notes, when this run ended the session.
    """

    shown: tuple[Note, ...] = ()
    used: tuple[Note, ...] = ()
    written: tuple[Note, ...] = ()
    forgotten: tuple[str, ...] = ()
    blocked: tuple[BlockedNote, ...] = ()
    violations: tuple[dict[str, str], ...] = ()
    consolidated: tuple[ConsolidatedNote, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool.

    Attributes:
        name: The tool.
        arguments: What it was called with; after an edit, as it was edited.
        outcome: `ran`, `failed` (the result says why), `rejected` by the traveller, `waiting` for their approval, or
            `dropped`: the turn ended before it ran.
        result: What the tool answered the model; empty where it did not run.
    """

    name: str
    arguments: dict[str, Any]
    outcome: Literal["ran", "failed", "rejected", "waiting", "dropped"]
    result: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one run.

    `interrupts` are the questions that wait for `resume`. `tools` are the calls since the user's latest message, oldest
    first; those that were made before an approval was asked for are among them. `trace` are the steps of this run.
    """

    text: str
    run_id: str
    stop_reason: StopReason
    outcome: str
    memory: ReplyMemory = field(default_factory=ReplyMemory)
    interrupts: tuple[Any, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    trace: tuple[TraceStep, ...] = ()


Event = Token | Step | MemoryEvent | Reply
"""What a stream gives: words, steps and events of memory, and the reply at the end."""


def reply_of(
    state: State,
    run_id: str,
    *,
    interrupts: Sequence[Any],
    silent: bool,
    notes: Sequence[Note] = (),
) -> Reply:
    """Return the reply that a finished run left in `state`.

    Args:
        state: The thread's state after the run.
        run_id: The run; a report of another run is not told as this one's.
        interrupts: What waits for `resume`.
        silent: True for a run that only ended the session: it said nothing and called no tool.
        notes: The notes that the report may name, beside those of the session.
    """
    staged = (Note.model_validate(note) for note in state.get("session_notes", []))
    by_id = {note.id: note for note in (*staged, *notes)}
    text = "" if silent else latest_answer(state)
    tools = () if silent else tools_used(state, is_waiting=bool(interrupts))
    report = state.get("report")
    if report is None or report["run_id"] != run_id:
        stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason.ANSWERED
        return Reply(text, run_id, stop, "context_only", interrupts=tuple(interrupts), tools=tools)
    told = report["memory"]

    def named(keys: Sequence[str]) -> tuple[Note, ...]:
        return tuple(by_id[key] for key in keys if key in by_id)

    memory = ReplyMemory(
        shown=named(told["shown"]),
        used=named(told["used"]),
        written=named(told["written"]),
        forgotten=tuple(told.get("forgotten", ())),
        blocked=tuple(told["blocked"]),
        violations=tuple(told["violations"]),
        consolidated=tuple(report["consolidated"]),
    )
    stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason(report["stop_reason"])
    return Reply(text, run_id, stop, report["outcome"], memory, tuple(interrupts), tools)


def latest_answer(state: State) -> str:
    """Return the text of what the assistant said since the latest user message."""
    for message in reversed(_latest_turn(state)):
        if isinstance(message, AIMessage) and message.text.strip():
            return str(message.text)
    return ""


def tools_used(state: State, *, is_waiting: bool) -> tuple[ToolUse, ...]:
    """Return the calls since the latest user message, oldest first; `is_waiting` says that an approval is open."""
    messages = _latest_turn(state)
    answers = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    calls = [call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls]
    uses = []
    for call in calls:
        answer = answers.get(str(call["id"]))
        if answer is None:
            uses.append(ToolUse(call["name"], call["args"], "waiting" if is_waiting else "dropped"))
            continue
        result = str(answer.text)
        refused: Literal["rejected", "failed"] = "rejected" if result.startswith(REJECTED) else "failed"
        uses.append(ToolUse(call["name"], call["args"], refused if answer.status == "error" else "ran", result))
    return tuple(uses)


def _latest_turn(state: State) -> list[AnyMessage]:
    messages = state.get("messages", [])
    last = max((at for at, message in enumerate(messages) if is_real_user(message)), default=-1)
    return messages[last + 1 :]
