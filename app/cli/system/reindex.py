"""Runs `concierge reindex`: rebuild the search index of the long-term store from its items."""

from __future__ import annotations

import asyncio

from app.cli.screen import Screen
from app.cli.wording import read_settings, say
from config.settings import Settings


def rebuild_index() -> None:
    """The command `reindex`. Raises SetupError when the store or the embedder can't be used."""
    count = asyncio.run(_rebuilt(read_settings()))
    Screen().aside(say("indexed", count=count))


async def _rebuilt(settings: Settings) -> int:
    from stores.lifespan import open_store

    async with open_store(settings) as store:
        return await asyncio.to_thread(store.reindex)
