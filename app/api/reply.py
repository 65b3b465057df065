"""Describes what a run gives back to its caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage

from graph.state import BlockedNote, ConsolidatedNote, State, StopReason, is_real_user
from memory.records.notes import Note


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """Something memory did: `memory.created`, `memory.recalled`, `memory.blocked` or `memory.consolidated`."""

    name: str
    items: tuple[dict[str, Any], ...]


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
class Reply:
    """The answer to one run. `interrupts` are the questions that wait for `resume`."""

    text: str
    run_id: str
    stop_reason: StopReason
    outcome: str
    memory: ReplyMemory = field(default_factory=ReplyMemory)
    interrupts: tuple[Any, ...] = ()


Event = Token | MemoryEvent | Reply
"""What a stream gives: words and events of memory, and the reply at the end."""


def reply_of(state: State, run_id: str, *, text: str, notes: Sequence[Note], interrupts: Sequence[Any]) -> Reply:
    """Return the reply that a finished run left in `state`.

    Args:
        state: The thread's state after the run.
        run_id: The run; a report of another run is not told as this one's.
        text: What was said in this run.
        notes: The notes that the report may name.
        interrupts: What waits for `resume`.
    """
    by_id = {note.id: note for note in notes}
    report = state.get("report")
    if report is None or report["run_id"] != run_id:
        stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason.ANSWERED
        return Reply(text, run_id, stop, "context_only", interrupts=tuple(interrupts))
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
    return Reply(text, run_id, stop, report["outcome"], memory, tuple(interrupts))


def latest_answer(state: State) -> str:
    """Return the text of what the assistant said since the latest user message."""
    for message in reversed(state.get("messages", [])):
        if is_real_user(message):
            break
        if isinstance(message, AIMessage) and message.text.strip():
            return str(message.text)
    return ""
