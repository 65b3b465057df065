"""Open the store and the checkpointer from settings; two entry points take no arguments, for `langgraph.json`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, cast

from langgraph.store.base import BaseStore, IndexConfig, TTLConfig
from langgraph.store.base.embed import EmbeddingsFunc

from config.errors import SettingsError, SetupError
from config.settings import Settings, load_settings
from stores.application import of_application
from stores.checkpoints.sqlite import PrunedSqliteSaver, open_checkpointer
from stores.chroma import ChromaStore, utc_now
from stores.embeddings import Embedder, open_embedder
from stores.encryption import cipher_of
from stores.locks import folder_lock
from stores.vectors.backends import EmbeddedVectors, ServerVectors, VectorBackend

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from stores.checkpoints.postgres import PrunedPostgresSaver

STORE_FOLDER = "store"
CHECKPOINTS_FILE = "checkpoints.sqlite"
INDEXED_FIELDS = ["text"]
_TTL: TTLConfig = {"sweep_interval_minutes": 60}
_served: dict[str, Any] = {}
"""The store and checkpointer that the LangGraph server opened: it does not pass them to its own HTTP application."""


@asynccontextmanager
async def open_store(settings: Settings, embedder: Embedder | None = None) -> AsyncIterator[ChromaStore]:
    """Yield the long-term store of the settings; it deletes expired items in the background.

    Items are in `store/` of the data directory, or in the database of `store_url`. Vectors are in `store/` too, or on
    the server of `chroma_url`. `embedder` takes the place of the one in the settings.

    Raises:
        StoreLockedError: if another process has the store open, and the items or the vectors cannot be shared.
        StorageError: when the data directory or a server can't be used, or a database is damaged.
        SettingsError: if the embedder is not configured, or the packages for PostgreSQL are not installed.
    """
    embedder = embedder or open_embedder(settings)
    index: IndexConfig | None = None
    if embedder is not None:
        index = {"embed": cast(EmbeddingsFunc, embedder), "fields": INDEXED_FIELDS}
    opening = _opened(settings, index)
    store = await asyncio.to_thread(opening.__enter__)
    try:
        yield store
    finally:
        await asyncio.shield(asyncio.to_thread(opening.__exit__, None, None, None))


@contextmanager
def _opened(settings: Settings, index: IndexConfig | None) -> Iterator[ChromaStore]:
    folder, cipher = settings.data_dir / STORE_FOLDER, cipher_of(settings.encryption_key)
    vectors: VectorBackend | None = ServerVectors(settings.chroma_url) if settings.chroma_url else None
    with ExitStack() as stack:
        if settings.store_url is None:
            opening = ChromaStore.from_path(folder, index=index, ttl=_TTL, vectors=vectors, cipher=cipher)
            yield stack.enter_context(opening)
            return
        is_shared = index is None or vectors is not None
        if not is_shared:
            stack.enter_context(folder_lock(folder, clock=utc_now))
            vectors = EmbeddedVectors(folder / "vectors")
        with _postgres_extra():
            from stores.shared import SharedStore
        url = settings.store_url.get_secret_value()
        store = SharedStore(url, vectors, vectors_are_shared=is_shared, index=index, ttl=_TTL, cipher=cipher)
        stack.callback(store.close)
        store.start_ttl_sweeper()
        yield store


@asynccontextmanager
async def open_checkpoints(settings: Settings) -> AsyncIterator[PrunedSqliteSaver | PrunedPostgresSaver]:
    """Yield the checkpointer of the settings: in the data directory, or in the database of `store_url`.

    Raises:
        StorageError: when the data directory can't be written, the file is damaged, or the database does not answer.
        SettingsError: if the packages for PostgreSQL are not installed.
    """
    keep, cipher = settings.checkpoints_kept, cipher_of(settings.encryption_key)
    if settings.store_url is None:
        async with open_checkpointer(settings.data_dir / CHECKPOINTS_FILE, keep=keep, cipher=cipher) as saver:
            yield saver
        return
    with _postgres_extra():
        from stores.checkpoints.postgres import open_postgres_checkpointer
    url = settings.store_url.get_secret_value()
    async with open_postgres_checkpointer(url, keep=keep, cipher=cipher) as shared:
        yield shared


@asynccontextmanager
async def store_lifespan() -> AsyncIterator[BaseStore]:
    """Yield the store for a LangGraph server, from environment settings."""
    settings = load_settings()
    async with open_store(settings) as store:
        _served["store"] = of_application(store, settings.app_name)
        yield _served["store"]
    del _served["store"]


@asynccontextmanager
async def checkpointer_lifespan() -> AsyncIterator[PrunedSqliteSaver | PrunedPostgresSaver]:
    """Yield the checkpointer for a LangGraph server, from environment settings."""
    async with open_checkpoints(load_settings()) as saver:
        _served["checkpointer"] = saver
        yield saver
    del _served["checkpointer"]


def served() -> tuple[BaseStore, BaseCheckpointSaver[str]]:
    """Return the store and the checkpointer that the LangGraph server of this process has open.

    Raises:
        SetupError: if either is not open.
    """
    try:
        return _served["store"], _served["checkpointer"]
    except KeyError as error:
        raise SetupError(f"No LangGraph server of this process has its {error} open.") from None


@contextmanager
def _postgres_extra() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise SettingsError(
            f"CONCIERGE_STORE_URL is set, but {error.name} is not installed. "
            "Install it: pip install 'travel-concierge[postgres]'."
        ) from error
