"""From LangGraph's stream of a run to what a listener wants: the answer's words, and what memory does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage

from app.api.reply import Step, Token
from memory.events import MemoryEvent
from nodes.messages.citations import MarkerFilter


async def events_of(
    parts: AsyncIterator[tuple[str, Any]], last: dict[str, Any]
) -> AsyncIterator[Token | Step | MemoryEvent]:
    """Return the events of a run streamed with the modes `messages`, `custom` and `values`, closing markers held back.

    `last` takes the values of the state, and the interrupts, as far as the run has come.
    """
    marker, speaking = MarkerFilter(), None
    async for mode, part in parts:
        if mode == "values":
            last.update(part)
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
