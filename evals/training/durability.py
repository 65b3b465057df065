"""Trains the weights that tell lasting statements from passing remarks: `python -m evals.training.durability`.

Writes `models/offline/en/words/durability.npz` from `durability.jsonl`. Prints rates on sentences that no weight was
trained on: cross-validated, and on the held-out rows. Deterministic; to be run again when the rules change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from evals.training.fit import Bag, Floats, bag, fit, scales, tabulate
from models.offline.en.notes.combine_verdicts import source_span
from models.offline.en.notes.durability import HUNDREDTHS, TENTHS, WEIGHTS
from models.offline.en.notes.durability_features import VERDICTS, ngrams, rule_features, topic_features
from models.offline.en.notes.statements import read_clauses
from models.offline.en.wording import clean, plain, table

_TEXTS = Path(__file__).parent / "durability.jsonl"
ORDINARY = frozenset({"question", "smalltalk", "trip_detail", "request"})
"""Kinds of passing remarks that every conversation is full of; the others are rarer and harder to tell."""
TOPICS = tuple(table("topics"))
_FOLDS = 5
_FEWEST_ROWS, _RULE_SCALE, _PENALTY, _ROUNDS = 2, 0.2, 0.1, 300
_TOPIC_PENALTY, _TOPIC_ROUNDS = 0.05, 200
_NEGLIGIBLE, _TOPIC_NEGLIGIBLE = 0.02, 0.7
_QUANTILES = (0.01, 0.015, 0.02, 0.03, 0.05)

Weights = dict[str, Floats]
"""Feature to weight per class; the empty name has the base per class."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence with its label: `about` is its topic when it is lasting, else the kind of remark.

    `for_rules` says that the rules were written for it, so that their verdict is no evidence on it.
    """

    text: str
    lasting: bool
    about: str
    for_rules: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A row with its features: its words, what the rules found, and its travel words."""

    row: Row
    words: frozenset[str]
    rules: frozenset[str]
    topics: frozenset[str]

    @property
    def durability_bag(self) -> Bag:
        """The features that say whether the sentence is lasting."""
        return bag(self.words, self.rules)

    @property
    def topic_bag(self) -> Bag:
        """The features that say what it is about."""
        return bag(self.words, self.topics)


def main() -> None:
    """Train on every training row, write the weights, and print the rates."""
    examples, held = ([example(row) for row in read(split)] for split in ("train", "held"))
    durability, topics = train_durability(examples), train_topics(examples)
    scores = _cross_validated(examples, train_durability, lambda one: one.durability_bag)[:, 0]
    fair = [one for one in examples if not one.row.for_rules]
    thresholds = _print_rates("cross-validated", fair, scores)
    _print_rates("held out", held, _scores([one.durability_bag for one in held], durability)[:, 0], thresholds)
    lasting, fair_lasting, held_lasting = ([one for one in part if one.row.lasting] for part in (examples, fair, held))
    _print_topics("cross-validated", fair_lasting, _cross_validated(lasting, train_topics, lambda one: one.topic_bag))
    _print_topics("held out", held_lasting, _scores([one.topic_bag for one in held_lasting], topics))
    write(WEIGHTS, durability, topics)
    print(hashlib.sha256(WEIGHTS.read_bytes()).hexdigest())


def read(split: str) -> list[Row]:
    """Return the rows of a split (`train` or `held`), ordered by the hash of their text."""
    records = [json.loads(line) for line in _TEXTS.read_text(encoding="utf-8").splitlines()]
    rows = [
        Row(record["text"], record["label"] == "lasting", record["about"], record["source"] == "rules")
        for record in records
        if record["split"] == split
    ]
    return sorted(rows, key=lambda row: hashlib.sha256(row.text.encode()).digest())


def example(row: Row) -> Example:
    """Return the features of the longest sentence of a row, which speaks for it."""
    source = clean(row.text)
    sentences = [list(group) for _, group in groupby(read_clauses(source), key=lambda item: item.clause.sentence)]
    judged = max(sentences, key=lambda group: len(source_span(group, source)))
    sentence = source_span(judged, source)
    words, rules = ngrams(plain(sentence)), rule_features(sentence, judged)
    if row.for_rules:
        return Example(row, words, frozenset(name for name in rules if not name.startswith(VERDICTS)), frozenset())
    return Example(row, words, rules, topic_features(sentence))


