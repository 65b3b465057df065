"""The training of the classifiers of lasting statements: separate rows for tests, and reproducible bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evals.training.durability import LANGUAGES, bare, read, train_lasting, train_topics, write
from models.offline.tables import NOTES

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[2]
_CASES = sorted((_ROOT / "tests" / "models" / "offline" / "notes").rglob("*.txt"))
_EVALS = sorted((_ROOT / "evals" / "statements").rglob("*.jsonl"))


def test_training_excludes_the_cases_of_tests_and_evals() -> None:
    lines = [line for path in _CASES for line in path.read_text(encoding="utf-8").splitlines()]
    tested = {bare(part) for line in lines for part in (line, line.partition(": ")[2])}
    tested |= {
        bare(json.loads(line)["text"]) for path in _EVALS for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(lines) > 1000
    trained = [row.text for language in LANGUAGES for row in read("train", language)]
    assert [text for text in trained if bare(text) in tested] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_training_excludes_held_out_rows(language: str) -> None:
    trained = {bare(row.text) for row in read("train", language)}
    assert not {bare(row.text) for row in read("held", language)} & trained


def test_training_is_reproducible(tmp_path: Path) -> None:
    rows = read("train", "en")[:200]
    for name in ("first", "second"):
        write(tmp_path / f"{name}.npz", train_lasting(rows), train_topics(rows))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


@pytest.mark.parametrize("name", [*LANGUAGES, "net"])
def test_model_card_has_the_digest_of_the_committed_weights(name: str) -> None:
    digest = hashlib.sha256((NOTES.folder / f"{name}.npz").read_bytes()).hexdigest()
    assert digest in (NOTES.folder / "judge.md").read_text(encoding="utf-8")
