"""Opens a concierge with the stores of its settings, and closes them on exit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Unpack, cast

from app.api.concierge import Concierge
from config.settings import Settings, load_settings
from graph.builder import build_graph, open_plugged, open_travel
from graph.parts import Parts, check_parts
from stores.chroma import utc_now

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from travel.sample.world import SampleWorld


@asynccontextmanager
async def open_concierge(
    settings: Settings | None = None,
    *,
    checkpointer: BaseCheckpointSaver[str] | None = None,
    **parts: Unpack[Parts],
) -> AsyncIterator[Concierge]:
    """Open a concierge with the stores of `settings`, embedded ones by default; they are closed on exit.

    Parts that you pass in are not closed.

    Args:
        settings: Read from the environment when None.
        checkpointer: Saves thread state; used on this event loop.
        parts: Replacements for default parts, such as `models`, `tools` and `store`; see `graph.Parts`.

    Raises:
        SettingsError: a setting or the schema is wrong.
        InvalidInputError: a part can't be used; the message says why.
        StorageError: the data directory cannot be used; StoreLockedError when another process uses it.
    """
    from stores.embeddings import open_embedder
    from stores.lifespan import open_checkpoints, open_store

    check_parts(parts, settings=settings, checkpointer=checkpointer)
    settings = settings or load_settings()
    async with AsyncExitStack() as stack:
        parts["embedder"] = embedder = open_embedder(settings, parts.get("embedder"))
        if parts.get("store") is None:
            parts["store"] = await stack.enter_async_context(open_store(settings, embedder))
        if checkpointer is None:
            checkpointer = await stack.enter_async_context(open_checkpoints(settings))
        if parts.get("travel") is None and (travel := open_travel(settings, parts.get("clock") or utc_now)):
            parts["travel"] = travel
            stack.push_async_callback(asyncio.to_thread, cast("SampleWorld", travel).close)
        plugged = open_plugged(settings)
        stack.push_async_callback(plugged.close)
        yield Concierge(build_graph(settings, checkpointer=checkpointer, plugged=plugged, **parts))
