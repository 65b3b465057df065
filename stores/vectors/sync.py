"""Keep the vector index in step with the items: make what is missing, remove what is stale, repair after a crash."""

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
_MOST_FAILURES = 8
_MOST_HELD = 8 * 1024 * 1024
"""Numbers of vectors held in memory: 32 MB."""
_MOST_MADE_ANEW = 10_000
"""Vectors of an index that is thrown away for one deleted text. That takes 0.05 s and the next search of one user
0.2 s; making all of them again takes 7 s, spread over the searches that need them."""
_BATCH = 24
_SETTLE_SECONDS = 0.5
_PAUSE_SECONDS = 0.02
_REST = 30
"""How many times as long as a batch took the writer rests while others search."""
log = logging.getLogger(__name__)


class VectorSync:
    """Keeps an index of vectors in step with `items`. Thread-safe; opens the index at first need.

    Chroma holds the interpreter for the whole of each write, and so would hold up an event loop. New vectors are
    therefore held in memory, where searches find them, and a thread writes small batches, seldom while others search.
    What a crash takes from memory is made again: only what is written counts as indexed.

    Raises:
        StorageError: from every method, when the index or the items fail, or the embedder gives wrong vectors.
    """

    def __init__(self, items: Items, embedding: Embedding, backend: VectorBackend) -> None:
        self.embedding = embedding
        self.cache = VectorCache()
        self.held: Mapping[int, Matrix] = {}
        """Vectors that are not written yet; replaced by each change, never changed."""
        self._items = items
        self._backend = backend
        self._index: VectorIndex | None = None
        self._busy = threading.RLock()
        self._writer = Background(self._write_in_batches, settle=_SETTLE_SECONDS, name="vector-writer")

    @property
    def current(self) -> VectorIndex | None:
        """The index if it is open. Asks for no lock, so it may be called where the items are held steady."""
        return self._index

    def index(self) -> VectorIndex:
        """Return the index, repaired when it is opened."""
        with self._busy:
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
        """Make the vectors that items under `prefix` lack; return for how many items.

        An item whose text the embedder refuses stays without vectors, and the fault is recorded with it. A search
        that lacks nothing waits for nobody, and one that does waits for a batch of another's backlog at most.
        """
        if self._index is None:
            self.index()
        made = 0
        todo = [seq for seq in self._items.pending(prefix) if seq not in self.held]
        for start in range(0, len(todo), _BATCH):
            with self._busy:
                self.index()
                made += self._make([seq for seq in todo[start : start + _BATCH] if seq not in self.held])
            if start + _BATCH < len(todo):
                searches.give_way()
        self._writer.wake()
        return made

    def write(self) -> None:
        """Write all vectors that are held in memory, and remove those of writes that are no longer current."""
        with self._busy:
            while self.held:
                self._write_some(_ROUND)
            while self._remove_stale(_ROUND):
                pass

    def remove_stale(self) -> None:
        """Remove the vectors of writes that are no longer current, soon and in the background."""
        self._writer.wake()

    def scrub(self) -> None:
        """Remove deleted items from the index: a small one is deleted, and made anew as it is searched.

        Chroma keeps the bytes of what it deletes; those in a larger index stay until it is rebuilt.
        """
        if self._backend.is_own_folder and self._items.vector_total() <= _MOST_MADE_ANEW:
            self._discard()
        elif self._index is not None:
            self.remove_stale()

    def rebuild(self) -> int:
        """Delete the index, whatever state it is in, and make all vectors anew; return for how many items."""
        self._discard()
        made = self.catch_up()
        self.write()
        return made

    def close(self) -> None:
        """Write what is held, as far as a second allows, and close the index; a second call does nothing."""
        self._writer.stop()
        with self._busy:
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
        # No search is under way while the items are held steady. Locks are taken in this order everywhere.
        with self._busy, self._items.snapshot():
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
        while len(self.held) * self.embedding.dims > _MOST_HELD:
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
        with self._busy:
            if self._index is None:
                return False
            return self._write_some(_BATCH) or self._remove_stale(_BATCH)

    def _write_some(self, most: int) -> bool:
        part = dict(islice(self.held.items(), most))
        if part:
            self.index().add(part)
            self.cache.put(part)
            self._items.mark_indexed({seq: len(rows) for seq, rows in part.items()})
            self.held = dict(islice(self.held.items(), most, None))
        return bool(part)

    def _remove_stale(self, most: int) -> bool:
        stale = self._items.stale(limit=most)
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
        held, wanted = index.rows(), self._items.vector_counts()
        missing = [seq for seq, count in wanted.items() if count is not None and len(held.get(seq, ())) != count]
        strange = [seq for seq in held if seq not in wanted]
        log.info(
            "vector index repaired: %d items to index again, %d vectors without an item", len(missing), len(strange)
        )
        self._items.mark_missing(missing)
        index.delete([name for seq in (*missing, *strange) for name in held.get(seq, ())])

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
                # One text that the embedder refuses must not keep its neighbours from their vectors.
                failures += 1
                if len(part) > 1 and failures < _MOST_FAILURES:
                    parts += [part[: len(part) // 2], part[len(part) // 2 :]]
                    continue
                log.warning("the embedder failed on %d items, they stay without vectors: %s", len(part), error)
                self._items.mark_failed([job.seq for job in part], f"{type(error).__name__}: {error}")
        return made

    def _embed(self, jobs: Sequence[EmbeddingJob]) -> Mapping[int, Matrix]:
        texts = [self.embedding.texts(job.value, job.fields) for job in jobs]
        flat = [text for each in texts for text in each]
        rows = self.embedding.checked(self.embedding.call(flat) if flat else [], len(flat))
        made: dict[int, Matrix] = {}
        start = 0
        for job, each in zip(jobs, texts, strict=True):
            part = rows[start : start + len(each)]
            made[job.seq] = part[part.any(axis=1)]  # the cosine of a zero vector is not defined
            start += len(each)
        return made
