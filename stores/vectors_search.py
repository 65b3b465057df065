"""Search by meaning: exact over the candidates that the items name, approximate when there are very many."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from langgraph.store.base import SearchItem, SearchOp

from stores.items import Items
from stores.vectors import VectorIndex
from stores.vectors_sync import VectorSync

if TYPE_CHECKING:
    from stores.vectors_embedding import Matrix

Ranked = list[tuple[float, int]]
"""Cosine similarity and `seq`, best first."""

EXACT_LIMIT = 4000
"""Candidates up to which every one is compared."""
_FIRST_GUESS = 100
_LAST_GUESS = 3000


class VectorSearch:
    """Search over items and their vectors, which `sync` keeps in step."""

    def __init__(self, items: Items, sync: VectorSync) -> None:
        self._items = items
        self._sync = sync

    def search(self, op: SearchOp, query: Matrix) -> list[SearchItem]:
        """The page of `op`, best first, then items without vectors with score None, latest update first.

        Every result is a current item that passes the filter; `query` is a unit vector of shape `(dims,)`.
        """
        while True:
            self._sync.catch_up(op.namespace_prefix)
            with self._items.steady():
                index = self._sync.current
                if index is None:
                    continue
                wanted = self._items.candidates(op, limit=EXACT_LIMIT + 1)
                if len(wanted) > EXACT_LIMIT:
                    ranked, absent = self._approximate(index, op, query)
                else:
                    ranked, absent = self._exact(index, wanted, query)
                if not absent:
                    return self._page(op, ranked)
            # The index lost vectors that it should hold: they are made again, and then they are there.
            self._items.lost(absent)

    def _page(self, op: SearchOp, ranked: Ranked) -> list[SearchItem]:
        best = ranked[op.offset : op.offset + op.limit]
        found = self._items.pick(op, [seq for _, seq in best])
        hits = []
        for score, seq in best:
            item = found[seq]
            item.score = score
            hits.append(item)
        if len(hits) < op.limit:
            skipped = max(0, op.offset - len(ranked))
            hits += self._items.without_vectors(op, limit=op.limit - len(hits), offset=skipped)
        return hits

    def _exact(self, index: VectorIndex, wanted: Sequence[tuple[int, int]], query: Matrix) -> tuple[Ranked, list[int]]:
        import numpy as np

        counts = dict(wanted)
        rows = self._sync.cache.get(counts)
        fresh = index.fetch({seq: count for seq, count in counts.items() if seq not in rows})
        self._sync.cache.put(fresh)
        rows |= fresh
        absent = [seq for seq in counts if seq not in rows]
        if not rows:
            return [], absent
        seqs = np.fromiter(rows, dtype=np.int64, count=len(rows))
        starts = np.cumsum([0, *(len(each) for each in rows.values())])[:-1]
        scores = np.maximum.reduceat(np.concatenate(list(rows.values())) @ query, starts)
        order = np.lexsort((-seqs, -scores))
        return [(float(scores[place]), int(seqs[place])) for place in order], absent

    def _approximate(self, index: VectorIndex, op: SearchOp, query: Matrix) -> tuple[Ranked, list[int]]:
        """Widening looks at the nearest rows until enough of them pass; else everything is compared after all."""
        need = op.offset + op.limit
        total = index.count()
        guess = max(_FIRST_GUESS, 4 * need)
        while guess <= _LAST_GUESS:
            near = index.nearest(query, min(guess, total))
            passing = self._items.pick(op, list(near))
            if len(passing) >= need:
                return sorted(((near[seq], seq) for seq in passing), key=lambda hit: (-hit[0], -hit[1])), []
            guess *= 4
        return self._exact_in_parts(index, op, query)

    def _exact_in_parts(self, index: VectorIndex, op: SearchOp, query: Matrix) -> tuple[Ranked, list[int]]:
        wanted = self._items.candidates(op, limit=sys.maxsize)
        ranked: Ranked = []
        absent: list[int] = []
        for start in range(0, len(wanted), EXACT_LIMIT):
            part, lost = self._exact(index, wanted[start : start + EXACT_LIMIT], query)
            ranked += part
            absent += lost
        return sorted(ranked, key=lambda hit: (-hit[0], -hit[1])), absent
