"""A net of two hidden layers over all that the encoder gives, trained from a seed: the same rows give the same bytes.

The steps are those of I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019, ever shorter to the
end. Units are left out by chance, so that none is relied on alone (N. Srivastava and others, "Dropout", 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.training.net import Singles
from text.encoder import pooled

Net = dict[str, Singles]
"""By the names that `text.encoder` reads: `hidden`, `bases`, `hidden2`, `bases2` and `answer`."""
_FIRST, _SECOND, _ROUNDS = 256, 64, 12
_STEP, _BATCH, _SEED, _WARM = 1e-3, 256, 7, 200
_MEAN, _SPREAD, _TINY, _DECAY = 0.9, 0.999, 1e-8, 0.05
_UNITS_OUT, _INPUTS_OUT = 0.4, 0.2
_SURE = 0.98
"""What the net is to reach for, so that it is never too sure."""
_TEXTS = 64
"""Texts encoded at once: the last bits of a vector depend on what is beside it, and the bytes of the net on them."""


def fit_deep(texts: Sequence[str], wanted: Singles) -> Net:
    """Return the net that learned which of `texts` are of a class: `wanted` is 1.0 for these, else 0.0."""
    seen = np.concatenate([pooled(texts[at : at + _TEXTS]) for at in range(0, len(texts), _TEXTS)])
    middle, spread = seen.mean(axis=0), seen.std(axis=0) + np.float32(1e-3)
    chance = np.random.default_rng(_SEED)
    net = _begun(seen.shape[1], chance)
    means, squares = ({name: np.zeros_like(part) for name, part in net.items()} for _ in range(2))
    batches = max(1, len(seen) // _BATCH)
    for step in range(1, _ROUNDS * batches + 1):
        if (step - 1) % batches == 0:
            order = chance.permutation(len(seen))
        rows = order[(step - 1) % batches * _BATCH :][:_BATCH]
        slopes = _slopes((seen[rows] - middle) / spread, wanted[rows] * _SURE + (1 - _SURE) / 2, net, chance)
        pace = _STEP * min(1.0, step / _WARM) * (1 - step / (_ROUNDS * batches + 1))
        for name, slope in slopes.items():
            means[name] += (1 - _MEAN) * (slope - means[name])
            squares[name] += (1 - _SPREAD) * (slope * slope - squares[name])
            change = means[name] / (1 - _MEAN**step) / (np.sqrt(squares[name] / (1 - _SPREAD**step)) + _TINY)
            net[name] -= (pace * (change + _DECAY * net[name])).astype(np.float32)
    net["hidden"] /= spread[:, None]  # what is seen is brought to one middle and spread by the weights from here on
    net["bases"] -= middle @ net["hidden"]
    return net


def write_deep(path: Path, net: Net) -> None:
    """Write a net for `text.encoder`, in half precision; the same net gives the same bytes."""
    halves = {name: part.astype(np.float16) for name, part in net.items()}
    np.savez(path, allow_pickle=False, **halves)


def _begun(inputs: int, chance: np.random.Generator) -> Net:
    def drawn(*shape: int) -> Singles:
        return chance.normal(size=shape, scale=np.sqrt(1 / (3 * shape[0]))).astype(np.float32)

    return {
        "hidden": drawn(inputs, _FIRST), "bases": np.zeros(_FIRST, np.float32),
        "hidden2": drawn(_FIRST, _SECOND), "bases2": np.zeros(_SECOND, np.float32), "answer": drawn(_SECOND),
    }  # fmt: skip


def _slopes(seen: Singles, wanted: Singles, net: Net, chance: np.random.Generator) -> Net:
    """Return how the loss of the rows changes with each part: that of a logistic model over the last units."""
    seen = seen * _kept(seen.shape, _INPUTS_OUT, chance)
    first, first_passes = _passed(seen @ net["hidden"] + net["bases"], chance)
    second, second_passes = _passed(first @ net["hidden2"] + net["bases2"], chance)
    errors = (1 / (1 + np.exp(-(second @ net["answer"]).clip(-60, 60))) - wanted) / np.float32(len(seen))
    back = np.outer(errors, net["answer"]) * second_passes
    further = (back @ net["hidden2"].T) * first_passes
    return {
        "hidden": seen.T @ further, "bases": further.sum(axis=0),
        "hidden2": first.T @ back, "bases2": back.sum(axis=0), "answer": second.T @ errors,
    }  # fmt: skip


def _passed(excited: Singles, chance: np.random.Generator) -> tuple[Singles, Singles]:
    """Return what units pass on, and the share of each: none of what is below zero or left out."""
    passes: Singles = (excited > 0) * _kept(excited.shape, _UNITS_OUT, chance)
    return excited * passes, passes


def _kept(shape: tuple[int, ...], left_out: float, chance: np.random.Generator) -> Singles:
    """Return a mask that leaves out a share by chance and lets the rest count for as much more."""
    kept = chance.random(shape, np.float32) >= left_out
    return kept.astype(np.float32) / np.float32(1 - left_out)
