"""Opens a concierge on the stores of its settings, and closes all of it again."""

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
    """Open a concierge on the embedded stores under `settings.data_dir`, closed on exit.

    A part of your own stays open: whoever gives it closes it.

    Args:
        settings: Read from the environment when None.
        checkpointer: Keeps thread state, on this event loop.
        parts: Parts of your own by name, such as `models`, `tools` and `store`: the keys of `graph.Parts`.

    Raises:
        SettingsError: a setting or the schema is wrong.
        InvalidInputError: a part can't be used; the message says why.
        StorageError: the data directory cannot be used; StoreLockedError when another process uses it.
    """
    from stores.embeddings import open_embedder
    from stores.lifespan import open_checkpoints, open_store

    check_parts(parts, settings=settings, checkpointer=checkpointer)
    settings = settings or load_settings()
    async with AsyncExitStack() as opened:
        parts["embedder"] = found = open_embedder(settings, parts.get("embedder"))
        if parts.get("store") is None:
            parts["store"] = await opened.enter_async_context(open_store(settings, found))
        if checkpointer is None:
            checkpointer = await opened.enter_async_context(open_checkpoints(settings))
        if parts.get("travel") is None and (seller := open_travel(settings, parts.get("clock") or utc_now)):
            parts["travel"] = seller
            opened.push_async_callback(asyncio.to_thread, cast("SampleWorld", seller).close)
        if plugged := open_plugged(settings):
            opened.push_async_callback(plugged.close)
        yield Concierge(build_graph(settings, checkpointer=checkpointer, plugged=plugged, **parts))
