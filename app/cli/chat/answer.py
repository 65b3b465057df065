"""Sends one message and shows its answer, for the scripted and the interactive chat alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.screen import Screen

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.reply import Reply
    from graph.context import MemoryMode


async def answer(
    concierge: Concierge, screen: Screen, message: str, *, user_id: str, thread_id: str, mode: MemoryMode
) -> Reply:
    """Send a message, write the answer as it comes, and then what memory did with it."""
    from app.api.reply import Reply, Token

    written = False
    reply: Reply | None = None
    async for event in concierge.stream(message, user_id=user_id, thread_id=thread_id, memory_mode=mode):
        if isinstance(event, Token):
            screen.write(event.text)
            written = True
        elif isinstance(event, Reply):
            reply = event
    assert reply is not None  # a stream always ends with one
    if written or reply.text:
        screen.line("" if written else reply.text)
    screen.account(reply.memory)
    return reply


async def decide(concierge: Concierge, screen: Screen, value: Any, *, user_id: str, thread_id: str) -> Reply:
    """Answer what waits for approval, and write what comes of it."""
    reply = await concierge.resume(value, user_id=user_id, thread_id=thread_id)
    if reply.text and not reply.interrupts:
        screen.line(reply.text)
    screen.account(reply.memory)
    return reply
