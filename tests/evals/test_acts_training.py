"""The weights of the acts: what they are trained on, that the same rows give the same bytes, and that they help."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.training.acts import made, read, right, train, write
from models.offline.en.reader import READER
from tests.models.offline.en.reading.phrases import rows

pytestmark = pytest.mark.slow

_ROWS = 120


def test_no_case_of_a_test_and_no_held_out_row_is_trained_on() -> None:
    tested = {said.partition(" [")[0].casefold() for name in ("tune.txt", "measure.txt") for said, _ in rows(name)}
    held = {row.text.casefold() for row in read("held")}
    written = {row.text.casefold() for row in read("train")}
    assert not held & (written | {row.text.casefold() for row in made()})
    assert not {said for said in tested & written if len(said.split()) > _WORDS}


_WORDS = 3
"""Shorter messages ("book it", "the second one") are the same in every list."""


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    few = read("train")[:_ROWS]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", train(few))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_the_model_card_names_the_committed_weights() -> None:
    assert READER.weights
    digest = hashlib.sha256(READER.weights.read_bytes()).hexdigest()
    assert digest in READER.weights.with_suffix(".md").read_text(encoding="utf-8")


def test_the_weights_tell_more_acts_of_held_out_clauses_than_the_rules() -> None:
    held = read("held")
    by_rule, learned = right(held)
    assert learned > by_rule
    assert learned >= 0.6 * len(held)
