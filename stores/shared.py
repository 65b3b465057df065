"""A store that several processes can use at once, with its items in PostgreSQL."""

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
_MAX_PAUSE = 0.05
_INDEX = "index"


class SharedStore(ChromaStore):
    """`ChromaStore` over PostgreSQL. Close it with `close`.

    Args:
        url: The database's URL, as for `stores.postgres.database.Postgres`.
        vectors_are_shared: False if only this process can reach `vectors`; then no other may have the store open.
        vectors, index, ttl, clock, cipher: See `ChromaStore.from_path`; they must be the same in all processes.

    Raises:
        StoreLockedError: if another process has the store open, and this one or the other does not share its vectors.
        StorageError: when the database does not answer.
        SettingsError: if the URL is malformed.
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
            items = PostgresItems(database, items_options(index, ttl, clock, cipher))
            self._locks = PostgresLocks(database, items.store_id)
            undo.callback(self._locks.close)
            if not (self._locks.try_shared(_INDEX) if vectors_are_shared else self._locks.try_acquire(_INDEX)):
                raise StoreLockedError(
                    f"The store {database.address} is open in another process, and one of the two keeps its vectors "
                    "for itself. Set CONCIERGE_CHROMA_URL for both, so that they share them, or close the other."
                )
            super().__init__(items, vectors, index=index, ttl=ttl)
            undo.pop_all()

    @asynccontextmanager
    async def exclusive_lock(self, name: str, /) -> AsyncIterator[None]:
        """Run the block while no other task or process runs one of the same name; wait without a timeout.

        The locks of a process are released when it ends, even if it crashes.

        Raises:
            StorageError: when the database fails.
        """
        pause, block = _FIRST_PAUSE, f"block/{name}"
        # Polls, because waiting in the database would occupy a thread that the holder of the lock may need.
        while not await self._try(block):
            await asyncio.sleep(pause)
            pause = min(2 * pause, _MAX_PAUSE)
        try:
            yield
        finally:
            await asyncio.shield(asyncio.to_thread(self._locks.release, block))

    def close(self) -> None:
        """Close the databases; a second call does nothing."""
        super().close()
        self._locks.close()

    async def _try(self, block: str) -> bool:
        attempt = asyncio.ensure_future(asyncio.to_thread(self._locks.try_acquire, block))
        try:
            return await asyncio.shield(attempt)
        except asyncio.CancelledError:
            if await attempt:
                await asyncio.to_thread(self._locks.release, block)
            raise
