"""A net of one or two hidden layers over the vectors of texts, trained from a seed: the same rows give the same bytes.

The steps are those of I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019, ever shorter to the
end. Units are left out by chance, so that none is relied on alone (N. Srivastava and others, "Dropout", 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
Shown = TypeVar("Shown")
Net = dict[str, Singles]
"""By the names that `text.encoder` reads: `hidden` and `bases`, `hidden2` and `bases2` of a second layer, `answer`."""
_MEAN, _SPREAD, _TINY = 0.9, 0.999, 1e-8
_AT_ONCE = 64
"""Rows encoded at once: the last bits of a vector depend on what is beside it, and the bytes of the net on them."""


@dataclass(frozen=True)
class Recipe:
    """How a net is trained: the units of each hidden layer, and how often every row is shown.

    The weights of each layer and of the answer begin with a variance of `start`, shared among what they see. Of the
    units `left_out` is the share left out, of the inputs half of that; `sure` is what the net is to reach for, so that
    it is never too sure. Where `standardised`, each input is brought to a mean of 0 and a deviation of 1.
    """

    units: tuple[int, ...]
    rounds: int
    start: tuple[float, ...]
    left_out: float = 0.0
    sure: float = 1.0
    standardised: bool = False
    warm_up: int = 1
    decay: float = 0.0
    step: float = 1e-3
    batch: int = 256
    seed: int = 7


def seen_in(rows: Sequence[Shown], encode: Callable[[Sequence[Shown]], Singles]) -> Singles:
    """Return what `encode` gives for each row, a few at once, in order."""
    return np.concatenate([encode(rows[at : at + _AT_ONCE]) for at in range(0, len(rows), _AT_ONCE)])


def fit_net(seen: Singles, wanted: Singles, recipe: Recipe) -> Net:
    """Return the net that learned which rows are of a class, or of which classes.

    Args:
        seen: What was seen, shape (rows, inputs).
        wanted: 1.0 where a row is of the class, else 0.0, NaN where that is not known; shape (rows) or (rows, classes).
        recipe: How the net is trained.
    """
    mean, deviation = _moments(seen, recipe)
    chance = np.random.default_rng(recipe.seed)
    net = _begun(recipe, seen.shape[1], wanted.shape[1:], chance)
    means, squares = ({name: np.zeros_like(part) for name, part in net.items()} for _ in range(2))
    batches = max(1, len(seen) // recipe.batch)
    for step in range(1, recipe.rounds * batches + 1):
        if (step - 1) % batches == 0:
            order = chance.permutation(len(seen))
        rows = order[(step - 1) % batches * recipe.batch :][: recipe.batch]
        aims = wanted[rows] * recipe.sure + (1 - recipe.sure) / 2
        slopes = _slopes((seen[rows] - mean) / deviation, aims, net, recipe.left_out, chance)
        pace = recipe.step * min(1.0, step / recipe.warm_up) * (1 - step / (recipe.rounds * batches + 1))
        for name, slope in slopes.items():
            means[name] += (1 - _MEAN) * (slope - means[name])
            squares[name] += (1 - _SPREAD) * (slope * slope - squares[name])
            change = means[name] / (1 - _MEAN**step) / (np.sqrt(squares[name] / (1 - _SPREAD**step)) + _TINY)
            net[name] -= (pace * (change + recipe.decay * net[name])).astype(np.float32)
    net["hidden"] /= deviation[:, None]  # from here on the weights standardise what is seen
    net["bases"] -= mean @ net["hidden"]
    return net


def write_net(path: Path, net: Net, **names: Sequence[str]) -> None:
    """Write a net for `text.encoder`, in half precision; the same net gives the same bytes.

    Lists of `names` stand beside it as UTF-8, one a line.
    """
    halves = {name: part.astype(np.float16) for name, part in net.items()}
    packed = {name: np.frombuffer("\n".join(each).encode(), np.uint8) for name, each in names.items()}
    np.savez(path, allow_pickle=False, **halves, **packed)


def _moments(seen: Singles, recipe: Recipe) -> tuple[Singles, Singles]:
    """Return what each input is standardised by: its mean, and its deviation, which is never quite zero."""
    if not recipe.standardised:
        return np.zeros(seen.shape[1], np.float32), np.ones(seen.shape[1], np.float32)
    return seen.mean(axis=0), seen.std(axis=0) + np.float32(1e-3)


def _begun(recipe: Recipe, inputs: int, classes: tuple[int, ...], chance: np.random.Generator) -> Net:
    """Return the net that the training begins with, by chance."""
    net: Net = {}
    sizes = (inputs, *recipe.units)
    shapes: list[tuple[int, ...]] = [*pairwise(sizes), (sizes[-1], *classes)]
    names = [*_layers(len(recipe.units)), ("answer", "")]
    for (weights, bases), shape, start in zip(names, shapes, recipe.start, strict=True):
        net[weights] = chance.normal(size=shape, scale=np.sqrt(start / shape[0])).astype(np.float32)
        net |= {bases: np.zeros(shape[1], np.float32)} if bases else {}
    return net


def _layers(count: int) -> tuple[tuple[str, str], ...]:
    """Return the names of the weights and of the bases of each hidden layer."""
    return (("hidden", "bases"), ("hidden2", "bases2"))[:count]


def _slopes(seen: Singles, aims: Singles, net: Net, left_out: float, chance: np.random.Generator) -> Net:
    """Return how the loss of the rows changes with each part: that of a logistic model over the last units."""
    layers = _layers(len(net) // 2)
    units, passes = [seen * _kept(seen.shape, left_out / 2, chance)], list[Singles]()
    for weights, bases in layers:
        excited = units[-1] @ net[weights] + net[bases]
        passes.append((excited > 0) * _kept(excited.shape, left_out, chance))
        units.append(excited * passes[-1])
    odds = (units[-1] @ net["answer"]).clip(-60, 60)
    errors = np.nan_to_num(1 / (1 + np.exp(-odds)) - aims) / np.float32(len(seen))
    slopes = {"answer": units[-1].T @ errors}
    back, above = errors.reshape(len(seen), -1), net["answer"].reshape(units[-1].shape[1], -1)
    for (weights, bases), below, passed in zip(reversed(layers), units[-2::-1], reversed(passes), strict=True):
        back = (back @ above.T) * passed
        slopes |= {weights: below.T @ back, bases: back.sum(axis=0)}
        above = net[weights]
    return slopes


def _kept(shape: tuple[int, ...], left_out: float, chance: np.random.Generator) -> Singles:
    """Return a mask that leaves out a share by chance and lets the rest count for as much more."""
    if not left_out:
        return np.ones(shape, np.float32)
    kept = chance.random(shape, np.float32) >= left_out
    return kept.astype(np.float32) / np.float32(1 - left_out)
