"""Asks an embedder for vectors, checks them, brings them to length one, keeps them and compares them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memory.recall.document import Document
from stores.background import searches
from text.terms import is_spaced

Matrix: TypeAlias = NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Any]
"""One vector per text, in order: a sequence of sequences of numbers, or an array of shape (texts, dimensions)."""

_AT_ONCE = 32
"""Texts of one call, so that an embedder that holds the interpreter lets other threads have it in between."""
Form = tuple[str, str]
"""A term and a written form of it."""


class EmbedderFault(Exception):
    """The embedder failed or answered with something that is no vector; the message says which."""


class Encoder:
    """Vectors of length one from a foreign embedder, all of the same dimensions."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._dims: int | None = None

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of `texts`, at least one: shape (texts, dimensions); a vector of zeros stays.

        Raises:
            EmbedderFault: when the embedder fails, or does not answer with one finite vector per text, all of the
                length it began with.
        """
        try:
            answer = self._embed(texts)
        except Exception as error:  # whatever a foreign embedder raises: the search goes on by words, and says so
            raise EmbedderFault(f"the embedder raised {type(error).__name__}") from error
        return normalised(self._checked(answer, len(texts)))

    def _checked(self, answer: Any, count: int) -> Matrix:
        try:
            vectors = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderFault("the embedder's answer is not made of vectors of one length") from error
        if vectors.ndim != 2 or len(vectors) != count or not vectors.shape[1]:
            raise EmbedderFault(f"the embedder answered {count} texts with an array of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise EmbedderFault("the embedder answered with a number that is not finite")
        if self._dims not in (None, vectors.shape[1]):
            raise EmbedderFault(f"the embedder's vectors changed their length from {self._dims} to {vectors.shape[1]}")
        self._dims = vectors.shape[1]
        return vectors


def normalised(vectors: Matrix) -> Matrix:
    """Return each row brought to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def cosines(first: Matrix, second: Matrix) -> Matrix:
    """Return the cosine of each row of `first` with each row of `second`, all of length one: shape (first, second).

    Not a BLAS product: for so few rows its threads cost more than they help, and much more on a busy machine.
    """
    product: Matrix = np.einsum("qd,nd->qn", first, second)
    return product


def centre_of(vectors: Matrix, prior: float) -> Matrix:
    """Return what the texts have in common, to be taken away before comparing; held back while there are few of them.

    After "All-but-the-Top" (Mu and Viswanath, 2018), without its principal components.
    """
    common: Matrix = vectors.sum(axis=0) / np.float32(len(vectors) + prior)
    return common


class Vectors:
    """Vectors by document id."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._known: dict[str, Matrix] = {}

    def drop(self, known: str) -> None:
        """Forget the vector of a document."""
        self._known.pop(known, None)

    def of(self, documents: Sequence[Document]) -> Matrix:
        """Return the vectors of one or more `documents`, making those that are missing: shape (documents, dimensions).

        Raises:
            EmbedderFault: see `Encoder.encode`.
        """
        missing = [document for document in documents if document.id not in self._known]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            made = self.encoder.encode([document.text for document in part])
            self._known.update((document.id, vector) for document, vector in zip(part, made, strict=True))
            if start + _AT_ONCE < len(missing):
                searches.give_way()
        return np.stack([self._known[document.id] for document in documents])


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
