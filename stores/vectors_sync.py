"""The index follows the items: makes what is missing, removes what is dead, repairs what a crash left."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from langgraph.store.base import PutOp

from graph.errors import StorageError
from stores.items import Items, Job
from stores.vectors import VectorHome, VectorIndex
from stores.vectors_cache import VectorCache
from stores.vectors_embedding import Embedding

if TYPE_CHECKING:
    from stores.vectors_embedding import Matrix

_JOBS = 2000
_MOST_ATTEMPTS = 3
_MOST_FAILURES = 8
log = logging.getLogger(__name__)


class VectorSync:
    """Keeps an index of vectors in step with `items`. Thread-safe; opens the index at first need.

    Raises:
        StorageError: from every method, when the index or the items fail, or the embedder gives wrong vectors.
    """

    def __init__(self, items: Items, embedding: Embedding, home: VectorHome) -> None:
        self.embedding = embedding
        self.cache = VectorCache()
        self._items = items
        self._home = home
        self._index: VectorIndex | None = None
        self._busy = threading.RLock()

    @property
    def current(self) -> VectorIndex | None:
        """The index if it is open. Asks for no lock, so it may be called where the items are held steady."""
        return self._index

    def index(self) -> VectorIndex:
        """The index, repaired when it is opened."""
        with self._busy:
            if self._index is None:
                index = self._home.open(self._items.store_id, self.embedding.identity)
                try:
                    self._repair(index)
                except BaseException:
                    index.close()
                    raise
                self._index = index
            return self._index

    def catch_up(self, prefix: Sequence[str] = (), *, most_attempts: int = _MOST_ATTEMPTS) -> int:
        """Make the vectors that items under `prefix` lack, and remove all dead ones; returns how many were made.

        An item whose text the embedder refuses stays without vectors, and the fault is recorded with it.
        """
        self.index()
        tried: set[int] = set()
        made_in_all = 0
        while True:
            # Others get their turn between two rounds.
            with self._busy:
                jobs = self._items.jobs(tuple(prefix), limit=_JOBS, most_attempts=most_attempts)
                jobs = [job for job in jobs if job.seq not in tried]
                if not jobs:
                    self.bury()
                    return made_in_all
                made_in_all += self._index_jobs(jobs)
                tried.update(job.seq for job in jobs)

    def try_embed(self, puts: Mapping[int, PutOp]) -> dict[int, Matrix]:
        """Vectors of values that are about to be written, by the keys of `puts`; none when the embedder fails.

        Raises:
            StorageError: when the embedder gives wrong vectors.
        """
        jobs = [Job(place, dict(op.value or {}), op.index or None) for place, op in puts.items()]
        try:
            return dict(self._embed(jobs)) if jobs else {}
        except StorageError:
            raise
        except Exception as error:
            log.warning("the embedder failed, %d items are kept without vectors for now: %s", len(jobs), error)
            return {}

    def bury(self) -> None:
        """Remove the vectors of writes that are no longer current."""
        with self._busy:
            index = self.index()
            while dead := self._items.dead(limit=_JOBS):
                index.drop(dead)
                self.cache.forget(dead)
                self._items.buried(dead)

    def rebuild(self) -> int:
        """Throw the index away, whatever state it is in, and make all vectors anew; returns for how many items."""
        # No search is under way while the items are held steady. Locks are taken in this order everywhere.
        with self._busy, self._items.steady():
            self.close()
            self._items.forget_vectors()
            self._home.discard(self._items.store_id)
        return self.catch_up()

    def close(self) -> None:
        """Let go of the index; a second call does nothing."""
        with self._busy:
            if self._index is not None:
                self._index.close()
                self._index = None
            self.cache.clear()

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
        self._items.lost(missing)
        index.delete([name for seq in (*missing, *strange) for name in held.get(seq, ())])

    def _index_jobs(self, jobs: Sequence[Job]) -> int:
        made = self._vectors(jobs)
        self.index().add(made)
        self.cache.put(made)
        self._items.indexed({seq: len(rows) for seq, rows in made.items()})
        return len(made)

    def _vectors(self, jobs: Sequence[Job]) -> dict[int, Matrix]:
        cached = self.cache.get(job.seq for job in jobs)
        made = dict(cached)
        parts = [[job for job in jobs if job.seq not in cached]]
        failures = 0
        while parts:
            part = parts.pop()
            try:
                made.update(self._embed(part))
            except StorageError as error:
                self._items.failed([job.seq for job in part], str(error))
                raise
            except Exception as error:
                # One text that the embedder refuses must not keep its neighbours from their vectors.
                failures += 1
                if len(part) > 1 and failures < _MOST_FAILURES:
                    parts += [part[: len(part) // 2], part[len(part) // 2 :]]
                    continue
                log.warning("the embedder failed on %d items, they stay without vectors: %s", len(part), error)
                self._items.failed([job.seq for job in part], f"{type(error).__name__}: {error}")
        return made

    def _embed(self, jobs: Sequence[Job]) -> Mapping[int, Matrix]:
        texts = [self.embedding.texts(job.value, job.fields) for job in jobs]
        flat = [text for each in texts for text in each]
        rows = self.embedding.checked(self.embedding.call(flat), len(flat)) if flat else None
        made: dict[int, Matrix] = {}
        start = 0
        for job, each in zip(jobs, texts, strict=True):
            made[job.seq] = self.embedding.none() if rows is None else drop_zeros(rows[start : start + len(each)])
            start += len(each)
        return made


def drop_zeros(rows: Matrix) -> Matrix:
    """`rows` without those that say nothing: the cosine of a zero vector is not defined."""
    kept: Matrix = rows[rows.any(axis=1)]
    return kept
