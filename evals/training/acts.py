"""Trains the classifier of the acts of clauses and the topics of questions: `python -m evals.training.acts`.

Writes `models/offline/reading/words/acts.npz` and the ordinary words of English from the `train` rows of `acts.jsonl`.
Prints how many acts and topics of the held-out rows are right, by the rules alone and with the net. Deterministic. Run
it again when the rules change.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np

from evals.training.drift import SAMPLE, inputs_digest
from evals.training.net import Array, Recipe, encode_batches, fit_net, write_net
from models.offline.en.form import WORDS
from models.offline.reading.acts import ACTS, NET, SHARE, TOPICS, inputs, judged, known_signs, odds_of, signs_of
from models.offline.reading.form import Language, Piece
from models.offline.reading.read import reader_of
from models.offline.reading.understanding import Act, Clause, ReadingContext, Slot, Topic
from models.offline.reading.values.names import longest_at
from text.terms import stem

ORDINARY = WORDS.folder / "ordinary.txt"
_ROWS = Path(__file__).parent / "acts.jsonl"
_TODAY = date(2026, 11, 22)
_ASKED: dict[str, tuple[Slot | None, ...]] = {
    "start": (None,), "trip": ("dates", "people", "origin", None), "offers": ("confirm", "which", None),
    "confirm": ("confirm",), "booked": (None, "confirm"),
}  # fmt: skip
"""The slots that the last question may have asked for, by state of the conversation. A row is trained with two of them,
small talk with those of all states."""
_RECIPE = Recipe(units=(256,), rounds=80, start=(18, 1), left_out=0.4)
_FEWEST_SIGNS, _FEWEST_WORDS = 10, 2


@dataclass(frozen=True)
class Row:
    """A clause with its act, its topic if it is a question, and the state of the conversation before it."""

    text: str
    lang: str
    state: str
    act: Act
    topic: Topic
    source: str

    @cached_property
    def contexts(self) -> list[ReadingContext]:
        """Return the contexts in which the clause is read."""
        states = dict.fromkeys([self.state, *_ASKED]) if self.act == "chat" else [self.state]
        return [context for state in states for context in self._contexts(state)]

    def _contexts(self, state: str) -> Iterator[ReadingContext]:
        slots = _ASKED[state]
        first = hashlib.sha256(self.text.encode()).digest()[0] % len(slots)
        begun, shown = state != "start", state in ("offers", "confirm", "booked")
        for asked in dict.fromkeys([slots[first], slots[first - 1]]):
            yield ReadingContext(_TODAY, asked, trip_open=begun, offers_shown=shown, booked=state == "booked")

    def drafts(self) -> Iterator[tuple[Piece, Clause, ReadingContext]]:
        """Yield the longest piece of the text with the clause that the rules read in it, for each context."""
        reader: Language = reader_of(self.lang)
        for piece in sorted(reader.pieces(self.text), key=lambda piece: len(piece.text))[-1:]:
            for context in self.contexts:
                yield piece, reader.draft(piece, context), context


def main() -> None:
    """Train, write the net, and print the rates."""
    rows = read("train")
    ORDINARY.write_text("\n".join(ordinary(rows)) + "\n", encoding="utf-8")
    write(NET, rows)
    known_signs.cache_clear()
    print(f"trained on {len(rows)} rows")
    for language in ("en", "ja"):
        held = [row for row in read("held") if row.lang == language]
        for name, (hits, total) in accuracy(held).items():
            print(f"{language}, held out, {name}: {hits} of {total}")
    print(f"{NET.name} {hashlib.sha256(NET.read_bytes()).hexdigest()}, inputs {digest()}")


def read(split: str) -> list[Row]:
    """Return the rows of a split (`train` or `held`), ordered by the hash of their text."""
    records = [json.loads(line) for line in _ROWS.read_text(encoding="utf-8").splitlines()]
    rows = [
        Row(record["text"], record["lang"], record["state"], record["act"], _topic(record["topic"]), record["source"])
        for record in records
        if record["split"] == split
    ]
    return sorted(rows, key=lambda row: hashlib.sha256(row.text.encode()).digest())


def _topic(name: str) -> Topic:
    """Return the topic with this name, or "" if the offline model has no such topic."""
    return next((topic for topic in TOPICS if topic == name), "")


def write(path: Path, rows: Sequence[Row]) -> None:
    """Train on rows and write the net, with the signs that are frequent enough to be its inputs."""
    examples = _examples(rows)
    counts = Counter(sign for _, _, signs in examples for sign in signs)
    frequent = tuple(sorted(sign for sign, count in counts.items() if count >= _FEWEST_SIGNS))
    encoded = encode_batches(examples, lambda batch: _inputs(batch, frequent))
    net = fit_net(encoded, np.array([_targets(row) for row, _, _ in examples], np.float32), _RECIPE)
    write_net(path, net, signs=frequent)


def digest() -> str:
    """Return the digest of the inputs of the training."""
    rows = read("train")
    signs = ((text, sorted(signs)) for _, text, signs in _examples(rows[::SAMPLE]))
    return inputs_digest((_RECIPE, _FEWEST_SIGNS, SHARE), rows, signs)


def _examples(rows: Sequence[Row]) -> list[tuple[Row, str, frozenset[str]]]:
    """Return, for each row and each of its contexts, the text of its clause and the signs of it."""
    return [
        (row, piece.text, signs_of(piece, draft, context)) for row in rows for piece, draft, context in row.drafts()
    ]


def ordinary(rows: Sequence[Row]) -> list[str]:
    """Return the stems of the English words that occur in two rows or more and name no place."""
    found = (word for row in rows if row.lang == "en" for word in {*row.text.lower().split()})
    words = Counter(stem(word) for word in found if not ((hit := longest_at([word], 0)) and not hit[1].plain_word))
    return sorted(word for word, count in words.items() if count >= _FEWEST_WORDS and word.isalpha())


def _inputs(examples: Sequence[tuple[Row, str, frozenset[str]]], known: tuple[str, ...]) -> Array:
    return inputs([text for _, text, _ in examples], [signs for _, _, signs in examples], known)


def _targets(row: Row) -> list[float]:
    """Return the target of each act and each topic: 1.0 for the row's own, NaN for the topics of a row without one."""
    topics = [float(row.topic == topic) if _has_topic(row) else np.nan for topic in TOPICS]
    return [*(float(row.act == act) for act in ACTS), *topics]


