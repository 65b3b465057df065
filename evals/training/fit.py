"""Linear models over sparse signs, trained full-batch without chance: the same rows give the same bytes.

The gradient is accelerated as in Y. Nesterov, "A method for solving the convex programming problem with
convergence rate O(1/k^2)", 1983.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bag = dict[str, float]
"""The signs of one sentence with the share that each has in it."""


@dataclass(frozen=True)
class Table:
    """Bags as one sparse matrix: shape (rows, signs), as coordinates."""

    signs: list[str]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    shares: Floats
    count: int

    def times(self, weights: Floats) -> Floats:
        """The matrix times `weights` (signs, classes): shape (rows, classes)."""
        out = np.empty((self.count, weights.shape[1]))
        for each in range(weights.shape[1]):
            out[:, each] = np.bincount(self.rows, self.shares * weights[self.columns, each], self.count)
        return out

    def back(self, errors: Floats) -> Floats:
        """The transposed matrix times `errors` (rows, classes): shape (signs, classes)."""
        out = np.empty((len(self.signs), errors.shape[1]))
        for each in range(errors.shape[1]):
            out[:, each] = np.bincount(self.columns, self.shares * errors[self.rows, each], len(self.signs))
        return out


def scales(bags: Sequence[Bag], seldom: int, found: float) -> dict[str, float]:
    """The signs that at least `seldom` bags hold, sorted, each with how lightly it is held back.

    A rare word tells more than a common one (inverse document frequency); what the rules found has `found`.
    """
    counts = Counter(sign for each in bags for sign in each)
    return {
        sign: found if sign.startswith("*") else 0.25 * (1 + log((len(bags) + 1) / (counts[sign] + 1)))
        for sign in sorted(counts)
        if counts[sign] >= seldom
    }


def tabulate(bags: Sequence[Bag], scale: dict[str, float]) -> Table:
    """The bags over the signs of `scale`."""
    at = {sign: place for place, sign in enumerate(scale)}
    cells = [
        (row, at[sign], share * scale[sign])
        for row, each in enumerate(bags)
        for sign, share in sorted(each.items())
        if sign in at
    ]
    rows, columns, shares = zip(*cells, strict=True)
    return Table(list(scale), np.array(rows), np.array(columns), np.array(shares), len(bags))


def fit(table: Table, wanted: Floats, penalty: float, rounds: int) -> tuple[Floats, Floats]:
    """Weights (signs, classes) and bases (classes) of a logistic model, each class against the rest.

    Args:
        table: What was seen.
        wanted: 1.0 where a row is of a class, shape (rows, classes).
        penalty: How much weights are held back (L2); bases are not.
        rounds: Steps of the gradient.
    """
    step = 1 / (0.25 * (_stretch(table) + table.count) * 1.05 + penalty)
    weights = ahead = np.zeros((len(table.signs), wanted.shape[1]))
    bases = base_ahead = np.zeros(wanted.shape[1])
    pace = 1.0
    for _ in range(rounds):
        errors = 1 / (1 + np.exp(-(table.times(ahead) + base_ahead))) - wanted
        new = ahead - step * (table.back(errors) + penalty * ahead)
        new_bases = base_ahead - step * errors.sum(axis=0)
        faster = (1 + sqrt(1 + 4 * pace * pace)) / 2
        ahead = new + (pace - 1) / faster * (new - weights)
        base_ahead = new_bases + (pace - 1) / faster * (new_bases - bases)
        weights, bases, pace = new, new_bases, faster
    return weights, bases


def _stretch(table: Table) -> float:
    """The largest eigenvalue of the transposed matrix times the matrix, by the power method."""
    vector = np.ones((len(table.signs), 1))
    for _ in range(20):
        vector = table.back(table.times(vector / np.linalg.norm(vector)))
    return float(np.linalg.norm(vector))
