"""The one judge of what is lasting: a linear model of each language over the features of a sentence.

The weights lie in `words/en.npz` and `words/ja.npz`, their model card is `words/judge.md`; `python -m
evals.training.durability` rebuilds them. What a sentence adds up to is a log-odds: 0 is even, 2 about seven to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from models.offline.notes.judging.features import features, topics_in
from models.offline.notes.judging.forms import language_of
from models.offline.notes.tables import FOLDER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HUNDREDTHS, TENTHS = 100, 10
_LOWEST = -3.0
"""Log-odds below which no topic is spoken for."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """The learned weights: of each feature for lasting, and for each topic."""

    lasting: dict[str, float]
    topics: tuple[str, ...]
    rows: dict[str, int]
    by_topic: NDArray[np.float64]


@lru_cache(maxsize=2048)
def lasting(sentence: str) -> float:
    """Return the log-odds that `sentence` says something of its author that lasts."""
    known = _weights(language_of(sentence)).lasting
    return known[""] + sum(known[name] * value for name, value in features(sentence).items() if name in known)


@lru_cache(maxsize=2048)
def topic_of(sentence: str) -> str:
    """Return the topic that `sentence` most sounds like; `other` when it sounds like none."""
    named = topics_in(sentence)
    if language_of(sentence) == "ja" and named:
        return named[0]
    weights = _weights(language_of(sentence))
    known = [(weights.rows[name], value) for name, value in features(sentence).items() if name in weights.rows]
    scores = sum((weights.by_topic[row] * value for row, value in known), weights.by_topic[weights.rows[""]])
    best = int(scores.argmax())
    return weights.topics[best] if scores[best] > _LOWEST else next(iter(named), "other")


def topic_of_note(text: str, topic: str) -> str:
    """Return the topic of a note, read from its text where it was filed under none."""
    return topic if topic not in ("", "other") else topic_of(text)


@cache
def _weights(language: str) -> _Weights:
    import numpy as np

    with np.load(FOLDER / f"{language}.npz") as stored:
        names, about = _unpacked(stored["features"]), _unpacked(stored["topic_features"])
        known = (stored["weights"] / HUNDREDTHS).tolist()
        by_topic = stored["topic_weights"] / TENTHS
        topics = tuple(_unpacked(stored["topics"]))
    return _Weights(dict(zip(names, known, strict=True)), topics, {name: at for at, name in enumerate(about)}, by_topic)


def _unpacked(names: NDArray[Any]) -> list[str]:
    return names.tobytes().decode().split("\n")
