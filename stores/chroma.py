"""A LangGraph store whose items live in a transactional database and whose vectors live in Chroma.

Items are the source of truth; vectors are an index that can be rebuilt from them. A put is one transaction on the
items; a semantic search first makes the missing vectors of the namespaces it searches. So a search right after a put
finds the item, a crash between the two loses nothing, and a vector without an item never becomes a result.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchOp,
    TTLConfig,
)

from config.errors import InvalidInputError, StorageError
from stores.background import Background, searches
from stores.encryption import Cipher
from stores.items.base import Items, ItemsOptions
from stores.items.form import check_op
from stores.items.sqlite import SqliteItems
from stores.locks import folder_lock
from stores.vectors.backends import EmbeddedVectors, VectorBackend
from stores.vectors.embedding import Embedding
from stores.vectors.search import VectorSearch
from stores.vectors.sync import VectorSync

if TYPE_CHECKING:
    from stores.vectors.embedding import Matrix

Clock = Callable[[], datetime]

ITEMS_FILE = "items.sqlite"

_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class ChromaStore(BaseStore):
    """`BaseStore` over a database of items and an index of vectors, safe for threads and tasks of one process.

    Args:
        items: The database of items; `close` closes it.
        vectors: The backend of the index; a query opens it when it first needs it, get, put and list never do.
        index: As in LangGraph's other stores; `embed` may also be a `stores.embeddings.Embedder`, which is not
            loaded before a query needs it. None turns semantic search off.
        ttl: As in LangGraph's other stores.

    Raises:
        InvalidInputError: if a value or key cannot be stored, or a filter is not supported.
        StorageError: when the disk, a database, the index or the embedder fails; acknowledged writes are safe.
    """

    supports_ttl = True

    def __init__(
        self,
        items: Items,
        vectors: VectorBackend | None = None,
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self.index_config = index
        self.ttl_config = ttl
        self._items = items
        self._embedding = Embedding(index) if index else None
        self._sync: VectorSync | None = None
        if self._embedding is not None:
            if vectors is None:
                raise InvalidInputError("A store with an index needs a place for its vectors.")
            self._sync = VectorSync(items, self._embedding, vectors)
            self._search = VectorSearch(items, self._sync)
        self._sweeper: Background | None = None

    @classmethod
    @contextmanager
    def from_path(
        cls,
        path: Path | str,
        *,
        vectors: VectorBackend | None = None,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        clock: Clock = utc_now,
        cipher: Cipher | None = None,
    ) -> Iterator[ChromaStore]:
        """Open the store in the folder `path`, creating it; one process at a time may have it open.

        Args:
            path: The folder of `items.sqlite` and, after the first semantic search, `vectors/`.
            vectors: The backend of the index, by default in the folder.
            index: The searchable fields and their embedder; see the class.
            ttl: Default times to live; `sweep_interval_minutes` makes a thread delete expired items.
            clock: Gives the current time for timestamps and for expiry.
            cipher: Encrypts the items; vectors are not encrypted.

        Raises:
            StoreLockedError: if another process, or this one, has the store open; the message names the owner.
            StorageError: when the folder can't be written or a database in it is damaged.
        """
        folder = Path(path)
        with ExitStack() as stack:
            stack.enter_context(folder_lock(folder, clock=clock))
            items = SqliteItems(folder / ITEMS_FILE, items_options(index, ttl, clock, cipher))
            store = cls(items, vectors or EmbeddedVectors(folder / "vectors"), index=index, ttl=ttl)
            stack.callback(store.close)
            if ttl and ttl.get("sweep_interval_minutes"):
                store.start_ttl_sweeper()
            yield store

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run all reads against the data as it was before; then all writes in one transaction.

        The last of several puts of one key wins. Return one result per op, in the order of `ops`.
        """
        ops = list(ops)
        for op in ops:
            check_op(op)
        queries = self._query_vectors(ops)
        results: list[Result] = [None] * len(ops)
        for position, op in enumerate(ops):
            if not isinstance(op, PutOp):
                results[position] = self._read(op, queries)
        last = {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}
        if last:
            self._items.put(list(last.values()))
            if any(op.value is None for op in last.values()) and self._sync is not None and self._sync.current:
                self._sync.remove_stale()
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run `batch` off the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def flush(self) -> int:
        """Bring the whole index up to date and retry failed items; return how many items got vectors."""
        if self._sync is None:
            return 0
        self._items.reconcile()
        made = self._sync.catch_up()
        self._sync.write()
        return made

    def reindex(self) -> int:
        """Rebuild all vectors from the items; return how many items got vectors."""
        return 0 if self._sync is None else self._sync.rebuild()

    def unindexed(self) -> int:
        """Return how many items have no vectors because the embedder failed on them too often."""
        return 0 if self._sync is None else self._items.failed()

    def scrub(self) -> None:
        """Erase the remains of deleted items: their vectors, and their text in the database's journal."""
        if self._sync is not None:
            self._sync.scrub()
        self._items.scrub()

    def sweep_ttl(self) -> int:
        """Delete expired items; return how many."""
        return self._items.sweep()

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> None:
        """Delete expired items in the background until `close`; the default interval is that of `ttl`, or 5 minutes."""
        if self._sweeper is None:
            minutes = sweep_interval_minutes or (self.ttl_config or {}).get("sweep_interval_minutes") or 5
            self._sweeper = Background(self._sweep, settle=60 * float(minutes), name="ttl-sweeper")
            self._sweeper.wake()

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop sweeping; return True if the sweeper thread ended within `timeout` seconds."""
        if self._sweeper is not None and self._sweeper.stop(timeout):
            self._sweeper = None
        return self._sweeper is None

    def close(self) -> None:
        """Close the databases; a second call does nothing."""
        self.stop_ttl_sweeper()
        if self._sync is not None:
            self._sync.close()
        self._items.close()

    def _sweep(self, _: threading.Event) -> None:
        try:
            self.sweep_ttl()
        except Exception:
            _log.exception("sweeping expired items failed; it is tried again at the next interval")
        if self._sweeper is not None:
            self._sweeper.wake()

    def _query_vectors(self, ops: Sequence[Op]) -> dict[str, Matrix]:
        if self._embedding is None:
            return {}
        texts = dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query and self._has_matches(op))
        if not texts:
            return {}
        try:
            with searches.ahead():
                vectors = self._embedding.call(list(texts))
        except Exception as error:
            raise StorageError(
                f"The embedder {self._embedding.name} failed on the query: {error}. Nothing is lost; "
                "search without a query still works."
            ) from error
        return dict(zip(texts, self._embedding.checked(vectors, len(texts)), strict=True))

    def _has_matches(self, op: SearchOp) -> bool:
        """Return False if no item matches `op`: such a search needs neither embedder nor index."""
        return bool(self._items.candidates(op, limit=1) or self._items.search(op._replace(limit=1, offset=0)))

    def _read(self, op: Op, queries: Mapping[str, Matrix]) -> Result:
        if isinstance(op, GetOp):
            return self._items.get(op)
        if isinstance(op, ListNamespacesOp):
            return self._items.namespaces(op)
        op = cast(SearchOp, op)
        query = queries.get(op.query or "")
        matches = self._items.search(op) if query is None else self._search.search(op, query)
        if op.refresh_ttl:
            self._items.refresh(matches)
        return list(matches)


def items_options(
    index: IndexConfig | None, ttl: TTLConfig | None, clock: Clock, cipher: Cipher | None
) -> ItemsOptions:
    """Return the options of `Items`; without an index, every change of a value counts as a change of its texts."""
    texts = Embedding(index).texts if index else lambda value, fields: [str((value, fields))]
    return ItemsOptions(clock, texts, bool((ttl or {}).get("omit_expired")), cipher)
