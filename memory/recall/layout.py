"""Lays documents out in arrays: one row each, the turns of a thread in order, so that neighbours are next rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory.recall.document import Document, moment
from memory.recall.meaning import Matrix
from memory.recall.tuning import Window

Shares: TypeAlias = NDArray[np.float64]
_T = TypeVar("_T")

_FULL_STATEMENT = 10
"""Content words from which a turn counts as a full statement."""
_OF_A_QUESTION = 0.3
_ENDS_OF_QUESTIONS = ("?", "？", "か", "か。")


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as it is indexed.

    `numbers` are those of its terms, `counts` how often each occurs and `length` their sum; `forms` are its distinct
    (term, written form); `statement` says how much of a full statement it is, 0..1.
    """

    document: Document
    numbers: NDArray[np.int32]
    counts: Matrix
    length: int
    forms: tuple[tuple[str, str], ...]
    statement: float


class Layout:
    """Rows in the order of (thread, position, id), whatever order the documents came in: same set, same arrays."""

    def __init__(self, entries: Sequence[Entry], vocabulary: int) -> None:
        """Lay out `entries`, whose terms are numbered below `vocabulary`."""
        self.entries = sorted(entries, key=_place)
        self.documents = [entry.document for entry in self.entries]
        self.moments = np.array([moment(document.at) for document in self.documents], dtype=np.float64)
        self.kinds = np.array([document.kind for document in self.documents], dtype="U7")
        self.tie_order = self._tie_order()
        self.lengths = np.array([entry.length for entry in self.entries], dtype=np.float32)
        self.statements = np.array([entry.statement for entry in self.entries], dtype=np.float64)
        self.speakers, self._speaker_of = _distinct([document.speaker for document in self.documents])
        self._days, self._day_of = _distinct([document.at and document.at.date() for document in self.documents])
        self._joined = self._adjacency()
        self._post(vocabulary)

    def __len__(self) -> int:
        return len(self.entries)

    def occurrences(self, number: int) -> Matrix:
        """Return how often the term occurs in each document: shape (documents,)."""
        column = np.zeros(len(self), dtype=np.float32)
        span = slice(self._starts[number], self._starts[number + 1])
        column[self._rows[span]] = self._counts[span]
        return column

    def spread(self, values: Matrix, window: Window) -> Matrix:
        """Return `values` (rows in the last axis) summed over each row and its neighbours, weighed by `window`."""
        total = values.copy(order="K")
        for distance in range(1, max(len(window.before), len(window.after)) + 1):
            reach = self._reach(distance)
            if not len(reach):
                break
            if distance <= len(window.before):
                total[..., distance:] += values[..., :-distance] * (reach * np.float32(window.before[distance - 1]))
            if distance <= len(window.after):
                total[..., :-distance] += values[..., distance:] * (reach * np.float32(window.after[distance - 1]))
        return total

    def by_speaker(self, value: Callable[[str], float]) -> Shares:
        """Return `value` of the speaker of each document, shape (documents,)."""
        return np.array([value(speaker) for speaker in self.speakers])[self._speaker_of]

    def by_day(self, value: Callable[[date], float]) -> Shares:
        """Return `value` of the day of each document, shape (documents,); 0 without a date."""
        return np.array([value(day) if day else 0.0 for day in self._days])[self._day_of]

    def terms(self, row: int) -> dict[str, str]:
        """Return the terms of the text in `row`, each with a written form."""
        return dict(self.entries[row].forms)

    def neighbours(self, row: int, distance: int) -> list[int]:
        """Return the rows of the neighbours of `row`, up to `distance` turns away."""
        found: list[int] = []
        for step in (-1, 1):
            at = row
            for _ in range(distance):
                if not self._linked(min(at, at + step)):
                    break
                at += step
                found.append(at)
        return sorted(found)

    def _reach(self, distance: int) -> NDArray[np.bool_]:
        """For each row that has one `distance` below it: whether the two stand in one unbroken run of turns."""
        pieces = len(self._joined) - distance + 1
        if pieces < 1:
            return np.zeros(0, dtype=np.bool_)
        reach: NDArray[np.bool_] = np.logical_and.reduce(
            [self._joined[start : start + pieces] for start in range(distance)]
        )
        return reach

    def _linked(self, row: int) -> bool:
        return 0 <= row < len(self._joined) and bool(self._joined[row])

    def _adjacency(self) -> NDArray[np.bool_]:
        pairs = zip(self.documents, self.documents[1:], strict=False)
        return np.array([_adjacent(first, second) for first, second in pairs], dtype=np.bool_)

    def _tie_order(self) -> NDArray[np.int64]:
        ids = np.empty(len(self.documents), dtype=np.int64)
        ids[sorted(range(len(ids)), key=lambda row: self.documents[row].id)] = np.arange(len(ids))
        order = np.empty(len(ids), dtype=np.int64)
        order[np.lexsort((ids, -self.moments))] = np.arange(len(ids))
        return order

    def _post(self, vocabulary: int) -> None:
        sizes = [len(entry.numbers) for entry in self.entries]
        numbers = np.concatenate([np.zeros(0, np.int32), *(entry.numbers for entry in self.entries)])
        by_term = np.argsort(numbers, kind="stable")
        self._rows = np.repeat(np.arange(len(self.entries)), sizes)[by_term]
        self._counts = np.concatenate([np.zeros(0, np.float32), *(entry.counts for entry in self.entries)])[by_term]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=vocabulary))])


def statement(document: Document, length: int) -> float:
    """Return how much of a full statement a text of `length` content words is; notes and episodes are whole."""
    if document.kind != "turn":
        return 1.0
    fullness = min(1.0, length / _FULL_STATEMENT)
    return fullness * (_OF_A_QUESTION if document.text.rstrip().endswith(_ENDS_OF_QUESTIONS) else 1.0)


def _distinct(values: Sequence[_T]) -> tuple[list[_T], NDArray[np.int64]]:
    """Return the distinct values, and for each row which of them it has."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return list(places), np.array([places[value] for value in values], dtype=np.int64)


def _place(entry: Entry) -> tuple[bool, str, int, str]:
    document = entry.document
    has_neighbours = document.kind == "turn" and bool(document.thread_id)
    return (not has_neighbours, document.thread_id, document.position, document.id)


def _adjacent(first: Document, second: Document) -> bool:
    return (
        first.kind == second.kind == "turn"
        and bool(first.thread_id)
        and first.thread_id == second.thread_id
        and second.position - first.position <= 1
    )
