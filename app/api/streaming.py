"""From LangGraph's stream of a run to what a listener wants: the answer's words, and what memory does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from app.api.reply import MemoryEvent, Token
from nodes.messages.citations import MarkerFilter


async def events_of(parts: AsyncIterator[tuple[str, Any]]) -> AsyncIterator[Token | MemoryEvent]:
    """Return the events of a run streamed with the modes `messages` and `custom`, closing markers held back."""
    marker, speaking = MarkerFilter(), None
    async for mode, part in parts:
        if mode == "custom" and part["event"] == "answer.added":
            yield Token(marker.close() + "".join(item["text"] for item in part["items"]))
            continue
        if mode == "custom":
            yield MemoryEvent(part["event"], tuple(part["items"]))
            continue
        message, origin = part
        if origin.get("langgraph_node") != "agent" or not isinstance(message, (AIMessage, AIMessageChunk)):
            continue
        if message.id != speaking and (rest := marker.close()):
            yield Token(rest)
        speaking = message.id
        if shown := marker.feed(str(message.text)):
            yield Token(shown)
    if rest := marker.close():
        yield Token(rest)
