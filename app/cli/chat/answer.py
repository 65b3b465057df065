"""Shows the answer to a message or a decision as it comes, for the scripted and the interactive chat alike."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from app.cli.chat.live import LiveAnswer
from app.cli.screen import Screen

if TYPE_CHECKING:
    from app.api.reply import Event, Reply


async def write_answer(screen: Screen, events: AsyncIterator[Event]) -> Reply:
    """Write what is done and said as it happens, and then what memory did."""
    from app.api.reply import Reply, Step, Token

    reply: Reply | None = None
    with LiveAnswer(screen) as live:
        async for event in events:
            if isinstance(event, Token):
                live.add(event.text)
            elif isinstance(event, Step):
                live.doing(event.name)
            elif isinstance(event, Reply):
                reply = event
        assert reply is not None  # a stream always ends with one
        if not live.written and reply.text and not reply.interrupts:
            live.add(reply.text)
    screen.account(reply.memory)
    return reply
