"""The training of the classifier of offer kinds: separate rows for tests, reproducible bytes, and better rates."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.training.kinds import marked, rates, read, write
from evals.values.rows import rows
from models.offline.reading.acts import KIND_NET

pytestmark = pytest.mark.slow

_ROWS = 120


def test_training_is_reproducible(tmp_path: Path) -> None:
    few = read("train")[:_ROWS]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", few)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_training_excludes_held_out_rows_and_measured_messages() -> None:
    trained = {text.casefold() for text, _ in [*read("train"), *marked()]}
    held = {text.casefold() for text, _ in read("held")} | {row.text.casefold() for row in rows("measure")}
    assert not trained & held


def test_model_card_has_the_digest_of_the_committed_weights() -> None:
    digest = hashlib.sha256(KIND_NET.read_bytes()).hexdigest()
    assert digest in KIND_NET.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "least"), [("en", 0.4), ("ja", 0.3)])
def test_net_improves_on_the_rules_for_held_out_kinds(language: str, least: float) -> None:
    hits = rates(read("held", language), language)
    (by_rule, _), (with_net, count) = hits["by the rules"], hits["with the net"]
    assert with_net > by_rule
    assert with_net >= least * count
