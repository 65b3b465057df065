"""Trains what the offline concierge takes for lasting, and under which topic: `python -m evals.training.durability`.

Writes the tables of `models.offline.en.notes.durability` from `train.jsonl` and prints rates on sentences that no
table was trained on: cross-validated, and on `held.jsonl`. Deterministic; to be run again when the rules change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from evals.training.fit import Bag, Floats, bag, fit, scales, tabulate
from evals.training.rows import ORDINARY, Row, Seen, read, see, unaided
from memory.records.notes import TOPICS
from models.offline.en.notes.durability import LASTING, SUBJECTS

_FOLDS = 5
_SELDOM, _FOUND, _PENALTY, _ROUNDS = 2, 0.2, 0.1, 300
_TOPIC_FOUND, _TOPIC_PENALTY, _TOPIC_ROUNDS = 0.2, 0.05, 200
_NEGLIGIBLE, _FAINT = 0.02, 0.7
_QUANTILES = (0.01, 0.015, 0.02, 0.03, 0.05)

Weights = tuple[dict[str, Floats], Floats]
"""Sign to weight per class, and the base per class."""


def main() -> None:
    """Measure, train on every row, write the tables and measure once more on the held-out part."""
    seen, held = [see(row) for row in read("train")], [see(row) for row in read("held")]
    tuned = [unaided(see(row)) for row in read("tuned")]
    scores = _crossed(seen, tuned, _train_lasting)[:, 0]
    cuts = _print_rates("cross-validated", [each.row for each in seen], scores)
    weights = _train_lasting([*seen, *tuned])
    _print_rates("held out", [each.row for each in held], _scores(_lasting(held), weights)[:, 0], cuts)
    _write_lasting(LASTING, weights, [*seen, *tuned])
    _topics(*([each for each in part if each.row.keep] for part in (seen, tuned, held)))


def _topics(seen: list[Seen], tuned: list[Seen], held: list[Seen]) -> None:
    weights = _train_topics([*seen, *tuned])
    _write_subjects(SUBJECTS, weights, len(seen) + len(tuned))
    _print_right("cross-validated", seen, _crossed(seen, tuned, _train_topics, _subject))
    _print_right("held out", held, _scores(_subject(held), weights))


def _lasting(seen: Sequence[Seen]) -> list[Bag]:
    return [bag(each.words, each.rule_features) for each in seen]


def _subject(seen: Sequence[Seen]) -> list[Bag]:
    return [bag(each.words, each.topic_features) for each in seen]


def _one_of(seen: Sequence[Seen]) -> Floats:
    return np.array([[float(each.row.topic == topic) for topic in TOPICS] for each in seen])


def _train_lasting(seen: Sequence[Seen]) -> Weights:
    wanted = np.array([[float(each.row.keep)] for each in seen])
    return _trained(_lasting(seen), wanted, _FOUND, _PENALTY, _ROUNDS)


def _train_topics(seen: Sequence[Seen]) -> Weights:
    return _trained(_subject(seen), _one_of(seen), _TOPIC_FOUND, _TOPIC_PENALTY, _TOPIC_ROUNDS)


def _trained(bags: Sequence[Bag], wanted: Floats, found: float, penalty: float, rounds: int) -> Weights:
    scale = scales(bags, _SELDOM, found)
    weights, bases = fit(tabulate(bags, scale), wanted, penalty, rounds)
    return {sign: weights[at] * scale[sign] for at, sign in enumerate(scale)}, bases


def _scores(bags: Sequence[Bag], weights: Weights) -> Floats:
    known, bases = weights
    return np.array(
        [sum((known[sign] * share for sign, share in each.items() if sign in known), bases) for each in bags]
    )


def _crossed(
    seen: list[Seen],
    beside: list[Seen],
    train: Callable[[Sequence[Seen]], Weights],
    signs: Callable[[Sequence[Seen]], list[Bag]] = _lasting,
) -> Floats:
    """Scores of each row by weights that were trained on the other folds, and on the rows `beside`."""
    scores: dict[int, Floats] = {}
    for fold in range(_FOLDS):
        rest = [each for at, each in enumerate(seen) if at % _FOLDS != fold]
        weights = train([*rest, *beside])
        scores |= zip(range(fold, len(seen), _FOLDS), _scores(signs(seen[fold::_FOLDS]), weights), strict=True)
    return np.array([scores[at] for at in range(len(seen))])


def _print_right(name: str, seen: Sequence[Seen], scores: Floats) -> None:
    right = float((scores.argmax(axis=1) == _one_of(seen).argmax(axis=1)).mean())
    print(f"topic, {name}: {right:.3f} as labelled, of {len(seen)}")


def _print_rates(name: str, rows: Sequence[Row], scores: Floats, cuts: Sequence[float] = ()) -> list[float]:
    keep = np.array([row.keep for row in rows])
    ordinary = np.array([row.about in ORDINARY and not row.keep for row in rows])
    cuts = list(cuts) or [float(np.quantile(scores[ordinary], 1 - share)) for share in _QUANTILES]
    print(f"{name}, {len(rows)} rows")
    for cut in cuts:
        kept, ordinary_kept, passing = ((scores[part] > cut).mean() for part in (keep, ordinary, ~keep))
        print(f"  above {cut:5.2f}: kept {kept:.3f}, false {ordinary_kept:.3f} of ordinary, {passing:.3f} of all")
    return cuts


def _write_lasting(path: Path, weights: Weights, seen: Sequence[Seen]) -> None:
    known, bases = weights
    lasting = sum(each.row.keep for each in seen)
    lines = [f"{sign}\t{weight[0]:.2f}" for sign, weight in sorted(known.items()) if abs(weight[0]) >= _NEGLIGIBLE]
    head = f"## {len(lines)} signs, from {lasting} lasting and {len(seen) - lasting} passing sentences: evals/training"
    path.write_text("\n".join([head, f"\t{bases[0]:.2f}", *lines]) + "\n", encoding="utf-8")


def _write_subjects(path: Path, weights: Weights, count: int) -> None:
    known, bases = weights
    lines = [f"{sign}\t{told}" for sign, weight in sorted(known.items()) if (told := _pairs(weight, _FAINT))]
    head = f"## {len(lines)} signs, from {count} lasting sentences: evals/training"
    path.write_text("\n".join([head, f"\t{_pairs(bases, 0.0)}", *lines]) + "\n", encoding="utf-8")


def _pairs(weight: Floats, least: float) -> str:
    return " ".join(f"{topic}:{value:.1f}" for topic, value in zip(TOPICS, weight, strict=True) if abs(value) >= least)


if __name__ == "__main__":
    main()
