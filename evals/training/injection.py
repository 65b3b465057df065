"""Trains the weights that tell instructions to the machine from travel talk: `python -m evals.training.injection`.

Writes `memory/policy/injection/weights.npz` from `injection.jsonl` and the undisguised cases of `evals/policy/tune`.
Prints how many instructions are caught and how many ordinary sentences are taken for one, at several thresholds:
cross-validated, and on the held-out rows. Deterministic.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.training.fit import Floats, fit, scales, tabulate
from memory.policy.injection.score import (
    ENGLISH,
    HUNDREDTHS,
    JAPANESE,
    LOWEST,
    WEIGHTS,
    Language,
    Weights,
    feature_values,
    log_odds,
    passages,
)  # fmt: skip
from text import normalise

_HERE = Path(__file__).parent
_TUNE = _HERE.parent / "policy" / "tune"
_DISGUISES = frozenset(
    {"base64", "disguise", "encoded", "hex", "homoglyph", "leet", "rot13", "spaced", "url_encoded", "zero_width"}
)
_FOLDS = 5
_FEWEST_ROWS, _PENALTY, _ROUNDS = 2, 0.1, 300
_NEGLIGIBLE = 0.3
_THRESHOLDS = (-2.0, -1.0, -0.5, 0.0, 0.5, 0.6, 1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence and whether it instructs the machine."""

    text: str
    instruction: bool


def main() -> None:
    """Train on every training row, write the weights, and print the rates."""
    learned: dict[Language, Weights] = {}
    for language in (ENGLISH, JAPANESE):
        rows, held = read("train", language), read("held", language)
        _print_rates(f"{language.name}, cross-validated", rows, _cross_validated(rows, language))
        learned[language] = train(rows, language)
        _print_rates(f"{language.name}, held out", held, _scores(held, language, learned[language]))
    write(WEIGHTS, learned)


def read(split: str, language: Language) -> list[Row]:
    """Return the rows of a split (`train` or `held`) in one language, ordered by the hash of their text."""
    records = [json.loads(line) for line in (_HERE / "injection.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [(record["text"], record["label"] == "injection") for record in records if record["split"] == split]
    found += _tune() if split == "train" else []
    rows = {row.text: row for row in (Row(normalise(text), label) for text, label in found)}
    spoken = [row for row in rows.values() if _is_japanese(row.text) == (language is JAPANESE)]
    return sorted(spoken, key=lambda row: hashlib.sha256(row.text.encode()).digest())


def _tune() -> Iterator[tuple[str, bool]]:
    for name in ("instruction", "near_miss", "talk"):
        measured = {record["text"] for record in _records(_TUNE.parent / "measure" / f"{name}.jsonl")}
        for record in _records(_TUNE / f"{name}.jsonl"):
            if record["kind"] not in _DISGUISES and record["text"] not in measured:
                yield record["text"], name == "instruction"


def _records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _is_japanese(text: str) -> bool:
    return any("\u3041" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


def train(rows: Sequence[Row], language: Language) -> Weights:
    """Return weights, rounded to hundredths and without negligible ones.

    An instruction is shown whole, for its parts may be harmless; an ordinary sentence is harmless in each of its parts.
    """
    parts = ((row, [row.text] if row.instruction else passages(row.text)) for row in rows)
    shown = [(part, row.instruction) for row, found in parts for part in found]
    bags = [feature_values(text, language) for text, _ in shown]
    scale = scales(bags, _FEWEST_ROWS, 1.0)
    wanted = np.array([[float(instruction)] for _, instruction in shown])
    fitted, bases = fit(tabulate(bags, scale), wanted, _PENALTY, _ROUNDS)
    learned = {name: round(float(fitted[at, 0]) * scale[name], 2) for at, name in enumerate(scale)}
    kept = {name: weight for name, weight in learned.items() if abs(weight) >= _NEGLIGIBLE}
    return {"": round(float(bases[0]), 2), **kept}


def write(path: Path, learned: dict[Language, Weights]) -> None:
    """Write the weights as an uncompressed `.npz`: the same weights give the same bytes."""
    arrays: dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]] = {}
    for language, known in learned.items():
        names = sorted(known)
        arrays[f"{language.name}_features"] = np.frombuffer("\n".join(names).encode(), np.uint8)
        arrays[f"{language.name}_weights"] = np.array([round(known[name] * HUNDREDTHS) for name in names], np.int16)
    np.savez(path, allow_pickle=False, **arrays)


def _cross_validated(rows: Sequence[Row], language: Language) -> Floats:
    scores = np.empty(len(rows))
    for fold in range(_FOLDS):
        known = train([row for at, row in enumerate(rows) if at % _FOLDS != fold], language)
        scores[fold::_FOLDS] = _scores(rows[fold::_FOLDS], language, known)
    return scores


def _scores(rows: Sequence[Row], language: Language, known: Weights) -> Floats:
    best = (max((log_odds(part, language, known) for part in passages(row.text)), default=LOWEST) for row in rows)
    return np.array(list(best))


def _print_rates(name: str, rows: Sequence[Row], scores: Floats) -> None:
    wanted = np.array([row.instruction for row in rows], dtype=bool)
    print(f"{name}: {int(wanted.sum())} instructions, {int((~wanted).sum())} ordinary sentences")
    for threshold in _THRESHOLDS:
        caught, false = (scores[wanted] > threshold).mean(), (scores[~wanted] > threshold).mean()
        print(f"  above {threshold:5.2f}: caught {caught:.3f}, falsely taken {false:.4f}")


if __name__ == "__main__":
    main()
