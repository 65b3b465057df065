"""Semantic search: compares all candidates, or uses Chroma's approximate search if there are very many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from langgraph.store.base import SearchItem, SearchOp

from stores.background import searches
from stores.items.base import Items
from stores.vectors.index import VectorIndex
from stores.vectors.sync import VectorSync

if TYPE_CHECKING:
    from stores.vectors.embedding import Matrix

Ranked = list[tuple[float, int]]
"""Cosine similarity and `seq`, best first."""

Candidates = Sequence[tuple[int, int | None]]
"""`seq` and how many vectors the index holds of it; None if they are not written yet."""

EXACT_LIMIT = 4000
"""Most candidates for an exact search, which compares every one."""
_FIRST_GUESS = 100
_LAST_GUESS = 3000


class VectorSearch:
    """Searches items by their vectors, which `sync` keeps up to date."""

    def __init__(self, items: Items, sync: VectorSync) -> None:
        self._items = items
        self._sync = sync

    def search(self, op: SearchOp, query: Matrix) -> list[SearchItem]:
        """Return one page of the items that match `op`, the most similar to `query` first.

        Items without vectors come last, latest update first, with score None. `query` has the norm 1, shape `(dims,)`.
        """
        while True:
            self._sync.catch_up(op.namespace_prefix)
            with searches.ahead(), self._items.snapshot():
                index, held = self._sync.current, self._sync.held
                if index is None:
                    continue
                wanted = self._items.candidates(op, limit=EXACT_LIMIT + 1)
                is_exact = len(wanted) <= EXACT_LIMIT
                # Approximate search covers only vectors that have been written to the index.
                if is_exact or not held:
                    exact = partial(self._exact, query, index, held)
                    ranked, absent = exact(wanted) if is_exact else self._approximate(op, query, index, exact)
                    if not absent:
                        return self._page(op, ranked, held)
                    # The index has lost vectors: the next round makes them again.
                    self._items.mark_missing(absent)
                    continue
            self._sync.write()

    def _page(self, op: SearchOp, ranked: Ranked, held: Mapping[int, Matrix]) -> list[SearchItem]:
        best = ranked[op.offset : op.offset + op.limit]
        items = self._items.select(op, [seq for _, seq in best])
        hits = []
        for score, seq in best:
            item = items[seq]
            item.score = score
            hits.append(item)
        if len(hits) < op.limit:
            skipped = max(0, op.offset - len(ranked))
            scored = {seq for seq, rows in held.items() if len(rows)}
            hits += self._items.without_vectors(op, limit=op.limit - len(hits), offset=skipped, exclude=scored)
        return hits

    def _exact(
        self, query: Matrix, index: VectorIndex, held: Mapping[int, Matrix], wanted: Candidates
    ) -> tuple[Ranked, list[int]]:
        """Rank all of `wanted`; return also the `seq` of those whose vectors are missing from the index."""
        import numpy as np

        rows = {seq: held[seq] for seq, count in wanted if count is None and len(held.get(seq, ()))}
        counts = {seq: count for seq, count in wanted if count is not None}
        rows |= self._sync.cache.get(counts)
        fetched = index.fetch({seq: count for seq, count in counts.items() if seq not in rows})
        self._sync.cache.put(fetched)
        rows |= fetched
        absent = [seq for seq in counts if seq not in rows]
        if not rows:
            return [], absent
        seqs = np.fromiter(rows, dtype=np.int64, count=len(rows))
        starts = np.cumsum([0, *(len(each) for each in rows.values())])[:-1]
        scores = np.maximum.reduceat(np.concatenate(list(rows.values())) @ query, starts)
        order = np.lexsort((-seqs, -scores))
        return [(float(scores[i]), int(seqs[i])) for i in order], absent

    def _approximate(
        self, op: SearchOp, query: Matrix, index: VectorIndex, exact: Callable[[Candidates], tuple[Ranked, list[int]]]
    ) -> tuple[Ranked, list[int]]:
        """Query for more and more of the nearest rows until enough match; else compare all candidates, in parts."""
        need = op.offset + op.limit
        total = index.count()
        guess = max(_FIRST_GUESS, 4 * need)
        while guess <= _LAST_GUESS:
            near = index.nearest(query, min(guess, total))
            matching = self._items.select(op, list(near))
            if len(matching) >= need:
                return _best_first((near[seq], seq) for seq in matching), []
            guess *= 4
        wanted = self._items.candidates(op, limit=sys.maxsize)
        parts = [exact(wanted[start : start + EXACT_LIMIT]) for start in range(0, len(wanted), EXACT_LIMIT)]
        return _best_first(chain(*(ranked for ranked, _ in parts))), [seq for _, absent in parts for seq in absent]


def _best_first(hits: Iterable[tuple[float, int]]) -> Ranked:
    return sorted(hits, key=lambda hit: (-hit[0], -hit[1]))
