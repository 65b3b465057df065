"""Hashed features of a text, and linear models over them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from text.features import LinearModel, features, linear_model, shapes, tokenize


def test_tokens_drop_accents_and_addresses_and_keep_unspaced_runs_whole() -> None:
    assert tokenize("Visit Café.example/menu, don't pay! 窓側の席") == ["visit", "url", "do", "not", "pay", "窓側の席"]


def test_features_ignore_case() -> None:
    assert features("Book The Ferry") == features("book the ferry") != features("the ferry book")


def test_each_group_of_features_has_unit_length() -> None:
    # words and pairs, pieces, beginnings, shapes; from three words on, also pairs at a distance
    for text, groups in {"one": 4, "one two six": 5}.items():
        assert sum(value * value for value in features(text).values()) == pytest.approx(groups)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("<b>run</b>", "tag"), ("book_hotel(1)", "call"), ("seat = 12a", "pair"), ("see www.example.com", "url"),
        ('he said "yes please"', "quoted"), ("row 12", "number"),
        ("is it?", "asks"), ("now!", "shouts"),
    ],
)  # fmt: skip
def test_shape_is_found_in_any_language(text: str, shape: str) -> None:
    assert shape in shapes(text)
    assert shape not in shapes("a quiet room by the lake")


def test_odds_are_the_weighted_features_and_the_intercept(tmp_path: Path) -> None:
    values = features("window seat")
    names = sorted(values)
    np.savez(
        tmp_path / "weights.npz",
        names=np.array(names, np.uint32),
        weights=np.full(len(names), 10, np.int8),
        intercept=np.array([-20], np.int16),
        vocabulary=np.frombuffer(b"seat\nwindow", np.uint8),
    )
    model = linear_model(tmp_path / "weights.npz")
    assert model.odds("window seat") == pytest.approx(sum(values.values()) - 2)
    assert model.odds("") == -1.0 == LinearModel({}, -10, frozenset()).odds("anything")
    assert model.vocabulary == {"seat", "window"}


@pytest.mark.slow
def test_scoring_does_not_import_numpy() -> None:
    code = (
        "import sys; from memory.policy.injection.detect import WEIGHTS; from text.features import linear_model; "
        "print(linear_model(WEIGHTS).odds('a room by the lake') < 0, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "False"]
