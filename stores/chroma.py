"""A LangGraph store whose items live in a transactional database and whose vectors live in Chroma.

Items are the truth; vectors are an index that follows them and can be rebuilt. A put is one transaction on the items;
a search by meaning first makes the vectors that are missing for what it touches. So a search right after a put finds
it, a crash between the two loses nothing, and no vector without an item can surface.
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
from stores.background import searches
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
        items: Where items live; the store closes it.
        vectors: Where the index is; opened when a query first needs it, never by get, put or list.
        index: As LangGraph's other stores take it; `embed` may also be a `stores.embeddings.Embedder`, which is not
            loaded before a query needs it. None switches search by meaning off.
        ttl: As LangGraph's other stores take it.

    Raises:
        InvalidInputError: from operations whose value, key or filter can't be kept or understood.
        StorageError: when the disk, a database, the index or the embedder fails; what was acknowledged is kept.
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
        self._sweeper: threading.Thread | None = None
        self._stopping = threading.Event()

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
            path: The folder: `items.sqlite` and, once something was searched by meaning, `vectors/`.
            vectors: Where the index is, if not in the folder.
            index: What is searchable by meaning, and who embeds it; see the class.
            ttl: Defaults for times to live; with `sweep_interval_minutes`, expired items are swept in the background.
            clock: Gives the time of what is written and swept.
            cipher: Encrypts the items; vectors are kept as they are.

        Raises:
            StoreLockedError: when it is open elsewhere, this process included; the message names the owner.
            StorageError: when the folder can't be written or a database in it is damaged.
        """
        folder = Path(path)
        with ExitStack() as stack:
            stack.enter_context(folder_lock(folder, clock=clock))
            items = SqliteItems(folder / ITEMS_FILE, **items_options(index, ttl, clock, cipher))
            store = cls(items, vectors or EmbeddedVectors(folder / "vectors"), index=index, ttl=ttl)
            stack.callback(store.close)
            if ttl and ttl.get("sweep_interval_minutes"):
                store.start_ttl_sweeper()
            yield store

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run `ops`: reads first, against what was there before; then all writes, or none if one can't be kept.

        Of several puts of one key the last wins. Results are in the order of `ops`, one for each.
        """
        ops = list(ops)
        for op in ops:
            check_op(op)
        queries = self._query_vectors(ops)
        results: list[Result] = [None] * len(ops)
        for place, op in enumerate(ops):
            if not isinstance(op, PutOp):
                results[place] = self._read(op, queries)
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
        """Bring the whole index up to date, trying failed items again; return how many items got vectors."""
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
        """Return how many items have no vectors because the embedder refused them again and again."""
        return 0 if self._sync is None else self._items.given_up()

    def scrub(self) -> None:
        """Remove what is left of deleted items: their vectors, and the database's journal."""
        if self._sync is not None:
            self._sync.scrub()
        self._items.scrub()

    def sweep_ttl(self) -> int:
        """Delete items past their time to live; return how many."""
        return self._items.sweep()

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> None:
        """Sweep in the background every so many minutes (default: the store's `ttl`, else 5). Ends with `close`."""
        configured = (self.ttl_config or {}).get("sweep_interval_minutes")
        if self._sweeper is None:
            seconds = 60 * float(sweep_interval_minutes or configured or 5)
            self._stopping.clear()
            self._sweeper = threading.Thread(target=self._sweep, args=(seconds,), name="ttl-sweeper", daemon=True)
            self._sweeper.start()

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop sweeping; return True when the sweep that runs ended within `timeout` seconds."""
        self._stopping.set()
        if self._sweeper is not None:
            self._sweeper.join(timeout)
            if not self._sweeper.is_alive():
                self._sweeper = None
        return self._sweeper is None

    def close(self) -> None:
        """Close the databases; a second call does nothing."""
        self.stop_ttl_sweeper()
        if self._sync is not None:
            self._sync.close()
        self._items.close()

    def _sweep(self, seconds: float) -> None:
        while not self._stopping.wait(seconds):
            try:
                self.sweep_ttl()
            except Exception:
                _log.exception("sweeping expired items failed; it is tried again at the next interval")

    def _query_vectors(self, ops: Sequence[Op]) -> dict[str, Matrix]:
        if self._embedding is None:
            return {}
        texts = list(
            dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query and self._has_any(op))
        )
        if not texts:
            return {}
        try:
            with searches.ahead():
                vectors = self._embedding.call(texts)
        except Exception as error:
            raise StorageError(
                f"The embedder {self._embedding.name} failed on the query: {error}. Nothing is lost; "
                "search without a query still works."
            ) from error
        return dict(zip(texts, self._embedding.checked(vectors, len(texts)), strict=True))

    def _has_any(self, op: SearchOp) -> bool:
        """Return False when nothing can be found, so that a first search loads neither embedder nor index."""
        return bool(self._items.candidates(op, limit=1) or self._items.search(op._replace(limit=1, offset=0)))

    def _read(self, op: Op, queries: Mapping[str, Matrix]) -> Result:
        if isinstance(op, GetOp):
            return self._items.get(op)
        if isinstance(op, ListNamespacesOp):
            return self._items.namespaces(op)
        op = cast(SearchOp, op)
        query = queries.get(op.query or "")
        found = self._items.search(op) if query is None else self._search.search(op, query)
        if op.refresh_ttl:
            self._items.refresh(found)
        return list(found)


def items_options(
    index: IndexConfig | None, ttl: TTLConfig | None, clock: Clock, cipher: Cipher | None
) -> ItemsOptions:
    """Return the options of a store's items; without an index every change of a value counts as a new text."""
    texts = Embedding(index).texts if index else lambda value, fields: [str((value, fields))]
    return {"texts": texts, "omit_expired": bool((ttl or {}).get("omit_expired")), "clock": clock, "cipher": cipher}
