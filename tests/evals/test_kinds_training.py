"""The net of what is looked for: that the same rows give the same bytes, and that it tells what no list names."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.training.kinds import marked, rates, read, write
from evals.values.rows import rows
from models.offline.reading.acts import KIND_NET

pytestmark = pytest.mark.slow

_ROWS = 120


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    few = read("train")[:_ROWS]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", few)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_no_held_out_row_and_no_measured_message_is_trained_on() -> None:
    trained = {text.casefold() for text, _ in [*read("train"), *marked()]}
    held = {text.casefold() for text, _ in read("held")} | {row.text.casefold() for row in rows("measure")}
    assert not trained & held


def test_the_model_card_names_the_committed_weights() -> None:
    digest = hashlib.sha256(KIND_NET.read_bytes()).hexdigest()
    assert digest in KIND_NET.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "least"), [("en", 0.4), ("ja", 0.3)])
def test_the_net_tells_more_of_what_held_out_rows_look_for_than_the_lists(language: str, least: float) -> None:
    found = rates(read("held", language), language)
    (by_rule, _), (with_net, count) = found["by the rules"], found["with the net"]
    assert with_net > by_rule
    assert with_net >= least * count
