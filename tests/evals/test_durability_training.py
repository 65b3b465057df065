"""The durability weights: what they are trained on, and that the same rows give the same bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from evals.training.durability import example, read, train_durability, train_topics, write
from models.offline.en.notes.durability import WEIGHTS

_ROOT = Path(__file__).parents[2]
_CASES = sorted((_ROOT / "tests" / "models" / "offline").rglob("*.txt"))
_ROWS = [
    json.loads(line)
    for line in (_ROOT / "evals" / "training" / "durability.jsonl").read_text(encoding="utf-8").splitlines()
]


def _plain(text: str) -> str:
    return text.casefold().strip(" .!")


def test_no_case_of_a_test_is_trained_on_or_held_out() -> None:
    lines = [line for path in _CASES for line in path.read_text(encoding="utf-8").splitlines()]
    tested = {_plain(part) for line in lines for part in (line, line.partition(": ")[2])}
    assert len(lines) > 1000
    assert [row["text"] for row in _ROWS if _plain(row["text"]) in tested] == []


def test_the_held_out_rows_are_not_trained_on() -> None:
    trained = {_plain(row["text"]) for row in _ROWS if row["split"] == "train"}
    assert not {_plain(row["text"]) for row in _ROWS if row["split"] == "held"} & trained


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = read("train")[:200]
    for name in ("first", "second"):
        examples = [example(row) for row in rows]
        write(tmp_path / f"{name}.npz", train_durability(examples), train_topics(examples))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_the_model_card_names_the_committed_weights() -> None:
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() in WEIGHTS.with_suffix(".md").read_text(encoding="utf-8")
