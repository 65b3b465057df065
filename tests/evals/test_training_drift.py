"""The committed weights were trained from the present rows, rules and recipe; otherwise run `make train`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evals.training import acts, durability, injection, kinds
from evals.training.drift import inputs_digest
from evals.training.net import Recipe
from memory.policy.injection.detect import WEIGHTS
from models.offline.reading.acts import KIND_NET, NET
from models.offline.tables import NOTES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("digest", "card"),
    [
        (acts.digest, NET.with_suffix(".md")),
        (durability.digest, NOTES.folder / "judge.md"),
        (injection.digest, WEIGHTS.with_suffix(".md")),
        (kinds.digest, KIND_NET.with_suffix(".md")),
    ],
    ids=["acts", "durability", "injection", "kinds"],
)
def test_model_card_has_the_digest_of_the_training_inputs(digest: Callable[[], str], card: Path) -> None:
    assert digest() in card.read_text(encoding="utf-8"), "run `make train`, and write what it prints into the card"


def test_digest_depends_on_the_recipe_the_rows_the_labels_and_the_signs() -> None:
    recipe, row = (
        Recipe(units=(16,), rounds=30, start=(18, 1)),
        acts.Row("window please", "en", "trip", "inform", "", "written"),
    )
    signs = ("window please", ["act inform", "holds seat"])
    digests = {
        inputs_digest(recipe, [row], [signs]),
        inputs_digest(replace(recipe, left_out=0.3), [row], [signs]),
        inputs_digest(recipe, [row, row], [signs]),
        inputs_digest(recipe, [replace(row, act="ask")], [signs]),
        inputs_digest(recipe, [row], [("window please", ["act inform"])]),
    }
    assert len(digests) == 5
    assert inputs_digest(recipe, [replace(row)], [signs]) in digests
