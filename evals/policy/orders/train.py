"""Trains the tables that tell orders: `python -m evals.policy.orders.train`.

Writes the tables of `memory.policy.injection.score` and prints, for a row of cuts, how many orders are caught and how
many ordinary sentences are taken for one: cross-validated, and on sentences held back. Deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.policy.orders.rows import Row, held, trained
from evals.training.fit import Floats, fit, scales, tabulate
from memory.policy.injection.score import ENGLISH, JAPANESE, Tongue, Weights, odds, parts, shares

_FOLDS = 5
_SELDOM, _FOUND, _PENALTY, _ROUNDS = 2, 1.0, 0.1, 300
_CUTS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
_NEGLIGIBLE = {ENGLISH: 0.3, JAPANESE: 0.3}


def main() -> None:
    """Measure, train on every row, write the tables, and measure once more on what was held back."""
    for tongue in (ENGLISH, JAPANESE):
        rows, apart = ([row for row in part if row.japanese == (tongue is JAPANESE)] for part in (trained(), held()))
        print(
            f"{tongue.table.stem}: {sum(row.order for row in rows)} orders, {sum(not row.order for row in rows)} others"
        )
        _print_rates("cross-validated", rows, _crossed(rows, tongue))
        weights = _pruned(_train(rows, tongue), tongue)
        _print_rates("held back", apart, np.array([_most(row, tongue, weights) for row in apart]))
        _write(tongue.table, weights, len(rows))


def _train(rows: Sequence[Row], tongue: Tongue) -> Weights:
    """An order is shown whole, for its parts may be harmless; what is harmless is so in each of its parts."""
    shown = [(part, row.order) for row in rows for part in (parts(row.text) if not row.order else (row.text,))]
    bags = [shares(text, tongue.signs) for text, _ in shown]
    scale = {
        sign: _FOUND if sign.startswith("*") else held_back for sign, held_back in scales(bags, _SELDOM, 1).items()
    }
    wanted = np.array([[float(order)] for _, order in shown])
    weights, bases = fit(tabulate(bags, scale), wanted, _PENALTY, _ROUNDS)
    return {"": float(bases[0])} | {sign: float(weights[at, 0]) * scale[sign] for at, sign in enumerate(scale)}


def _pruned(weights: Weights, tongue: Tongue) -> Weights:
    least = _NEGLIGIBLE[tongue]
    return {sign: round(weight, 2) for sign, weight in weights.items() if abs(weight) >= least or not sign}


def _crossed(rows: Sequence[Row], tongue: Tongue) -> Floats:
    scores = np.empty(len(rows))
    for fold in range(_FOLDS):
        weights = _pruned(_train([row for at, row in enumerate(rows) if at % _FOLDS != fold], tongue), tongue)
        scores[fold::_FOLDS] = [_most(row, tongue, weights) for row in rows[fold::_FOLDS]]
    return scores


def _most(row: Row, tongue: Tongue, weights: Weights) -> float:
    return max((odds(part, tongue.signs, weights) for part in parts(row.text)), default=-9.0)


def _print_rates(name: str, rows: Sequence[Row], scores: Floats) -> None:
    order = np.array([row.order for row in rows], dtype=bool)
    print(f"  {name}: {int(order.sum())} orders, {int((~order).sum())} others")
    for cut in _CUTS:
        caught, false = int((scores[order] > cut).sum()), int((scores[~order] > cut).sum())
        share = caught / max(int(order.sum()), 1)
        print(f"    above {cut:5.2f}: caught {share:.3f}, false {false} ({false / max(int((~order).sum()), 1):.4f})")


def _write(path: Path, weights: Weights, count: int) -> None:
    lines = [f"{sign}\t{weight:.2f}" for sign, weight in sorted(weights.items())]
    path.write_text(
        "\n".join([f"## {len(lines)} signs, from {count} sentences: evals/policy/orders", *lines]) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
