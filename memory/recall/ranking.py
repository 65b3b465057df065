"""Ranks documents by the words they hold, and fuses several rankings into one.

Words are ranked by BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the idf that
stays positive; rankings are fused by reciprocal rank after Cormack, Clarke and Buettcher (SIGIR 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memory.recall.layout import Layout, Shares
from memory.recall.meaning import Matrix
from memory.recall.tuning import Tuning

Rows: TypeAlias = NDArray[np.int64]
Allowed: TypeAlias = NDArray[np.bool_]


def bm25(occurrences: Matrix, weights: Sequence[float], layout: Layout, tuning: Tuning) -> Matrix:
    """Return the score of every document, each text read together with its neighbours.

    Args:
        occurrences: How often each term of the query occurs in each document alone: shape (terms, documents).
        weights: What each term counts for.
        layout: Gives lengths and neighbours.
        tuning: Window, k1 and b.

    Returns:
        Shape (documents,); 0 where neither the text nor its neighbours hold a term.
    """
    found = layout.spread(occurrences, tuning.window)
    lengths = layout.spread(layout.lengths, tuning.window)
    average = max(float(lengths.mean()), 1.0)
    holding = np.count_nonzero(found, axis=1)
    idf = np.log1p((len(layout) - holding + 0.5) / (holding + 0.5))
    damping = tuning.k1 * (1 - tuning.b + tuning.b * lengths / average)
    gains = found * (tuning.k1 + 1) / (found + damping)
    scores: Matrix = (np.asarray(weights) * idf) @ gains
    return scores


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of one list, best first, and what the list counts for."""

    name: str
    weight: float
    rows: Rows


def rank(scores: Matrix | Shares, allowed: Allowed, tie_order: Rows, depth: int) -> Rows:
    """Return the allowed rows with a score above 0, best first, at most `depth`; equal scores in `tie_order`."""
    rounded: Shares = np.asarray(np.round(scores, 5), dtype=np.float64)
    rows = np.flatnonzero(allowed & (rounded > 0))
    if len(rows) > depth:
        last = np.partition(rounded[rows], len(rows) - depth)[len(rows) - depth]
        rows = rows[rounded[rows] >= last]
    order: Rows = rows[np.lexsort((tie_order[rows], -rounded[rows]))][:depth]
    return order


def fuse(rankings: list[Ranking], rank_offset: float, count: int) -> Shares:
    """For each of `count` rows the share (0..1) of what a row gets that is first in every list."""
    total = np.zeros(count)
    for ranking in rankings:
        total[ranking.rows] += part(ranking, np.arange(1, len(ranking.rows) + 1), rankings, rank_offset)
    return total


def part(ranking: Ranking, ranks: Rows, rankings: list[Ranking], rank_offset: float) -> Shares:
    """Return what standing at `ranks` in `ranking` gives."""
    whole = sum(each.weight for each in rankings)
    return ranking.weight / whole * (rank_offset + 1) / (rank_offset + ranks.astype(np.float64))
