"""Trains the net of the acts of clauses and the topics of questions: `python -m evals.training.acts`.

Writes `models/offline/reading/words/acts.npz` and the ordinary words of English from the `train` rows of `acts.jsonl`.
Prints how many acts and topics of the held-out rows are right, by the rules alone and with the net. Deterministic; to
be run again when the rules change.
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
from evals.training.net import Recipe, Singles, fit_net, seen_in, write_net
from models.offline.en.form import WORDS
from models.offline.reading.acts import ACTS, NET, SHARE, TOPICS, inputs, judged, known_signs, odds_of, signs_of
from models.offline.reading.form import Language, Piece
from models.offline.reading.read import reader_of
from models.offline.reading.understanding import Act, Clause, ReadingContext, Slot, Topic
from text.terms import stem

ORDINARY = WORDS.folder / "ordinary.txt"
_ROWS = Path(__file__).parent / "acts.jsonl"
_TODAY = date(2026, 11, 22)
_ASKED: dict[str, tuple[Slot | None, ...]] = {
    "start": (None,), "trip": ("dates", "people", "origin", None), "offers": ("confirm", "which", None),
    "confirm": ("confirm",), "booked": (None, "confirm"),
}  # fmt: skip
"""What may have been asked last in each state of a conversation; a row is shown with two of them, small talk in all
states."""
_RECIPE = Recipe(units=(128,), rounds=50, start=(18, 1))
_FEWEST_SIGNS, _FEWEST_WORDS = 10, 2


@dataclass(frozen=True)
class Row:
    """A clause with its act, the topic where it is a question, and the state of the conversation before it."""

    text: str
    lang: str
    state: str
    act: Act
    topic: Topic
    source: str

    @cached_property
    def contexts(self) -> list[ReadingContext]:
        """What the clause is read against."""
        states = dict.fromkeys([self.state, *_ASKED]) if self.act == "chat" else [self.state]
        return [context for state in states for context in self._contexts(state)]

    def _contexts(self, state: str) -> Iterator[ReadingContext]:
        every = _ASKED[state]
        first = hashlib.sha256(self.text.encode()).digest()[0] % len(every)
        begun, shown = state != "start", state in ("offers", "confirm", "booked")
        for asked in dict.fromkeys([every[first], every[first - 1]]):
            yield ReadingContext(_TODAY, asked, trip_open=begun, offers_shown=shown, booked=state == "booked")

    def drafts(self) -> Iterator[tuple[Piece, Clause, ReadingContext]]:
        """Yield the longest clause of the text, by the rules, against each context."""
        reader: Language = reader_of(self.lang)
        for piece in sorted(reader.pieces(self.text), key=lambda each: len(each.text))[-1:]:
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
        for name, count in right(held).items():
            print(f"{language}, held out, {name}: {count[0]} of {count[1]}")
    print(f"{NET.name} {hashlib.sha256(NET.read_bytes()).hexdigest()}, inputs {digest()}")


def read(split: str) -> list[Row]:
    """Return the rows of a split (`train` or `held`), ordered by the hash of their text."""
    records = [json.loads(line) for line in _ROWS.read_text(encoding="utf-8").splitlines()]
    rows = [
        Row(one["text"], one["lang"], one["state"], one["act"], _topic(one["topic"]), one["source"])
        for one in records
        if one["split"] == split
    ]
    return sorted(rows, key=lambda row: hashlib.sha256(row.text.encode()).digest())


def _topic(said: str) -> Topic:
    """Return the topic under the name that the reading has for it: none for another than those it knows."""
    return next((topic for topic in TOPICS if topic == said), "")


def write(path: Path, rows: Sequence[Row]) -> None:
    """Train on rows and write the net with the signs that it knows."""
    shown = _shown(rows)
    counts = Counter(sign for _, _, signs in shown for sign in signs)
    known = tuple(sorted(sign for sign, count in counts.items() if count >= _FEWEST_SIGNS))
    seen = seen_in(shown, lambda few: _inputs(few, known))
    net = fit_net(seen, np.array([_wanted(row) for row, _, _ in shown], np.float32), _RECIPE)
    write_net(path, net, signs=known)


def digest() -> str:
    """Return the digest of what the net is trained from."""
    rows = read("train")
    signs = ((text, sorted(signs)) for _, text, signs in _shown(rows[::SAMPLE]))
    return inputs_digest((_RECIPE, _FEWEST_SIGNS, SHARE), rows, signs)


def _shown(rows: Sequence[Row]) -> list[tuple[Row, str, frozenset[str]]]:
    """Return each row as the net sees it in each of its contexts: a clause, and the signs of it."""
    return [
        (row, piece.text, signs_of(piece, draft, context)) for row in rows for piece, draft, context in row.drafts()
    ]


def ordinary(rows: Sequence[Row]) -> list[str]:
    """Return the stems of the English words that stand in two rows or more."""
    words = Counter(stem(word) for row in rows if row.lang == "en" for word in {*row.text.lower().split()})
    return sorted(word for word, count in words.items() if count >= _FEWEST_WORDS and word.isalpha())


def _inputs(shown: Sequence[tuple[Row, str, frozenset[str]]], known: tuple[str, ...]) -> Singles:
    return inputs([text for _, text, _ in shown], [signs for _, _, signs in shown], known)


def _wanted(row: Row) -> list[float]:
    """Return what the net is to say of a row: its act, and its topic where it is a question and has one."""
    topics = [float(row.topic == topic) if _has_topic(row) else np.nan for topic in TOPICS]
    return [*(float(row.act == act) for act in ACTS), *topics]


def _has_topic(row: Row) -> bool:
    """Return whether a row is a question whose author said what about; the first rows, `written`, say only acts."""
    return row.act == "ask" and row.source != "written"


def right(rows: Sequence[Row]) -> dict[str, tuple[int, int]]:
    """Return how many rows have their act and their topic, each in one context of its state, and of how many.

    That is by the rules alone, by the two as `judged` has them, and by the net where it is taken at its word.
    """
    found = Counter[str]()
    drafts = [(row, *next(row.drafts(), ())) for row in rows]
    for row, piece, draft, context in drafts:
        clause, odds = judged(piece, draft, context), odds_of(piece, draft, context)
        found["rules"] += draft.act == row.act
        found["net"] += clause.act == row.act
        found["alone"] += max(ACTS, key=lambda act: odds[act]) == row.act
        if _has_topic(row):
            found["questions"] += 1
            found["topics by rule"] += draft.topic == row.topic
            found["topics"] += clause.topic == row.topic
    return {
        "acts by rule": (found["rules"], len(drafts)), "acts with the net": (found["net"], len(drafts)),
        "acts by the net alone": (found["alone"], len(drafts)),
        "topics by rule": (found["topics by rule"], found["questions"]),
        "topics with the net": (found["topics"], found["questions"]),
    }  # fmt: skip


if __name__ == "__main__":
    main()
