"""Goes through a conversation when it is imported, so that programs forked after it find everything ready.

What a first turn takes most of its time for is done once: loading parts, compiling patterns, making the tools' schemas.
"""

from __future__ import annotations

import asyncio

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from app.api.opening import open_concierge
from config.settings import Settings

SAID = ("I prefer aisle seats.", "A flight from Berlin to Lisbon on 3 May, one adult", "通路側の席がいいです。")


async def converse() -> None:
    """Say a few things, and end the session. Nothing is left open: no thread, which a fork would lose."""
    settings = Settings(model_provider="offline", embedder="none")
    async with open_concierge(settings, checkpointer=InMemorySaver(), store=InMemoryStore()) as concierge:
        for said in SAID:
            await concierge.send(said, user_id="preload", thread_id="preload")
        await concierge.end_session(user_id="preload", thread_id="preload")
        await concierge.memory("preload").search("aisle")


asyncio.run(converse())
