"""Trains a net of one or two hidden layers over the vectors of texts, from a seed: the same rows give the same bytes.

The optimiser is that of I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019, with a learning
rate that falls to zero, and with dropout (N. Srivastava and others, "Dropout", 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Example = TypeVar("Example")
Net = dict[str, Array]
"""The arrays by the names that `text.encoder` reads: weights `hidden` and biases `bases`, `hidden2` and `bases2` of a
second layer, and the output weights `answer`."""
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8
_BATCH = 64
"""Rows encoded at once. It is fixed because the last bits of a vector, and so the net, depend on the batch."""


@dataclass(frozen=True)
class Recipe:
    """Hyperparameters: the units of each hidden layer, the epochs (`rounds`), and the following.

    `start` is the initial variance of the weights times the number of inputs, for each layer and the output. `left_out`
    is the dropout rate of the units; inputs have half of it. Below 1.0, `sure` smooths the targets towards 0.5. If
    `standardised`, each input is scaled to a mean of 0 and a deviation of 1. `step` is the learning rate, reached after
    `warm_up` steps.
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


def encode_batches(rows: Sequence[Example], encode: Callable[[Sequence[Example]], Array]) -> Array:
    """Return the vectors of the rows in order, encoded in batches of a fixed size."""
    return np.concatenate([encode(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)])


def fit_net(inputs: Array, targets: Array, recipe: Recipe) -> Net:
    """Train a net that predicts whether a row is of a class, or of which classes.

    Args:
        inputs: The input vectors, of shape (rows, inputs).
        targets: 1.0 if a row is of the class, 0.0 if not, NaN if unknown; of shape (rows,) or (rows, classes).
        recipe: The hyperparameters.
    """
    mean, deviation = _moments(inputs, recipe)
    random = np.random.default_rng(recipe.seed)
    net = _initial(recipe, inputs.shape[1], targets.shape[1:], random)
    means, squares = ({name: np.zeros_like(part) for name, part in net.items()} for _ in range(2))
    batches = max(1, len(inputs) // recipe.batch)
    for step in range(1, recipe.rounds * batches + 1):
        if (step - 1) % batches == 0:
            order = random.permutation(len(inputs))
        rows = order[(step - 1) % batches * recipe.batch :][: recipe.batch]
        smoothed = targets[rows] * recipe.sure + (1 - recipe.sure) / 2
        gradients = _gradients((inputs[rows] - mean) / deviation, smoothed, net, recipe.left_out, random)
        rate = recipe.step * min(1.0, step / recipe.warm_up) * (1 - step / (recipe.rounds * batches + 1))
        for name, gradient in gradients.items():
            means[name] += (1 - _BETA1) * (gradient - means[name])
            squares[name] += (1 - _BETA2) * (gradient * gradient - squares[name])
            change = means[name] / (1 - _BETA1**step) / (np.sqrt(squares[name] / (1 - _BETA2**step)) + _EPSILON)
            net[name] -= (rate * (change + recipe.decay * net[name])).astype(np.float32)
    net["hidden"] /= deviation[:, None]  # folds the standardisation into the first layer
    net["bases"] -= mean @ net["hidden"]
    return net


def write_net(path: Path, net: Net, **names: Sequence[str]) -> None:
    """Write a net for `text.encoder`, in half precision; the same net gives the same bytes.

    Each list of `names` becomes a further array of UTF-8 bytes, one name per line.
    """
    halves = {name: part.astype(np.float16) for name, part in net.items()}
    packed = {name: np.frombuffer("\n".join(each).encode(), np.uint8) for name, each in names.items()}
    np.savez(path, allow_pickle=False, **halves, **packed)


def _moments(inputs: Array, recipe: Recipe) -> tuple[Array, Array]:
    """Return the mean and the standard deviation of each input, or 0 and 1 if the recipe does not standardise."""
    if not recipe.standardised:
        return np.zeros(inputs.shape[1], np.float32), np.ones(inputs.shape[1], np.float32)
    return inputs.mean(axis=0), inputs.std(axis=0) + np.float32(1e-3)


def _initial(recipe: Recipe, inputs: int, classes: tuple[int, ...], random: np.random.Generator) -> Net:
    """Return a net with random weights and biases of zero."""
    net: Net = {}
    sizes = (inputs, *recipe.units)
    shapes: list[tuple[int, ...]] = [*pairwise(sizes), (sizes[-1], *classes)]
    names = [*_layers(len(recipe.units)), ("answer", "")]
    for (weights, biases), shape, start in zip(names, shapes, recipe.start, strict=True):
        net[weights] = random.normal(size=shape, scale=np.sqrt(start / shape[0])).astype(np.float32)
        if biases:
            net[biases] = np.zeros(shape[1], np.float32)
    return net


def _layers(count: int) -> tuple[tuple[str, str], ...]:
    """Return the names of the weights and of the biases of each hidden layer."""
    return (("hidden", "bases"), ("hidden2", "bases2"))[:count]


def _gradients(inputs: Array, targets: Array, net: Net, dropout: float, random: np.random.Generator) -> Net:
    """Return the gradients of the logistic loss of a batch, by backpropagation."""
    layers = _layers(len(net) // 2)
    units, masks = [inputs * _dropout_mask(inputs.shape, dropout / 2, random)], list[Array]()
    for weights, biases in layers:
        activations = units[-1] @ net[weights] + net[biases]
        masks.append((activations > 0) * _dropout_mask(activations.shape, dropout, random))
        units.append(activations * masks[-1])
    logits = (units[-1] @ net["answer"]).clip(-60, 60)
    errors = np.nan_to_num(1 / (1 + np.exp(-logits)) - targets) / np.float32(len(inputs))
    gradients = {"answer": units[-1].T @ errors}
    back, above = errors.reshape(len(inputs), -1), net["answer"].reshape(units[-1].shape[1], -1)
    for (weights, biases), below, mask in zip(reversed(layers), units[-2::-1], reversed(masks), strict=True):
        back = (back @ above.T) * mask
        gradients |= {weights: below.T @ back, biases: back.sum(axis=0)}
        above = net[weights]
    return gradients


def _dropout_mask(shape: tuple[int, ...], rate: float, random: np.random.Generator) -> Array:
    """Return a mask with a share of `rate` zeros at random, and 1 / (1 - rate) elsewhere."""
    if not rate:
        return np.ones(shape, np.float32)
    kept = random.random(shape, np.float32) >= rate
    return kept.astype(np.float32) / np.float32(1 - rate)