def train_durability(examples: Sequence[Example]) -> Weights:
    """Return the weights of one class: that a sentence is lasting."""
    wanted = np.array([[float(one.row.lasting)] for one in examples])
    return _trained([one.durability_bag for one in examples], wanted, _PENALTY, _ROUNDS)


def train_topics(examples: Sequence[Example]) -> Weights:
    """Return the weights of one class per topic, from the lasting sentences alone."""
    lasting = [one for one in examples if one.row.lasting]
    return _trained([one.topic_bag for one in lasting], _one_hot(lasting), _TOPIC_PENALTY, _TOPIC_ROUNDS)


def _trained(bags: Sequence[Bag], wanted: Floats, penalty: float, rounds: int) -> Weights:
    scale = scales(bags, _FEWEST_ROWS, _RULE_SCALE)
    fitted, bases = fit(tabulate(bags, scale), wanted, penalty, rounds)
    return {"": bases, **{name: fitted[at] * scale[name] for at, name in enumerate(scale)}}


def _one_hot(examples: Sequence[Example]) -> Floats:
    return np.array([[float(one.row.about == topic) for topic in TOPICS] for one in examples])


def write(path: Path, durability: Weights, topics: Weights) -> None:
    """Write the weights, rounded and without negligible ones, as an uncompressed `.npz` whose bytes they decide."""
    names = sorted(name for name, weight in durability.items() if not name or abs(weight[0]) >= _NEGLIGIBLE)
    about = sorted(name for name, weight in topics.items() if not name or np.abs(weight).max() >= _TOPIC_NEGLIGIBLE)
    strong = [np.where((np.abs(topics[name]) >= _TOPIC_NEGLIGIBLE) | (not name), topics[name], 0.0) for name in about]
    np.savez(
        path,
        allow_pickle=False,
        durability_features=_packed(names),
        durability_weights=np.array([round(float(durability[name][0]) * HUNDREDTHS) for name in names], np.int16),
        topics=_packed(TOPICS),
        topic_features=_packed(about),
        topic_weights=np.round(np.array(strong) * TENTHS).astype(np.int16),
    )


def _packed(names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def _scores(bags: Sequence[Bag], weights: Weights) -> Floats:
    sums = (
        sum((weights[name] * value for name, value in each.items() if name in weights), weights[""]) for each in bags
    )
    return np.array(list(sums))


def _cross_validated(
    examples: Sequence[Example], train: Callable[[Sequence[Example]], Weights], features: Callable[[Example], Bag]
) -> Floats:
    """Return scores of each row by weights of the other folds; rows that the rules were written for only train."""
    measured = [one for one in examples if not one.row.for_rules]
    beside = [one for one in examples if one.row.for_rules]
    scores: dict[int, Floats] = {}
    for fold in range(_FOLDS):
        weights = train([*(one for at, one in enumerate(measured) if at % _FOLDS != fold), *beside])
        places = range(fold, len(measured), _FOLDS)
        scores |= zip(places, _scores([features(one) for one in measured[fold::_FOLDS]], weights), strict=True)
    return np.array([scores[at] for at in range(len(measured))])


def _print_topics(name: str, examples: Sequence[Example], scores: Floats) -> None:
    right = float((scores.argmax(axis=1) == _one_hot(examples).argmax(axis=1)).mean())
    print(f"topic, {name}: {right:.3f} as labelled, of {len(examples)}")


def _print_rates(
    name: str, examples: Sequence[Example], scores: Floats, thresholds: Sequence[float] = ()
) -> list[float]:
    lasting = np.array([one.row.lasting for one in examples])
    ordinary = np.array([one.row.about in ORDINARY and not one.row.lasting for one in examples])
    thresholds = list(thresholds) or [float(np.quantile(scores[ordinary], 1 - share)) for share in _QUANTILES]
    print(f"{name}, {len(examples)} rows")
    for threshold in thresholds:
        kept, false, passing = ((scores[part] > threshold).mean() for part in (lasting, ordinary, ~lasting))
        print(f"  above {threshold:5.2f}: kept {kept:.3f}, false {false:.3f} of ordinary, {passing:.3f} of all")
    return thresholds


if __name__ == "__main__":
    main()
