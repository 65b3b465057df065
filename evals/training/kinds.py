"""Trains the classifier of the kinds of offer that a clause asks for: `python -m evals.training.kinds`.

Writes `models/offline/reading/words/kinds.npz` from the `train` rows of `kinds.jsonl` and the clauses of the marked
messages in `evals/values/tune`. Prints how many held-out rows are right. Deterministic.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from evals.training.drift import inputs_digest
from evals.training.net import Recipe, encode_batches, fit_net, write_net
from evals.values.rows import rows as marked_rows
from models.offline.reading.acts import KIND_NET, KINDS
from models.offline.reading.read import read as read_message
from models.offline.reading.read import reader_of
from models.offline.reading.understanding import Clause, Kind, ReadingContext
from text.encoder import encode

Row = tuple[str, frozenset[Kind]]
"""A clause and the kinds of offer that it asks for."""
_ROWS = Path(__file__).with_name("kinds.jsonl")
_TODAY = date(2026, 11, 22)
_RECIPE = Recipe(units=(128,), rounds=60, start=(18, 1))


def main() -> None:
    """Train, write the net, and print the rates."""
    write(KIND_NET, [*read("train"), *marked()])
    for language in ("en", "ja"):
        for name, (right, rows) in rates(read("held", language), language).items():
            print(f"{language}, held out, {name}: {right} of {rows}")
    print(f"{KIND_NET.name} {hashlib.sha256(KIND_NET.read_bytes()).hexdigest()}, inputs {digest()}")


def read(split: str, language: str = "") -> list[Row]:
    """Return the rows of a split (`train` or `held`), of one language or of both."""
    records = map(json.loads, _ROWS.read_text(encoding="utf-8").splitlines())
    return [
        (record["text"], frozenset(record["kinds"]))
        for record in records
        if record["split"] == split and record["lang"].startswith(language)
    ]


def digest() -> str:
    """Return the digest of the inputs of the training."""
    return inputs_digest(_RECIPE, ((text, sorted(kinds)) for text, kinds in [*read("train"), *marked()]), ())


def rates(rows: Sequence[Row], language: str) -> dict[str, tuple[int, int]]:
    """Return the number of rows whose kinds are all right, and of all, by the rules alone and with the net."""
    reader, context = reader_of(language), ReadingContext(_TODAY)
    drafts = [[reader.draft(piece, context) for piece in reader.pieces(text)] for text, _ in rows]
    read_as = [read_message(text, context, language).clauses for text, _ in rows]
    return {
        name: (sum(_kinds(clauses) == kinds for clauses, (_, kinds) in zip(readings, rows, strict=True)), len(rows))
        for name, readings in (("by the rules", drafts), ("with the net", read_as))
    }


def _kinds(clauses: Sequence[Clause]) -> frozenset[Kind]:
    return frozenset(kind for clause in clauses for kind in clause.kinds)


def marked() -> Iterator[Row]:
    """Yield the clauses of the marked messages, each with the kinds of offer that its author marked."""
    for row in marked_rows("tune"):
        for piece in (piece for piece in reader_of(row.lang).pieces(row.text) if piece.text in row.text):
            at = row.text.index(piece.text)
            inside = {mark.label for mark in row.marks if at <= mark.start < at + len(piece.text)}
            yield piece.text, frozenset(kind for kind in KINDS if kind in inside)


def write(path: Path, rows: Sequence[Row]) -> None:
    """Train on rows and write the net."""
    targets = np.array([[float(kind in kinds) for kind in KINDS] for _, kinds in rows], np.float32)
    write_net(path, fit_net(encode_batches([text for text, _ in rows], encode), targets, _RECIPE))


if __name__ == "__main__":
    main()
