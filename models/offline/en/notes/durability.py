"""A linear model of how much a sentence sounds like something lasting, and what it is about.

The weights of words, pairs of words and rule features are in `durability.npz`, with a model card beside it;
`python -m evals.training.durability` rebuilds them. What a sentence adds up to is a log-odds: 0 is even, 2 is about
seven to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.offline.en.notes.durability_features import ngrams, rule_features, topic_features
from models.offline.en.notes.judge_clause import Judged
from models.offline.en.wording import plain

WEIGHTS = Path(__file__).parents[1] / "words" / "durability.npz"
HUNDREDTHS, TENTHS = 100, 10
_LOWEST = -3.0
"""Log-odds below which no topic is spoken for."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """The learned weights: of each durability feature, and of each topic feature per topic."""

    durability: dict[str, float]
    topics: tuple[str, ...]
    rows: dict[str, int]
    by_topic: NDArray[np.float64]


def durability_score(sentence: str, judged: Sequence[Judged]) -> float:
    """Return the log-odds that `sentence` says something lasting; `judged` are its clauses as the rules see them."""
    known = _weights().durability
    values = _feature_values(sentence, rule_features(sentence, judged))
    return known[""] + sum(known[name] * value for name, value in values if name in known)


def predict_topic(sentence: str) -> str:
    """Return the topic that `sentence` most sounds like; `other` when it sounds like none."""
    weights = _weights()
    values = [
        (weights.rows[n], value)
        for n, value in _feature_values(sentence, topic_features(sentence))
        if n in weights.rows
    ]
    scores = sum((weights.by_topic[row] * value for row, value in values), weights.by_topic[weights.rows[""]])
    best = int(scores.argmax())
    return weights.topics[best] if scores[best] > _LOWEST else "other"


def _feature_values(sentence: str, found: frozenset[str]) -> list[tuple[str, float]]:
    """Return each feature of `sentence` with its value, sorted, so that the sum is the same to the last bit."""
    words = ngrams(plain(sentence))
    return sorted([(gram, 1 / sqrt(len(words))) for gram in words] + [(name, 1.0) for name in found])


@cache
def _weights() -> _Weights:
    with np.load(WEIGHTS) as stored:
        names, about = _unpacked(stored["durability_features"]), _unpacked(stored["topic_features"])
        durability = (stored["durability_weights"] / HUNDREDTHS).tolist()
        by_topic = stored["topic_weights"] / TENTHS
        topics = tuple(_unpacked(stored["topics"]))
    rows = {name: at for at, name in enumerate(about)}
    return _Weights(dict(zip(names, durability, strict=True)), topics, rows, by_topic)


def _unpacked(names: NDArray[Any]) -> list[str]:
    return names.tobytes().decode().split("\n")
