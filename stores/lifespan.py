"""Opening what outlives a run: for the library, and without arguments for `langgraph.json`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from langgraph.store.base import IndexConfig
from langgraph.store.base.embed import EmbeddingsFunc

from graph.settings import Settings, load_settings
from stores.checkpoints import PrunedSqliteSaver, open_checkpointer
from stores.chroma import ChromaStore
from stores.embeddings import open_embedder

STORE_FOLDER = "store"
CHECKPOINTS_FILE = "checkpoints.sqlite"
INDEXED_FIELDS = ["text"]


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[ChromaStore]:
    """The long-term store of the settings, in `store/` of the data directory; it sweeps expired items.

    Raises:
        StoreLockedError: when another process has it open.
        StorageError: when the data directory can't be written or a database in it is damaged.
        SettingsError: when the embedder is not configured.
    """
    embedder = open_embedder(settings)
    index: IndexConfig | None = None
    if embedder is not None:
        index = {"embed": cast(EmbeddingsFunc, embedder), "fields": INDEXED_FIELDS}
    folder = settings.data_dir / STORE_FOLDER
    async with ChromaStore.afrom_path(folder, index=index, ttl={"sweep_interval_minutes": 60}) as store:
        yield store


@asynccontextmanager
async def open_checkpoints(settings: Settings) -> AsyncIterator[PrunedSqliteSaver]:
    """The thread states of the settings, in the data directory.

    Raises:
        StorageError: when the data directory can't be written or the file is damaged.
    """
    async with open_checkpointer(settings.data_dir / CHECKPOINTS_FILE, keep=settings.checkpoints_kept) as saver:
        yield saver


@asynccontextmanager
async def store_lifespan() -> AsyncIterator[ChromaStore]:
    """The store of a LangGraph server, from the settings of its environment."""
    async with open_store(load_settings()) as store:
        yield store


@asynccontextmanager
async def checkpointer_lifespan() -> AsyncIterator[PrunedSqliteSaver]:
    """The checkpointer of a LangGraph server, from the settings of its environment."""
    async with open_checkpoints(load_settings()) as saver:
        yield saver
