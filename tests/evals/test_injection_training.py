"""The training of the injection classifier: separate rows for tests, and reproducible bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evals.training.injection import read, train, write
from evals.training.phrases import phrases
from memory.policy.injection.detect import NET, WEIGHTS

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[2]
_CARD = WEIGHTS.with_suffix(".md")
_SAMPLE = 40


def _measured() -> set[str]:
    records = (
        json.loads(line)
        for path in (_ROOT / "evals").glob("*/measure/*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    lines = (
        line.split("\t")[-1]
        for path in (_ROOT / "tests").rglob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return {text.strip().casefold() for text in (*(record.get("text", "") for record in records), *lines)}


def _training() -> list[dict[str, str]]:
    lines = (_ROOT / "evals" / "training" / "injection.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_training_excludes_tested_and_measured_texts() -> None:
    measured = _measured()
    trained = [*(row["text"] for row in _training()), *(text for text, _ in phrases())]
    assert [text for text in trained if text.strip().casefold() in measured] == []


def test_training_excludes_held_out_rows() -> None:
    trained = {row["text"] for row in _training() if row["split"] == "train"} | {text for text, _ in phrases()}
    assert not {row["text"] for row in _training() if row["split"] == "held"} & trained


def test_phrases_expand_every_choice_the_same_way_each_time() -> None:
    written = list(phrases())
    assert written == list(phrases())
    assert [text for text, _ in written if "{" in text or "|" in text] == []
    assert {instruction for _, instruction in written} == {True, False}


def test_training_is_reproducible(tmp_path: Path) -> None:
    rows = read("train")[::_SAMPLE]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, train(rows))
    for file in (WEIGHTS.name, NET.name):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


def test_model_card_has_the_digest_of_the_committed_weights() -> None:
    for file in (WEIGHTS, NET):
        assert hashlib.sha256(file.read_bytes()).hexdigest() in _CARD.read_text(encoding="utf-8")
