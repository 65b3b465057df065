"""Describes what a run takes and what it gives back to its caller, whole or as a stream."""

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
from graph.state import META, BlockedNote, ConsolidatedNote, Input, MessageMeta, State, StopReason, is_real_user
from graph.trace import TraceStep
from memory.events import MemoryEvent
from memory.records.conversations import OpenSession, open_session
from memory.records.notes import Note
from memory.records.reading import encode_label
from nodes.approve import REJECTED
from nodes.capture import staged_notes
from nodes.messages.citations import MarkerFilter


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
    said: Sequence[AnyMessage],
    interrupts: Sequence[Any],
    given: Any,
    notes: Sequence[Note] = (),
) -> Reply:
    """Return the reply that a finished run left in `state`.

    Args:
        state: The thread's state after the run.
        run_id: The run; a report of another run is not told as this one's.
        said: What was said since the latest user message, also where a summary stands for it by now.
        interrupts: What waits for `resume`.
        given: The input of the run; one that only ends the session says nothing and calls no tool.
        notes: The notes that the report may name, beside those of the session.
    """
    by_id = {note.id: note for note in (*staged_notes(state), *notes)}
    # Where a run only ends the session, nobody asked, and nothing is said.
    silent = isinstance(given, dict) and not given.get("messages")
    text = "" if silent else latest_answer(said)
    tools = () if silent else tools_used(said, is_waiting=bool(interrupts))
    report = state.get("report")
    if report is None or report["run_id"] != run_id:
        stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason.ANSWERED
        return Reply(text, run_id, stop, "context_only", interrupts=tuple(interrupts), tools=tools)
    told = report["memory"]
    notes_of = {name: tuple(by_id[key] for key in told[name] if key in by_id) for name in ("shown", "used", "written")}
    memory = ReplyMemory(
        **notes_of,
        forgotten=tuple(told.get("forgotten", ())),
        blocked=tuple(told["blocked"]),
        violations=tuple(told["violations"]),
        consolidated=tuple(report["consolidated"]),
    )
    stop = StopReason.AWAITING_APPROVAL if interrupts else StopReason(report["stop_reason"])
    return Reply(text, run_id, stop, report["outcome"], memory, tuple(interrupts), tools)


def latest_answer(said: Sequence[AnyMessage]) -> str:
    """Return the text of what the assistant said last."""
    for message in reversed(said):
        if isinstance(message, AIMessage) and message.text.strip():
            return str(message.text)
    return ""


def tools_used(said: Sequence[AnyMessage], *, is_waiting: bool) -> tuple[ToolUse, ...]:
    """Return the calls, oldest first; `is_waiting` says that an approval is open."""
    answers = {message.tool_call_id: message for message in said if isinstance(message, ToolMessage)}
    calls = [call for message in said if isinstance(message, AIMessage) for call in message.tool_calls]
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


def latest_turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return what was said since the latest user message; nothing where none is left."""
    last = next((at for at in reversed(range(len(messages))) if is_real_user(messages[at])), len(messages))
    return list(messages[last + 1 :])


def run_context(
    user_id: str, memory_mode: MemoryMode = "on", language: str | None = None, workspace: str | None = None
) -> Context:
    """Return the context of a run. Raises InvalidInputError for what cannot name a user, a mode or a language."""
    encode_label(user_id)  # raises for what cannot name a user
    return Context(user_id, memory_mode, workspace, cast(Any, language)).checked()


async def is_asked(graph: GuardedGraph, asked: Sequence[str], config: RunnableConfig) -> bool:
    """An answer counts for the question that it was given to. Raises NotFoundError where another came meanwhile."""
    if [one.id for one in (await graph.aget_state(config)).interrupts] != list(asked):
        thread_id = config["configurable"]["thread_id"]
        raise NotFoundError(f"What waited in conversation {thread_id} was decided already. This answer did nothing.")
    return True


async def is_idle(graph: GuardedGraph, store: BaseStore, session: OpenSession, config: RunnableConfig) -> bool:
    """Return whether nobody spoke in a session since, and no decision is awaited, which its end would drop."""
    waiting = (await graph.aget_state(config)).interrupts
    return not waiting and await open_session(store, session.thread_id) == session


def turn_input(message: str, mode: MemoryMode, end_session: bool) -> Input:
    """Return the input of a turn. The message itself says how private it is, whatever run has to answer it."""
    private = {} if mode == "on" else {META: MessageMeta(mode=mode)}
    asked = HumanMessage(message, id=str(uuid4()), additional_kwargs=private)
    return Input(messages=[asked], end_session=end_session)


@dataclass(slots=True)
class Outcome:
    """How far a run has come: its state with what interrupted it, the latest turn, and all that the concierge said."""

    values: dict[str, Any] = field(default_factory=dict)
    turn: list[AnyMessage] = field(default_factory=list)
    said: str = ""

    async def events(self, parts: AsyncIterator[tuple[str, Any]]) -> AsyncIterator[Token | Step | MemoryEvent]:
        """Return the events of a run streamed with the modes `messages` and `custom`, closing markers held back.

        Of the modes `values` and `updates` it keeps the outcome; an answer counts as it was first given.
        """
        marker, speaking = MarkerFilter(), None
        async for mode, part in parts:
            if mode == "values":
                self.values.update(part)
                self.turn = latest_turn(part.get("messages", ())) or self.turn
            elif mode == "updates":
                self.said += "".join(str(message.text) for message in (part.get("agent") or {}).get("messages", ()))
            elif mode == "custom" and part["event"] == "answer.added":
                yield Token(marker.close() + "".join(item["text"] for item in part["items"]))
            elif mode == "custom":
                yield MemoryEvent(part["event"], tuple(part["items"]))
            else:
                message, origin = part
                for step in _begun(message):
                    yield Step(step)
                if origin.get("langgraph_node") != "agent" or not isinstance(message, (AIMessage, AIMessageChunk)):
                    continue
                if message.id != speaking and (rest := marker.close()):
                    yield Token(rest)
                speaking = message.id
                if shown := marker.feed(str(message.text)):
                    yield Token(shown)
        if rest := marker.close():
            yield Token(rest)


def _begun(message: BaseMessage) -> list[str]:
    """Return the steps that begin with a part of the stream: the tools it calls; thinking, after a tool's answer."""
    if isinstance(message, ToolMessage):
        return ["thinking"]
    if isinstance(message, AIMessageChunk):
        return [str(piece["name"]) for piece in message.tool_call_chunks if piece.get("name")]
    return [call["name"] for call in message.tool_calls] if isinstance(message, AIMessage) else []


async def final_reply(events: AsyncIterator[Event]) -> Reply:
    """Return what a stream ends with."""
    last: Event | None = None
    async for event in events:
        last = event
    assert isinstance(last, Reply)
    return last
