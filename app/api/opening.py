"""Opens a concierge on the stores of its settings, and closes all of it again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.api.concierge import Concierge
from config.settings import Settings, load_settings
from graph.builder import build_graph, open_plugged, open_travel
from graph.routing import Node
from memory.records.transaction import Clock
from models.roles import Role
from nodes.services import Members
from stores.chroma import utc_now

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

    from memory.schema import Schema
    from nodes.tools import Acting
    from stores.embeddings import Embedder
    from travel.provider import TravelProvider
    from travel.sample.world import SampleWorld


@asynccontextmanager
async def open_concierge(
    settings: Settings | None = None,
    *,
    models: Mapping[Role, BaseChatModel] | None = None,
    tools: Sequence[BaseTool | Acting] = (),
    travel: TravelProvider | None = None,
    embedder: Embeddings | Embedder | None = None,
    schema: Schema | Path | str | None = None,
    before_agent: Sequence[Node] = (),
    checkpointer: BaseCheckpointSaver[str] | None = None,
    store: BaseStore | None = None,
    clock: Clock = utc_now,
    members: Members | None = None,
) -> AsyncIterator[Concierge]:
    """Open a concierge on the embedded stores under `settings.data_dir`, closed on exit.

    A part of your own, of which `docs/extending.md` has examples, stays open: whoever gives it closes it.

    Args:
        settings: Read from the environment when None.
        models: Chat models by role (`agent`, `summary`, `consolidation`), in place of those of the settings.
        tools: Your own tools: those that read as they are, those that act wrapped in `acting`.
        travel: Who sells travel, in place of the sample world, unless the settings switch travel off.
        embedder: Makes vectors for searches; what was made by another one is made anew.
        schema: What may be remembered, or the file that says it.
        before_agent: Your own nodes, run in order once a turn before the model is asked first, each under its name.
        checkpointer: Keeps thread state, on this event loop.
        store: Keeps long-term memory, with an index of its own; `embedder` then serves the searches of conversations.
        clock: The time in UTC.
        members: Says whether a user, by id, is a member of a workspace, by name; anybody who names one is when None.

    Raises:
        SettingsError: a setting or the schema is wrong.
        InvalidInputError: a tool, a node, a model, the embedder or the provider can't be used; the message says why.
        StorageError: the data directory cannot be used; StoreLockedError when another process uses it.
    """
    from stores.embeddings import open_embedder
    from stores.lifespan import open_checkpoints, open_store

    settings = settings or load_settings()
    async with AsyncExitStack() as parts:
        found = open_embedder(settings, embedder)
        if store is None:
            store = await parts.enter_async_context(open_store(settings, found))
        if checkpointer is None:
            checkpointer = await parts.enter_async_context(open_checkpoints(settings))
        seller = open_travel(settings, clock, travel)
        if seller and travel is None:
            parts.push_async_callback(asyncio.to_thread, cast("SampleWorld", seller).close)
        if plugged := open_plugged(settings):
            parts.push_async_callback(plugged.close)
        yield Concierge(
            build_graph(
                settings, models=models, tools=tools, travel=seller, schema=schema, before_agent=before_agent,
                checkpointer=checkpointer, store=store, embedder=found, clock=clock, plugged=plugged, members=members,
            )
        )  # fmt: skip