def _has_topic(row: Row) -> bool:
    """Return whether a row is a question with a topic; the oldest rows, of the source `written`, have only acts."""
    return row.act == "ask" and row.source != "written"


def accuracy(rows: Sequence[Row]) -> dict[str, tuple[int, int]]:
    """Return the number of right acts and topics and of all, reading each row in one context of its state.

    Compares the rules alone, both together as in `judged`, and the net alone.
    """
    hits = Counter[str]()
    drafts = [(row, *next(row.drafts(), ())) for row in rows]
    for row, piece, draft, context in drafts:
        clause, odds = judged(piece, draft, context), odds_of(piece, draft, context)
        hits["rules"] += draft.act == row.act
        hits["net"] += clause.act == row.act
        hits["alone"] += max(ACTS, key=lambda act: odds[act]) == row.act
        if _has_topic(row):
            hits["questions"] += 1
            hits["topics by rule"] += draft.topic == row.topic
            hits["topics"] += clause.topic == row.topic
    return {
        "acts by rule": (hits["rules"], len(drafts)), "acts with the net": (hits["net"], len(drafts)),
        "acts by the net alone": (hits["alone"], len(drafts)),
        "topics by rule": (hits["topics by rule"], hits["questions"]),
        "topics with the net": (hits["topics"], hits["questions"]),
    }  # fmt: skip


if __name__ == "__main__":
    main()
