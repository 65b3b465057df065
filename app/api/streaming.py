"""A run as LangGraph sees it: its context and input, of what a caller says, and its stream, for who listens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from app.api.reply import Event, Reply, Step, Token
from config.errors import InvalidInputError, NotFoundError
from graph.builder import ConciergeGraph
from graph.context import Context, MemoryMode
from graph.state import META, Input, MessageMeta
from memory.events import MemoryEvent
from memory.records.conversations import OpenSession, OpenSessions
from memory.records.reading import encode_label
from nodes.messages.citations import MarkerFilter


def run_context(
    user_id: str, memory_mode: MemoryMode = "on", language: str | None = None, workspace: str | None = None
) -> Context:
    """Return the context of a run. Raises InvalidInputError for what cannot name a user, a mode or a language."""
    encode_label(user_id)  # raises for what cannot name a user
    if memory_mode not in ("on", "paused", "off"):
        raise InvalidInputError(f"memory_mode is {memory_mode!r}; use 'on', 'paused' or 'off'.")
    if language not in (None, "en", "ja"):
        raise InvalidInputError(f"language is {language!r}; use 'en' or 'ja'.")
    return Context(user_id=user_id, memory_mode=memory_mode, workspace=workspace, language=cast(Any, language))


def is_silent(given: Any) -> bool:
    """Return True for a run that only ends the session: nobody asked, nothing is said."""
    return isinstance(given, dict) and not given.get("messages")


async def is_asked(graph: ConciergeGraph, asked: Sequence[str], config: RunnableConfig) -> bool:
    """An answer counts for the question that it was given to. Raises NotFoundError where another came meanwhile."""
    if [one.id for one in (await graph.aget_state(config)).interrupts] != list(asked):
        thread_id = config["configurable"]["thread_id"]
        raise NotFoundError(f"What waited in conversation {thread_id} was decided already. This answer did nothing.")
    return True


async def is_idle(graph: ConciergeGraph, sessions: OpenSessions, session: OpenSession, config: RunnableConfig) -> bool:
    """Return whether nobody spoke in a session since, and no decision is awaited, which its end would drop."""
    waiting = (await graph.aget_state(config)).interrupts
    return not waiting and await sessions.of(session.thread_id) == session


def turn_input(message: str, mode: MemoryMode, end_session: bool) -> Input:
    """Return the input of a turn. The message itself says how private it is, whatever run has to answer it."""
    private = {} if mode == "on" else {META: MessageMeta(mode=mode)}
    asked = HumanMessage(message, id=str(uuid4()), additional_kwargs=private)
    return Input(messages=[asked], end_session=end_session)


@dataclass(slots=True)
class Outcome:
    """How far a run has come: the values of its state with what interrupted it, and all that the concierge said."""

    values: dict[str, Any] = field(default_factory=dict)
    said: str = ""

    def take(self, mode: str, part: Any) -> None:
        """Take a part of a stream with the modes `values` and `updates`; an answer counts as it was first given."""
        if mode == "values":
            self.values.update(part)
        elif update := part.get("agent"):
            self.said += "".join(str(message.text) for message in update["messages"])


async def events_of(
    parts: AsyncIterator[tuple[str, Any]], outcome: Outcome
) -> AsyncIterator[Token | Step | MemoryEvent]:
    """Return the events of a run streamed with the modes `messages` and `custom`, closing markers held back.

    Parts of other modes are for `outcome`.
    """
    marker, speaking = MarkerFilter(), None
    async for mode, part in parts:
        if mode in ("values", "updates"):
            outcome.take(mode, part)
            continue
        if mode == "custom" and part["event"] == "answer.added":
            yield Token(marker.close() + "".join(item["text"] for item in part["items"]))
            continue
        if mode == "custom":
            yield MemoryEvent(part["event"], tuple(part["items"]))
            continue
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
