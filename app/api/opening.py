"""Opens a concierge on the stores of its settings, and closes all of it again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from app.api.concierge import Concierge
from config.settings import Settings, load_settings
from graph.builder import build_graph, open_desk, open_plugged, open_recollection
from memory.records.transaction import Clock
from models.roles import Role
from nodes.services import deployed_gate, utc_now

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


@asynccontextmanager
async def open_concierge(
    settings: Settings | None = None,
    *,
    models: Mapping[Role, BaseChatModel] | None = None,
    clock: Clock = utc_now,
) -> AsyncIterator[Concierge]:
    """Open a concierge on the embedded stores under `settings.data_dir`, closed on exit.

    Args:
        settings: Read from the environment when None.
        models: Chat models by role, in place of those of the settings.
        clock: The time in UTC.

    Raises:
        SettingsError: a setting is wrong.
        StorageError: the data directory cannot be used; StoreLockedError when another process uses it.
    """
    from stores.lifespan import open_checkpoints, open_store

    settings = settings or load_settings()
    async with open_store(settings) as store, open_checkpoints(settings) as saver, AsyncExitStack() as parts:
        recollection = open_recollection(settings, clock)
        if desk := open_desk(settings, clock) if settings.travel != "off" else None:
            parts.push_async_callback(asyncio.to_thread, desk.close)
        if plugged := open_plugged(settings):
            parts.push_async_callback(plugged.close)
        graph = build_graph(
            settings, models=models, checkpointer=saver, store=store, recollection=recollection, clock=clock,
            travel=desk, plugged=plugged,
        )  # fmt: skip
        gate = deployed_gate(settings)
        yield Concierge(
            graph, store=store, checkpointer=saver, recollection=recollection, clock=clock, gate=gate, travel=desk
        )
