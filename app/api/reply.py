"""The input and context of a run, and its reply: whole, or as a stream of events."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from config.errors import NotFoundError
from graph.context import Context, MemoryMode
from graph.entry import GuardedGraph
from graph.state import META, BlockedNote, ConsolidatedNote, Input, MessageMeta, State, StopReason, report_on
from graph.trace import TraceStep
from memory.events import MemoryEvent
from memory.records.conversations import OpenSession, open_session
from memory.records.notes import Note
from memory.records.reading import encode_label
from nodes.approve import REJECTED
from nodes.capture import staged_notes
from nodes.messages.turns import latest_turn


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step that starts: a tool by its name, or `thinking` when the model reads tool results."""

    name: str


@dataclass(frozen=True, slots=True)
class ReplyMemory:
    """What memory did in this run.

    Attributes:
        shown: Notes that the model was given.
        used: Shown notes that the model declared it used; code has checked the declaration.
        written: Notes staged in this run; they become long-term memory when the session ends.
        forgotten: Ids of notes that were forgotten in this run.
        blocked: Proposals that the policy refused, by policy code and keyed hash, never with their text.
        violations: False claims of use, with `code` and `handle`.
        consolidated: Operations on the session's notes, if this run ended the session.
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
        arguments: Arguments of the call, with the traveller's edits.
        outcome: `ran`, `failed` (the result says why), `rejected` by the traveller, `waiting` for their approval, or
            `dropped`: the turn ended before it ran.
        result: Text of the tool message; empty if the tool did not run.
    """

    name: str
    arguments: dict[str, Any]
    outcome: Literal["ran", "failed", "rejected", "waiting", "dropped"]
    result: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one run.

    `interrupts` are the approval requests that wait for `resume`. `tools` are the calls since the latest user message,
    oldest first, including those before an approval was requested. `trace` are the steps of this run.
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
"""An event of a stream; the last one is the `Reply`."""


def build_reply(
    state: State,
    run_id: str,
    *,
    turn: Sequence[AnyMessage],
    interrupts: Sequence[Any],
    run_input: Any,
    notes: Sequence[Note] = (),
) -> Reply:
    """Return the reply of a run that ended with `state`.

    Args:
        state: The thread's state after the run.
        run_id: Id of the run; a report with another id is ignored.
        turn: Messages since the latest user message, also those that a summary has replaced in `state`.
        interrupts: Approval requests that wait for `resume`.
        run_input: Input of the run; without messages it only ends the session, and the reply has no text or tools.
        notes: Notes that the report may refer to, in addition to those of the session.
    """
    by_id = {note.id: note for note in (*staged_notes(state), *notes)}
    only_ends_session = isinstance(run_input, dict) and not run_input.get("messages")
    text = "" if only_ends_session else latest_answer(turn)
    tools = () if only_ends_session else tools_used(turn, is_waiting=bool(interrupts))
    report = report_on(state, run_id)
    record = report["memory"]
    memory = ReplyMemory(
        shown=tuple(by_id[key] for key in record["shown"] if key in by_id),
        used=tuple(by_id[key] for key in record["used"] if key in by_id),
        written=tuple(by_id[key] for key in record["written"] if key in by_id),
        forgotten=tuple(record.get("forgotten", ())),
        blocked=tuple(record["blocked"]),
        violations=tuple(record["violations"]),
        consolidated=tuple(report["consolidated"]),
    )
    stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason(report["stop_reason"])
    return Reply(text, run_id, stop, report["outcome"], memory, tuple(interrupts), tools)


def latest_answer(messages: Sequence[AnyMessage]) -> str:
    """Return the text of the latest assistant message that has text; empty if there is none."""
    for message in reversed(messages):
        if isinstance(message, AIMessage) and message.text.strip():
            return str(message.text)
    return ""


