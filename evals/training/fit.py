"""Trains linear models over sparse features, full-batch and without randomness: the same rows give the same bytes.

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
"""The features of one sentence, each with its share of the sentence."""


@dataclass(frozen=True)
class Table:
    """Bags as one sparse matrix in coordinates, of shape (rows, features)."""

    features: list[str]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    shares: Floats
    count: int

    def times(self, weights: Floats) -> Floats:
        """Return the matrix times `weights` (features, classes), of shape (rows, classes)."""
        out = np.empty((self.count, weights.shape[1]))
        for each in range(weights.shape[1]):
            out[:, each] = np.bincount(self.rows, self.shares * weights[self.columns, each], self.count)
        return out

    def transposed_times(self, errors: Floats) -> Floats:
        """Return the transposed matrix times `errors` (rows, classes), of shape (features, classes)."""
        out = np.empty((len(self.features), errors.shape[1]))
        for each in range(errors.shape[1]):
            out[:, each] = np.bincount(self.columns, self.shares * errors[self.rows, each], len(self.features))
        return out


def scales(bags: Sequence[Bag], fewest: int, sign_scale: float) -> dict[str, float]:
    """Return the features of at least `fewest` bags, sorted, each with its scale; a high scale weakens the penalty.

    The scale of a word is its inverse document frequency; `sign_scale` is that of the signs of the rules (`*`).
    """
    counts = Counter(name for bag in bags for name in bag)
    return {
        name: sign_scale if name.startswith("*") else 0.25 * (1 + log((len(bags) + 1) / (counts[name] + 1)))
        for name in sorted(counts)
        if counts[name] >= fewest
    }


def tabulate(bags: Sequence[Bag], scale: dict[str, float]) -> Table:
    """Return the bags as a matrix over the features of `scale`."""
    at = {name: place for place, name in enumerate(scale)}
    cells = [
        (row, at[name], share * scale[name])
        for row, bag in enumerate(bags)
        for name, share in sorted(bag.items())
        if name in at
    ]
    rows, columns, shares = zip(*cells, strict=True)
    return Table(list(scale), np.array(rows), np.array(columns), np.array(shares), len(bags))


def fit(table: Table, targets: Floats, penalty: float, rounds: int) -> tuple[Floats, Floats]:
    """Return the weights (features, classes) and intercepts (classes) of a logistic model, each class against the rest.

    Args:
        table: The inputs.
        targets: 1.0 if a row is of a class, else 0.0, of shape (rows, classes).
        penalty: The L2 penalty of the weights; intercepts have none.
        rounds: The number of gradient steps.
    """
    step = 1 / (0.25 * (_largest_eigenvalue(table) + table.count) * 1.05 + penalty)
    weights = ahead = np.zeros((len(table.features), targets.shape[1]))
    intercepts = intercepts_ahead = np.zeros(targets.shape[1])
    momentum = 1.0
    for _ in range(rounds):
        errors = 1 / (1 + np.exp(-(table.times(ahead) + intercepts_ahead))) - targets
        new = ahead - step * (table.transposed_times(errors) + penalty * ahead)
        new_intercepts = intercepts_ahead - step * errors.sum(axis=0)
        next_momentum = (1 + sqrt(1 + 4 * momentum * momentum)) / 2
        ahead = new + (momentum - 1) / next_momentum * (new - weights)
        intercepts_ahead = new_intercepts + (momentum - 1) / next_momentum * (new_intercepts - intercepts)
        weights, intercepts, momentum = new, new_intercepts, next_momentum
    return weights, intercepts


def _largest_eigenvalue(table: Table) -> float:
    """Return the largest eigenvalue of the transposed matrix times the matrix, by the power method."""
    vector = np.ones((len(table.features), 1))
    for _ in range(20):
        vector = table.transposed_times(table.times(vector / np.linalg.norm(vector)))
    return float(np.linalg.norm(vector))
