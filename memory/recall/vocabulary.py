"""Keeps the terms of the indexed documents by number, and finds those that are near a word in meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from memory.recall.meaning import Encoder, Matrix, cosines
from text.terms import is_spaced

Form = tuple[str, str]
"""A term and a written form of it."""


class Vocabulary:
    """Terms by number, and the written forms that are in use. A form that no document uses any more is forgotten."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._next = 0
        self._uses: Counter[Form] = Counter()
        self._vectors: dict[str, Matrix] = {}
        self._table: tuple[list[str], Matrix] | None = None

    def __len__(self) -> int:
        """Return one more than the highest number given."""
        return self._next

    def number(self, term: str) -> int | None:
        """Return the number of `term`, None when no document holds it."""
        return self._numbers.get(term)

    def take(self, forms: Iterable[Form], terms: Iterable[str]) -> list[int]:
        """Count one more use of each form; the numbers of `terms`, which are among theirs."""
        for form in forms:
            if form[0] not in self._numbers:
                self._numbers[form[0]] = self._next
                self._next += 1
            if form not in self._uses:
                self._table = None
            self._uses[form] += 1
        return [self._numbers[term] for term in terms]

    def drop(self, forms: Iterable[Form]) -> None:
        """Count one use less of each form, and forget what nobody uses."""
        for form in forms:
            self._uses[form] -= 1
            if not self._uses[form]:
                del self._uses[form]
                self._table = None
        if self._table is None:
            terms, written = {term for term, _ in self._uses}, {form for _, form in self._uses}
            self._numbers = {term: number for term, number in self._numbers.items() if term in terms}
            self._vectors = {form: vector for form, vector in self._vectors.items() if form in written}

    def near(self, words: Matrix, encoder: Encoder, *, least: float, most: int) -> list[dict[str, float]]:
        """For each of `words` (vectors of length one) the terms whose written forms are nearest, with their cosine.

        Args:
            words: Shape (words, dimensions).
            encoder: Makes the vectors of the written forms that have none.
            least: Cosine below which a term is not related.
            most: How many terms a word is given, the nearest first.

        Raises:
            EmbedderFault: see `Encoder.encode`.
        """
        terms, vectors = self.table(encoder)
        if not terms:
            return [{} for _ in words]
        return [_nearest(row, terms, least, most) for row in cosines(words, vectors)]

    def table(self, encoder: Encoder) -> tuple[list[str], Matrix]:
        """Terms, and the vectors of their written forms, shape (forms, dimensions); those that are missing are made.

        Pairs of characters are left out: they are no words.
        """
        if self._table is None:
            pairs = sorted(form for form in self._uses if is_spaced(form[1]))
            missing = sorted({written for _, written in pairs if written not in self._vectors})
            if missing:
                self._vectors.update(zip(missing, encoder.encode(missing), strict=True))
            vectors = [self._vectors[written] for _, written in pairs]
            self._table = [term for term, _ in pairs], np.stack(vectors) if vectors else np.zeros((0, 0), np.float32)
        return self._table


def _nearest(row: Matrix, terms: list[str], least: float, most: int) -> dict[str, float]:
    near = [(-round(float(row[place]), 5), terms[place]) for place in np.flatnonzero(row >= least)]
    found: dict[str, float] = {}
    for cosine, term in sorted(near):
        if len(found) == most:
            break
        found.setdefault(term, -cosine)
    return found
