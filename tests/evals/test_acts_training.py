"""The training of the act classifier: separate training and held-out rows, reproducible bytes, and better rates."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.training.acts import ORDINARY, accuracy, ordinary, read, write
from models.offline.reading.acts import NET
from tests.models.offline.en.reading.phrases import rows

pytestmark = pytest.mark.slow

_SAMPLE = 120
_WORDS = 3
"""Shorter messages ("book it", "the second one") are the same in every list."""


def test_training_excludes_test_cases_and_held_out_rows() -> None:
    tested = {text.partition(" [")[0].casefold() for name in ("tune.txt", "measure.txt") for text, _ in rows(name)}
    held = {row.text.casefold() for row in read("held")}
    trained = {row.text.casefold() for row in read("train")}
    assert not held & trained
    assert not {text for text in tested & trained if len(text.split()) > _WORDS}


def test_training_is_reproducible(tmp_path: Path) -> None:
    few = read("train")[:_SAMPLE]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", few)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_model_card_has_the_digest_of_the_committed_weights() -> None:
    digest = hashlib.sha256(NET.read_bytes()).hexdigest()
    assert digest in NET.with_suffix(".md").read_text(encoding="utf-8")


def test_committed_ordinary_words_match_the_training_rows() -> None:
    assert ORDINARY.read_text(encoding="utf-8").split() == ordinary(read("train"))


@pytest.mark.parametrize(
    ("other_authors", "language", "least"), [(False, "en", 0.6), (True, "en", 0.55), (True, "ja", 0.55)]
)
def test_net_improves_on_the_rules_for_held_out_acts(other_authors: bool, language: str, least: float) -> None:
    held = [row for row in read("held") if row.lang == language and (row.source != "written") == other_authors]
    rates = accuracy(held)
    (by_rule, clauses), (with_net, _) = rates["acts by rule"], rates["acts with the net"]
    assert with_net > by_rule
    assert with_net >= least * clauses
