"""A store that several processes use at once: items in PostgreSQL, vectors where all of them find them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime

from langgraph.store.base import IndexConfig, TTLConfig

from config.errors import StoreLockedError
from stores.chroma import ChromaStore, items_options, utc_now
from stores.encryption import Cipher
from stores.postgres.database import Postgres, PostgresLocks
from stores.postgres.items import PostgresItems
from stores.vectors.backends import VectorBackend

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
_INDEX = "index"


class SharedStore(ChromaStore):
    """`ChromaStore` over PostgreSQL. Close it with `close`.

    Args:
        url: The database, as `stores.postgres.database.Postgres` takes it.
        vectors_are_shared: False when no other process can reach `vectors`; then none may have the store open.
        vectors, index, ttl, clock, cipher: See `ChromaStore.from_path`; all processes must have the same.

    Raises:
        StoreLockedError: when the vectors are not shared and another process has the store open, or the reverse.
        StorageError: when the database does not answer.
        SettingsError: when the URL can't be read.
    """

    def __init__(
        self,
        url: str,
        vectors: VectorBackend | None = None,
        *,
        vectors_are_shared: bool = True,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        clock: Callable[[], datetime] = utc_now,
        cipher: Cipher | None = None,
    ) -> None:
        with ExitStack() as undo:
            database = Postgres(url)
            undo.callback(database.close)
            items = PostgresItems(database, **items_options(index, ttl, clock, cipher))
            self._locks = PostgresLocks(database, items.store_id)
            undo.callback(self._locks.close)
            if not (self._locks.join(_INDEX) if vectors_are_shared else self._locks.take(_INDEX)):
                raise StoreLockedError(
                    f"The store {database.address} is open in another process, and one of the two keeps its vectors "
                    "for itself. Set CONCIERGE_CHROMA_URL for both, so that they share them, or close the other."
                )
            super().__init__(items, vectors, index=index, ttl=ttl)
            undo.pop_all()

    @asynccontextmanager
    async def exclusive_lock(self, name: str, /) -> AsyncIterator[None]:
        """Keep every other process and task out of blocks of the same name; wait as long as it takes.

        A process that ends, however it ends, releases its locks.

        Raises:
            StorageError: when the database fails.
        """
        pause, block = _FIRST_PAUSE, f"block/{name}"
        # Polled and not waited for: a waiting thread would be missing to whoever holds the lock.
        while not await self._try(block):
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        try:
            yield
        finally:
            await asyncio.shield(asyncio.to_thread(self._locks.give, block))

    def close(self) -> None:
        """Close the databases; a second call does nothing."""
        super().close()
        self._locks.close()

    async def _try(self, block: str) -> bool:
        attempt = asyncio.ensure_future(asyncio.to_thread(self._locks.take, block))
        try:
            return await asyncio.shield(attempt)
        except asyncio.CancelledError:
            if await attempt:
                await asyncio.to_thread(self._locks.give, block)
            raise
