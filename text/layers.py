"""The layers of the sentence encoder: from the tokens of texts to features of each token, and to one vector a text.

The architecture is that of the multilingual Universal Sentence Encoder's small model (Y. Yang and others, 2019):
convolutions over two, three and five tokens beside the tokens themselves, pooled and passed through a deep averaging
network. The package that carries the weights gives the vectors only; judges need what stands in single tokens too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
_ORDERS = ((2, 0), (3, 1), (5, 2))
"""How many tokens a convolution sees at once, and how many of them before its own."""
_BLANKS = 2
"""Rows of zeros between two texts, as many as a convolution looks ahead or back."""
_TOKENS = 384
"""Tokens of one batch, so that its arrays stay in the processor's cache."""


class Layers:
    """The weights of the encoder, read from the `.npz` file of its package."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            tables = [name for name in stored.files if name[0] == "q"]
            known = self._known = {name: stored[name] for name in stored.files if name not in tables}
            self._parts = len(tables)
            rows, dims = stored["q1"].shape
            self._table = np.empty((self._parts * rows, dims), np.uint8)
            for part in range(self._parts):  # the rest of a token's id says in which part its row lies
                self._table[part :: self._parts] = stored[f"q{part + 1}"]
        self._least = float(known["eps"])
        self._first, self._first_bases, self._first_gains, self._first_shifts = (
            np.concatenate([known[f"{name}{size}"] for size, _ in _ORDERS], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        )

    def pooled(self, texts: Sequence[Sequence[int]]) -> tuple[Singles, Singles, Singles]:
        """Return for the token ids of each text its unit vector, and the mean and the highest value of each feature.

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
        """Return the features of each token: its embedding, and what each convolution makes of it (rows, 1280)."""
        known, part, blank = self._known, (ids % self._parts)[:, None], ~real
        tokens = np.zeros((len(real), self._table.shape[1]), np.float32)
        tokens[real] = self._table[ids] * known["scale"][part] + known["lo"][part]
        shaped = tokens @ self._first + self._first_bases
        _scale(shaped, self._first_gains, self._first_shifts, self._least)
        shaped[blank] = 0
        seen = [tokens]
        for (size, before), first in zip(_ORDERS, np.split(shaped, len(_ORDERS), axis=1), strict=True):
            second = _convolved(first, known[f"w1_{size}"], known[f"b1_{size}"], before)
            second[blank] = 0
            seen.append(_convolved(second, known[f"w2_{size}"], known[f"b2_{size}"], before))
        features: Singles = np.concatenate(seen, axis=1)
        _scale(features, known["ln_g"], known["ln_b"], self._least)
        features[blank] = 0
        return features

    def _vectors(self, sums: Singles, counts: Singles) -> Singles:
        known = self._known
        mean = (sums @ known["cnn_W"] + counts * known["cnn_b"]) / np.sqrt(counts)
        first = np.maximum(mean @ known["p1"] + np.maximum(mean @ known["d0"], 0) @ known["d1"], 0)
        last = np.tanh(first @ known["p3"] + np.maximum(first @ known["d2"], 0) @ known["d3"])
        vectors: Singles = last / np.sqrt(np.maximum((last * last).sum(axis=1, keepdims=True), self._least))
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


def _scale(values: Singles, gains: Singles, shifts: Singles, least: float) -> None:
    """Bring each row to the mean 0 and the spread 1, times the gains and plus the shifts (layer normalisation)."""
    values -= values.mean(axis=1, keepdims=True)
    spread = np.einsum("rd,rd->r", values, values) / values.shape[1]
    values /= np.sqrt(spread + np.float32(least))[:, None]
    values *= gains
    values += shifts


def _convolved(values: Singles, weights: Singles, bases: Singles, before: int) -> Singles:
    """Return each row plus what a convolution makes of it and its neighbours, of which `before` lie before it."""
    size = len(weights) // values.shape[1]
    padded = np.pad(values, ((before, size - 1 - before), (0, 0)))
    windows = np.concatenate([padded[at : at + len(values)] for at in range(size)], axis=1)
    found: Singles = windows @ weights
    found += bases
    np.maximum(found, 0, out=found)
    found += values
    return found
