"""The layers of the sentence encoder, which compute features of each token and one vector per text.

The architecture is that of the multilingual Universal Sentence Encoder's small model (Y. Yang and others, 2019): token
embeddings and convolutions over two, three and five tokens, pooled and passed through a deep averaging network. It is
implemented here because the package with the weights returns only the vectors, and classifiers need token features too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
_ORDERS = ((2, 0), (3, 1), (5, 2))
"""Width of each convolution in tokens, and how many of these precede the current token."""
_BLANKS = 2
"""Rows of zeros between two texts, so that no convolution spans both."""
_TOKENS = 384
"""Most tokens of one batch of several texts, so that its arrays fit in the CPU cache."""


class Layers:
    """The weights of the encoder, read from the `.npz` file of its package."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            tables = [name for name in stored.files if name[0] == "q"]
            weights = self._weights = {name: stored[name] for name in stored.files if name not in tables}
            self._parts = len(tables)
            rows, dims = stored["q1"].shape
            self._table = np.empty((self._parts * rows, dims), np.uint8)
            for part in range(self._parts):  # the row of a token is in the part `id % parts`
                self._table[part :: self._parts] = stored[f"q{part + 1}"]
        self._epsilon = float(weights["eps"])
        self._first, self._first_bases, self._first_gains, self._first_shifts = (
            np.concatenate([weights[f"{name}{size}"] for size, _ in _ORDERS], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        )

    def pooled(self, texts: Sequence[Sequence[int]]) -> tuple[Singles, Singles, Singles]:
        """Return for the token ids of each text its unit vector, and the mean and maximum of each token feature.

        Shapes: (texts, 512), (texts, 1280), (texts, 1280).
        """
        vectors, means, highest = (
            np.concatenate(each) for each in zip(*(self._batch(batch) for batch in _batches(texts)), strict=True)
        )
        return vectors, means, highest

    def _batch(self, texts: Sequence[Sequence[int]]) -> tuple[Singles, Singles, Singles]:
        lengths = np.array([len(ids) for ids in texts])
        ends = np.cumsum(lengths + _BLANKS)
        real = np.concatenate([np.arange(length + _BLANKS) < length for length in lengths])
        features = self._features(np.concatenate([np.asarray(ids) for ids in texts]), real)
        starts = ends - lengths - _BLANKS
        sums: Singles = np.add.reduceat(features, starts)
        features[~real] = -np.inf
        highest: Singles = np.maximum.reduceat(features, starts)
        counts = lengths[:, None].astype(np.float32)
        return self._vectors(sums, counts), sums / counts, highest

    def _features(self, ids: NDArray[np.int64], real: NDArray[np.bool_]) -> Singles:
        """Return the features of each token, its embedding and the output of each convolution, shape (rows, 1280)."""
        weights, part, blank = self._weights, (ids % self._parts)[:, None], ~real
        tokens = np.zeros((len(real), self._table.shape[1]), np.float32)
        tokens[real] = self._table[ids] * weights["scale"][part] + weights["lo"][part]
        projected = tokens @ self._first + self._first_bases
        _normalise(projected, self._first_gains, self._first_shifts, self._epsilon)
        projected[blank] = 0
        outputs = [tokens]
        for (size, before), first in zip(_ORDERS, np.split(projected, len(_ORDERS), axis=1), strict=True):
            second = _convolved(first, weights[f"w1_{size}"], weights[f"b1_{size}"], before)
            second[blank] = 0
            outputs.append(_convolved(second, weights[f"w2_{size}"], weights[f"b2_{size}"], before))
        features: Singles = np.concatenate(outputs, axis=1)
        _normalise(features, weights["ln_g"], weights["ln_b"], self._epsilon)
        features[blank] = 0
        return features

    def _vectors(self, sums: Singles, counts: Singles) -> Singles:
        weights = self._weights
        mean = (sums @ weights["cnn_W"] + counts * weights["cnn_b"]) / np.sqrt(counts)
        first = np.maximum(mean @ weights["p1"] + np.maximum(mean @ weights["d0"], 0) @ weights["d1"], 0)
        last = np.tanh(first @ weights["p3"] + np.maximum(first @ weights["d2"], 0) @ weights["d3"])
        vectors: Singles = last / np.sqrt(np.maximum((last * last).sum(axis=1, keepdims=True), self._epsilon))
        return vectors


def _batches(texts: Sequence[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    batch: list[Sequence[int]] = []
    for ids in texts:
        if batch and sum(map(len, batch)) + len(ids) > _TOKENS:
            yield batch
            batch = []
        batch.append(ids)
    if batch:
        yield batch


def _normalise(values: Singles, gains: Singles, shifts: Singles, epsilon: float) -> None:
    """Apply layer normalisation to each row, in place."""
    values -= values.mean(axis=1, keepdims=True)
    variance = np.einsum("rd,rd->r", values, values) / values.shape[1]
    values /= np.sqrt(variance + np.float32(epsilon))[:, None]
    values *= gains
    values += shifts


def _convolved(values: Singles, weights: Singles, bases: Singles, before: int) -> Singles:
    """Return each row plus the convolution (with ReLU) of it and its neighbours, `before` of which precede it."""
    size = len(weights) // values.shape[1]
    padded = np.pad(values, ((before, size - 1 - before), (0, 0)))
    windows = np.concatenate([padded[start : start + len(values)] for start in range(size)], axis=1)
    outputs: Singles = windows @ weights
    outputs += bases
    np.maximum(outputs, 0, out=outputs)
    outputs += values
    return outputs
