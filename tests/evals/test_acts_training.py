"""The net of the acts: what it is trained on, that the same rows give the same bytes, and that it helps."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.training.acts import ORDINARY, ordinary, read, right, write
from models.offline.reading.acts import NET
from tests.models.offline.en.reading.phrases import rows

pytestmark = pytest.mark.slow

_ROWS = 120
_WORDS = 3
"""Shorter messages ("book it", "the second one") are the same in every list."""


def test_no_case_of_a_test_and_no_held_out_row_is_trained_on() -> None:
    tested = {said.partition(" [")[0].casefold() for name in ("tune.txt", "measure.txt") for said, _ in rows(name)}
    held = {row.text.casefold() for row in read("held")}
    written = {row.text.casefold() for row in read("train")}
    assert not held & written
    assert not {said for said in tested & written if len(said.split()) > _WORDS}


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    few = read("train")[:_ROWS]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", few)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_the_model_card_names_the_committed_weights() -> None:
    digest = hashlib.sha256(NET.read_bytes()).hexdigest()
    assert digest in NET.with_suffix(".md").read_text(encoding="utf-8")


def test_the_ordinary_words_are_those_of_the_training_rows() -> None:
    assert ORDINARY.read_text(encoding="utf-8").split() == ordinary(read("train"))


@pytest.mark.parametrize(
    ("strangers", "language", "least"), [(False, "en", 0.6), (True, "en", 0.55), (True, "ja", 0.55)]
)
def test_the_net_tells_more_acts_of_held_out_clauses_than_the_rules(
    strangers: bool, language: str, least: float
) -> None:
    held = [row for row in read("held") if row.lang == language and (row.source != "written") == strangers]
    rates = right(held)
    (by_rule, clauses), (with_net, _) = rates["acts by rule"], rates["acts with the net"]
    assert with_net > by_rule
    assert with_net >= least * clauses
