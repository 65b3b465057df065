"""Runs a conversation when it is imported, so that programs forked afterwards start with warm caches.

The first turn spends most of its time loading modules, compiling patterns and building the schemas of tools.
"""

from __future__ import annotations

import asyncio

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from app.api.opening import open_concierge
from config.settings import Settings

MESSAGES = ("I prefer aisle seats.", "A flight from Berlin to Lisbon on 3 May, one adult", "通路側の席がいいです。")


async def converse() -> None:
    """Send a few messages and end the session. Leaves no thread running, as a fork would lose it."""
    settings = Settings(model_provider="offline", embedder="none")
    async with open_concierge(settings, checkpointer=InMemorySaver(), store=InMemoryStore()) as concierge:
        for message in MESSAGES:
            await concierge.send(message, user_id="preload", thread_id="preload")
        await concierge.end_session(user_id="preload", thread_id="preload")
        await concierge.memory("preload").search("aisle")


asyncio.run(converse())