def tools_used(messages: Sequence[AnyMessage], *, is_waiting: bool) -> tuple[ToolUse, ...]:
    """Return the tool calls, oldest first; `is_waiting` tells whether an approval is pending."""
    answers = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    calls = [call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls]
    uses = []
    for call in calls:
        answer = answers.get(str(call["id"]))
        if answer is None:
            uses.append(ToolUse(call["name"], call["args"], "waiting" if is_waiting else "dropped"))
            continue
        result = str(answer.text)
        refused: Literal["rejected", "failed"] = "rejected" if REJECTED.match(result) else "failed"
        uses.append(ToolUse(call["name"], call["args"], refused if answer.status == "error" else "ran", result))
    return tuple(uses)


def run_context(
    user_id: str, memory_mode: MemoryMode = "on", language: str | None = None, workspace: str | None = None
) -> Context:
    """Return the context of a run. Raises InvalidInputError for an invalid user id, mode or language."""
    encode_label(user_id)  # raises for an invalid user id
    return Context(user_id, memory_mode, workspace, cast(Any, language)).checked()


async def is_pending(graph: GuardedGraph, interrupt_ids: Sequence[str], config: RunnableConfig) -> bool:
    """Return True if these interrupts are still pending. Raises NotFoundError if they were decided meanwhile."""
    if [interrupt.id for interrupt in (await graph.aget_state(config)).interrupts] != list(interrupt_ids):
        thread_id = config["configurable"]["thread_id"]
        raise NotFoundError(f"What waited in conversation {thread_id} was decided already. This answer did nothing.")
    return True


async def is_idle(graph: GuardedGraph, store: BaseStore, session: OpenSession, config: RunnableConfig) -> bool:
    """Return whether a session is unchanged and has no pending approval, which ending it would drop."""
    waiting = (await graph.aget_state(config)).interrupts
    return not waiting and await open_session(store, session.thread_id) == session


def turn_input(message: str, mode: MemoryMode, end_session: bool) -> Input:
    """Return the input of a turn. The message carries its memory mode, which applies in every run that answers it."""
    metadata = {} if mode == "on" else {META: MessageMeta(mode=mode)}
    human = HumanMessage(message, id=str(uuid4()), additional_kwargs=metadata)
    return Input(messages=[human], end_session=end_session)


@dataclass(slots=True)
class Outcome:
    """What a run has produced so far: its state with interrupts, the messages of its turn, and the agent's text."""

    values: dict[str, Any] = field(default_factory=dict)
    turn: list[AnyMessage] = field(default_factory=list)
    text: str = ""

    async def events(self, parts: AsyncIterator[tuple[str, Any]]) -> AsyncIterator[Token | Step | MemoryEvent]:
        """Yield the events of a run from the stream modes `messages` and `custom`.

        The modes `values` and `updates` update this outcome; `text` keeps answers as they were first written.
        """
        async for mode, part in parts:
            if mode == "values":
                self.values.update(part)
                self.turn = latest_turn(part.get("messages", ()))[1:] or self.turn
            elif mode == "updates":
                self.text += "".join(str(message.text) for message in (part.get("agent") or {}).get("messages", ()))
            elif mode == "custom" and part["event"] == "answer.added":
                yield Token("".join(item["text"] for item in part["items"]))
            elif mode == "custom":
                yield MemoryEvent(part["event"], tuple(part["items"]))
            else:
                message, metadata = part
                for step in _started_steps(message):
                    yield Step(step)
                if metadata.get("langgraph_node") == "agent" and isinstance(message, AIMessage) and message.text:
                    yield Token(str(message.text))


def _started_steps(message: BaseMessage) -> list[str]:
    """Return the steps that a streamed message starts: the tools it calls, or `thinking` after a tool result."""
    if isinstance(message, ToolMessage):
        return ["thinking"]
    if isinstance(message, AIMessageChunk):
        return [str(piece["name"]) for piece in message.tool_call_chunks if piece.get("name")]
    return [call["name"] for call in message.tool_calls] if isinstance(message, AIMessage) else []


async def final_reply(events: AsyncIterator[Event]) -> Reply:
    """Consume a stream of events and return the reply at its end."""
    last: Event | None = None
    async for event in events:
        last = event
    assert isinstance(last, Reply)
    return last
