"""A small trained judgement: how much a sentence sounds like something lasting, and what it is about.

Two tables of words and pairs of words with weights, written by `python -m evals.training.durability`. What a sentence
adds up to is a log-odds: 0 is even, 2 is about seven to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path

from models.offline.en.notes.durability_features import ngrams, rule_features, topic_features
from models.offline.en.notes.judge_clause import Judged
from models.offline.en.wording import plain

LASTING = Path(__file__).parents[1] / "words" / "leaning.txt"
"""A sign and its weight a line, tab between; `*` begins what the rules found, the line without a sign is the base,
and `##` begins a remark."""
SUBJECTS = Path(__file__).parents[1] / "words" / "subjects.txt"
"""The same, with weights for topics: `topic:weight topic:weight`."""


_UNHEARD = -3.0
"""Log-odds below which no topic is spoken for."""


def durability_score(sentence: str, judged: Sequence[Judged]) -> float:
    """Log-odds that `sentence` says something lasting of the user; `judged` are its clauses as the rules see them."""
    weights = _table(LASTING)
    shares = _shares(sentence, rule_features(sentence, judged))
    return float(weights[""]) + sum(float(weights[sign]) * share for sign, share in shares if sign in weights)


def predict_topic(sentence: str) -> str:
    """The topic that `sentence` most sounds like; `other` when it sounds like none."""
    weights = _table(SUBJECTS)
    scores = _by_topic(weights[""])
    for sign, share in _shares(sentence, topic_features(sentence)):
        for topic, weight in _by_topic(weights.get(sign, "")).items():
            scores[topic] += weight * share
    best = max(scores, key=lambda topic: scores[topic])
    return best if scores[best] > _UNHEARD else "other"


def _shares(sentence: str, found: frozenset[str]) -> list[tuple[str, float]]:
    """Each sign of `sentence` with its share, sorted, so that the sum is the same to the last bit."""
    said = ngrams(plain(sentence))
    return sorted([(gram, 1 / sqrt(len(said))) for gram in said] + [(sign, 1.0) for sign in found])


def _by_topic(pairs: str) -> dict[str, float]:
    weights = dict(pair.split(":") for pair in pairs.split())
    return {topic: float(weight) for topic, weight in weights.items()}


@cache
def _table(path: Path) -> dict[str, str]:
    """Each sign of a table with its weights as written: most are never read, and reading numbers takes its time."""
    rows = path.read_text(encoding="utf-8").splitlines()
    return dict(row.split("\t") for row in rows if not row.startswith("##"))
