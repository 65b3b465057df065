"""Several rankings made one by reciprocal rank (Cormack, Clarke and Buettcher, SIGIR 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from memory.recall.layout import Shares
from memory.recall.meaning import Matrix

Rows: TypeAlias = NDArray[np.int64]
Allowed: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of one list, best first, and what the list counts for."""

    name: str
    weight: float
    rows: Rows


def rank(scores: Matrix | Shares, allowed: Allowed, tie_order: Rows, depth: int) -> Rows:
    """The allowed rows with a score above 0, best first, at most `depth`; equal scores in `tie_order`."""
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
    """What standing at `ranks` in `ranking` gives."""
    whole = sum(each.weight for each in rankings)
    return ranking.weight / whole * (rank_offset + 1) / (rank_offset + ranks.astype(np.float64))
