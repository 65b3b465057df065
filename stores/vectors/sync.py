"""Keep the vector index up to date: make missing vectors, remove stale ones, repair the index after a crash."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from config.errors import StorageError
from stores.background import Background, searches
from stores.items.base import Items
from stores.items.record import EmbeddingJob
from stores.vectors.backends import VectorBackend
from stores.vectors.embedding import Embedding, VectorCache
from stores.vectors.index import VectorIndex

if TYPE_CHECKING:
    from stores.vectors.embedding import Matrix

_ROUND = 2000
_MAX_FAILURES = 8
_MAX_HELD = 8 * 1024 * 1024
"""Most elements of unwritten vectors in memory: 32 MB of float32."""
_MAX_DISCARDED = 10_000
"""Most vectors of an index that `scrub` deletes to erase one text. Deleting takes 0.05 s, and the next search of one
user 0.2 s; making all vectors again takes 7 s, spread over the searches that need them."""
_BATCH = 24
_SETTLE_SECONDS = 0.5
_PAUSE_SECONDS = 0.02
_REST = 30
"""While there are searches, the writer pauses for this many times the duration of its last batch."""
log = logging.getLogger(__name__)


class VectorSync:
    """Keeps a vector index up to date with `items`. Thread-safe; opens the index when it is first needed.

    Chroma keeps the GIL during each write, which would block an event loop. New vectors are therefore held in memory,
    where searches find them, and a thread writes them in small batches, with long pauses while there are searches.
    Only written vectors count as indexed, so those that a crash loses are made again.

    Raises:
        StorageError: from every method, when the index or the items fail, or the embedder gives wrong vectors.
    """

    def __init__(self, items: Items, embedding: Embedding, backend: VectorBackend) -> None:
        self.embedding = embedding
        self.cache = VectorCache()
        self.held: Mapping[int, Matrix] = {}
        """Vectors that are not written yet, by `seq`; replaced as a whole, never mutated."""
        self._items = items
        self._backend = backend
        self._index: VectorIndex | None = None
        self._lock = threading.RLock()
        self._writer = Background(self._write_in_batches, settle=_SETTLE_SECONDS, name="vector-writer")

    @property
    def current(self) -> VectorIndex | None:
        """The index if it is open. Takes no lock, so it may be read within a snapshot of the items."""
        return self._index

    def index(self) -> VectorIndex:
        """Return the index; open and repair it first if needed."""
        with self._lock:
            if self._index is None:
                index = self._backend.open(self._items.store_id, self.embedding.identity)
                try:
                    self._repair(index)
                except BaseException:
                    index.close()
                    raise
                self._index = index
            return self._index

    def catch_up(self, prefix: Sequence[str] = ()) -> int:
        """Make the missing vectors of items under `prefix`; return how many items got vectors.

        If the embedder fails on an item's text, the item stays without vectors and its error is recorded. A call with
        no missing vectors takes no lock; any other waits for at most one batch of another call at a time.
        """
        if self._index is None:
            self.index()
        made = 0
        pending = [seq for seq in self._items.pending(prefix) if seq not in self.held]
        for start in range(0, len(pending), _BATCH):
            with self._lock:
                self.index()
                made += self._make([seq for seq in pending[start : start + _BATCH] if seq not in self.held])
            if start + _BATCH < len(pending):
                searches.give_way()
        self._writer.wake()
        return made

    def write(self) -> None:
        """Write all vectors that are held in memory, and remove the stale vectors of replaced or deleted items."""
        with self._lock:
            while self.held:
                self._write_some(_ROUND)
            while self._remove_stale(_ROUND):
                pass

    def remove_stale(self) -> None:
        """Remove the stale vectors of replaced or deleted items, in the background."""
        self._writer.wake()

    def scrub(self) -> None:
        """Erase deleted items from the index: delete a small index, whose vectors later searches make again.

        Chroma keeps the bytes of deleted vectors on disk; those of a larger index stay there until it is rebuilt.
        """
        if self._backend.is_own_folder and self._items.vector_total() <= _MAX_DISCARDED:
            self._discard()
        elif self._index is not None:
            self.remove_stale()

    def rebuild(self) -> int:
        """Delete the index, even if it is damaged, and make all vectors again; return how many items got vectors."""
        self._discard()
        made = self.catch_up()
        self.write()
        return made

    def close(self) -> None:
        """Write up to `_ROUND` items' vectors from memory and close the index; a second call does nothing."""
        self._writer.stop()
        with self._lock:
            try:
                if self._index is not None:
                    self._write_some(_ROUND)
                    self._remove_stale(_ROUND)
            except StorageError as error:
                log.warning(
                    "%d vectors were not written, they are made again when they are needed: %s", len(self.held), error
                )
            finally:
                self._close_index()

    def _discard(self) -> None:
        # A snapshot excludes searches, which run in one too. All code takes these two locks in this order.
        with self._lock, self._items.snapshot():
            self._close_index()
            self._items.forget_vectors()
            self._backend.discard(self._items.store_id)

    def _close_index(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
        self.held = {}
        self.cache.clear()

    def _make(self, seqs: Sequence[int]) -> int:
        made = self._vectors(self._items.embedding_jobs(seqs))
        self.held = {**self.held, **made}
        while len(self.held) * self.embedding.dims > _MAX_HELD:
            self._write_some(_BATCH)
        return len(made)

    def _write_in_batches(self, stopping: threading.Event) -> None:
        try:
            seen, begun = searches.begun, time.monotonic()
            while self._write_batch():
                rest = _REST * (time.monotonic() - begun) if searches.begun > seen else _PAUSE_SECONDS
                seen = searches.begun
                if stopping.wait(rest):
                    break
                searches.give_way()
                begun = time.monotonic()
        except StorageError as error:
            log.warning("vectors could not be written, it is tried again after the next search: %s", error)

    def _write_batch(self) -> bool:
        with self._lock:
            if self._index is None:
                return False
            return self._write_some(_BATCH) or self._remove_stale(_BATCH)

    def _write_some(self, limit: int) -> bool:
        part = dict(islice(self.held.items(), limit))
        if part:
            self.index().add(part)
            self.cache.put(part)
            self._items.mark_indexed({seq: len(rows) for seq, rows in part.items()})
            self.held = dict(islice(self.held.items(), limit, None))
        return bool(part)

    def _remove_stale(self, limit: int) -> bool:
        stale = self._items.stale(limit=limit)
        if stale:
            self.index().drop(stale)
            self.cache.forget(stale)
            self._items.mark_removed(stale)
        return bool(stale)

    def _repair(self, index: VectorIndex) -> None:
        if index.is_new:
            self._items.forget_vectors()
        self._items.reconcile()
        if index.count() == self._items.vector_total():
            return
        rows, counts = index.rows(), self._items.vector_counts()
        missing = [seq for seq, count in counts.items() if count is not None and len(rows.get(seq, ())) != count]
        orphans = [seq for seq in rows if seq not in counts]
        log.info(
            "vector index repaired: %d items to index again, %d vectors without an item", len(missing), len(orphans)
        )
        self._items.mark_missing(missing)
        index.delete([name for seq in (*missing, *orphans) for name in rows.get(seq, ())])

    def _vectors(self, jobs: Sequence[EmbeddingJob]) -> dict[int, Matrix]:
        made: dict[int, Matrix] = {}
        parts = [jobs]
        failures = 0
        while parts:
            part = parts.pop()
            try:
                made.update(self._embed(part))
            except StorageError as error:
                self._items.mark_failed([job.seq for job in part], str(error))
                raise
            except Exception as error:
                # Splits the batch, so that one text on which the embedder fails does not affect the others.
                failures += 1
                if len(part) > 1 and failures < _MAX_FAILURES:
                    parts += [part[: len(part) // 2], part[len(part) // 2 :]]
                    continue
                log.warning("the embedder failed on %d items, they stay without vectors: %s", len(part), error)
                self._items.mark_failed([job.seq for job in part], f"{type(error).__name__}: {error}")
        return made

    def _embed(self, jobs: Sequence[EmbeddingJob]) -> Mapping[int, Matrix]:
        texts = [self.embedding.texts(job.value, job.fields) for job in jobs]
        flat = [text for job_texts in texts for text in job_texts]
        rows = self.embedding.checked(self.embedding.call(flat) if flat else [], len(flat))
        made: dict[int, Matrix] = {}
        start = 0
        for job, job_texts in zip(jobs, texts, strict=True):
            part = rows[start : start + len(job_texts)]
            made[job.seq] = part[part.any(axis=1)]  # the cosine of a zero vector is not defined
            start += len(job_texts)
        return made
