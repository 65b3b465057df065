"""A net of one hidden layer over the vectors of sentences, trained from a seed: the same rows give the same bytes.

The steps are those of D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2014, ever shorter to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
_STEP, _BATCH, _SEED = 1e-3, 256, 7
_MEAN, _SPREAD, _TINY = 0.9, 0.999, 1e-8


def fit_net(vectors: Singles, wanted: Singles, hidden: int, rounds: int) -> tuple[Singles, Singles, Singles]:
    """Return the weights of the hidden layer (dims, hidden), its bases (hidden), and the weights of its answer: of the
    shape (hidden) for one class, (hidden, classes) for several.

    Args:
        vectors: What was seen, shape (rows, dims), each of about length one.
        wanted: 1.0 where a row is of the class, else 0.0, NaN where that is not known; shape (rows) or (rows, classes).
        hidden: How many hidden units.
        rounds: How often every row is shown.
    """
    chance = np.random.default_rng(_SEED)
    weights = chance.normal(size=(vectors.shape[1], hidden), scale=3 * np.sqrt(2 / vectors.shape[1]))
    answer = chance.normal(size=(hidden, *wanted.shape[1:]), scale=np.sqrt(1 / hidden))
    parts = [weights.astype(np.float32), np.zeros(hidden, np.float32), answer.astype(np.float32)]
    means, spreads = ([np.zeros_like(part) for part in parts] for _ in range(2))
    batches = len(vectors) // _BATCH
    for step in range(1, rounds * batches + 1):
        if (step - 1) % batches == 0:
            order = chance.permutation(len(vectors))
        shown = order[(step - 1) % batches * _BATCH :][:_BATCH]
        pace = _STEP * (1 - step / (rounds * batches + 1)) * np.sqrt(1 - _SPREAD**step) / (1 - _MEAN**step)
        for part, slope, mean, spread in zip(
            parts, _slopes(vectors[shown], wanted[shown], parts), means, spreads, strict=True
        ):
            mean += (1 - _MEAN) * (slope - mean)
            spread += (1 - _SPREAD) * (slope * slope - spread)
            part -= (pace * mean / (np.sqrt(spread) + _TINY)).astype(np.float32)
    return parts[0], parts[1], parts[2]


def write_net(path: Path, net: tuple[Singles, Singles, Singles], **names: Sequence[str]) -> None:
    """Write what `fit_net` returned for `text.encoder`, in half precision; the same net gives the same bytes.

    Lists of `names` stand beside it as UTF-8, one a line.
    """
    hidden, bases, answer = (part.astype(np.float16) for part in net)
    packed = {name: np.frombuffer("\n".join(each).encode(), np.uint8) for name, each in names.items()}
    np.savez(path, allow_pickle=False, hidden=hidden, bases=bases, answer=answer, **packed)


def _slopes(vectors: Singles, wanted: Singles, parts: list[Singles]) -> list[Singles]:
    """Return how the loss of the rows changes with each part: that of a logistic model over the hidden units."""
    weights, bases, answer = parts
    excited = vectors @ weights + bases
    units = np.maximum(excited, 0)
    errors = np.nan_to_num(1 / (1 + np.exp(-(units @ answer))) - wanted) / len(vectors)
    passed = (errors @ answer.T if answer.ndim > 1 else np.outer(errors, answer)) * (excited > 0)
    return [vectors.T @ passed, passed.sum(axis=0), units.T @ errors]
