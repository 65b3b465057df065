"""Lays documents out in arrays, one row each; the turns of a thread are in order, so that neighbours are adjacent rows.

Their vectors come from an external embedder, whose answers are checked, normalised to length one and cached.

`benchmarks/recall.py` measures the effect of a change of `Tuning`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, zip_longest
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from config.errors import SetupError
from memory.recall.document import Document, moment
from stores.background import searches
from text.terms import is_spaced, terms

Matrix: TypeAlias = NDArray[np.float32]
Shares: TypeAlias = NDArray[np.float64]
Embed: TypeAlias = Callable[[Sequence[str]], Any]
"""One vector per text, in order: a sequence of sequences of numbers, or an array of shape (texts, dimensions)."""

_BATCH = 32
"""Texts per call of the embedder, so that other threads run in between even if it holds the interpreter lock."""
_FULL_STATEMENT = 10
"""The number of content words from which a turn counts as a full statement."""
_QUESTION_FACTOR = 0.3
_QUESTION_ENDINGS = ("?", "？", "か", "か。")
_NEARBY = 2


@dataclass(frozen=True, slots=True)
class Tuning:
    """The parameters of a search, tuned on one half of `benchmarks/data`."""

    before: tuple[float, ...] = (0.7, 0.5)
    after: tuple[float, ...] = (0.4, 0.2)
    """The weights of the turns before and after a turn, the nearest first; the turn itself has the weight 1.

    Earlier turns weigh more: an answer rarely repeats the words of its question.
    """
    words: float = 1.0
    """Weight of the ranking by words."""
    content: float = 0.5
    """Weight of the ranking by the meaning of the query's content words."""
    asked: float = 0.75
    """Weight of the ranking by the meaning of the whole query."""
    least: float = 0.15
    """Cosine above which a document without a word of the query is found: any two texts are slightly similar."""
    rank_offset: float = 60.0
    """The constant of reciprocal rank fusion; 60 as in the paper."""
    depth: int = 200
    """The number of documents in each ranking."""
    k1: float = 1.2
    b: float = 0.5
    """BM25's saturation and length normalisation; turns are short, so their length matters less than usual."""
    speaker: float = 0.6
    """Bonus of a turn whose speaker the query names, as a share of its fused rank."""
    date: float = 0.3
    """Bonus of a document from the time that the query names."""
    statement: float = 0.3
    """Bonus of a full statement over a mere "Really?": questions and exclamations seldom contain the answer."""
    name: float = 0.3
    """Weight of a speaker's name among the words: in a turn it usually is the person addressed."""
    related_least: float = 0.45
    """Cosine from which a word of the documents counts as related to a word of the query."""
    related_most: int = 8
    """The most related words per word of the query."""
    related_share: float = 0.7
    """Weight of a related word, times its cosine; the word itself has the weight 1."""
    centre: float = 10.0
    """The number of zero vectors added to the mean of all vectors, so that few documents shift it little."""


class Entry:
    """A document with the counts of its terms, and the terms paired with their written forms."""

    def __init__(self, document: Document) -> None:
        pairs = terms(document.text)
        self.document = document
        self.counts = Counter(term for term, _ in pairs)
        self.forms = frozenset(pairs)

    @property
    def statement(self) -> float:
        """Return how close the document is to a full statement, 0..1; notes and episodes have 1."""
        if self.document.kind != "turn":
            return 1.0
        fullness = min(1.0, self.counts.total() / _FULL_STATEMENT)
        return fullness * (_QUESTION_FACTOR if self.document.text.rstrip().endswith(_QUESTION_ENDINGS) else 1.0)


class EmbedderFault(SetupError):
    """The embedder failed, or its answer is not made of valid vectors; the message says which."""


class Vectors:
    """Vectors from an external embedder, normalised to length one, all of the same dimensions, cached by text."""

    def __init__(self, embed: Embed, cache: dict[str, Matrix] | None = None) -> None:
        self._embed = embed
        self._dims: int | None = None
        self._cache = {} if cache is None else cache

    def of(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of `texts`, embedding those that are not cached: shape (texts, dimensions).

        Raises:
            EmbedderFault: see `encode`.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            self._cache.update(zip(batch, self.encode(batch), strict=True))
            if start + _BATCH < len(missing):
                searches.give_way()
        return np.stack([self._cache[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def keep_only(self, texts: Set[str]) -> None:
        """Drop the cached vectors of all other texts."""
        for text in self._cache.keys() - texts:
            del self._cache[text]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embed one or more `texts` without the cache: shape (texts, dimensions); vectors of zeros stay zero.

        Raises:
            EmbedderFault: the embedder fails, or does not return one finite vector per text, all of the same length
                as in earlier calls.
        """
        try:
            answer = self._embed(texts)
        except Exception as error:  # an external embedder may raise anything; the search then goes on by words
            raise EmbedderFault(f"the embedder raised {type(error).__name__}") from error
        try:
            vectors = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderFault("the embedder's answer is not made of vectors of one length") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
            raise EmbedderFault(f"the embedder answered {len(texts)} texts with an array of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise EmbedderFault("the embedder answered with a number that is not finite")
        if self._dims not in (None, vectors.shape[1]):
            raise EmbedderFault(f"the embedder's vectors changed their length from {self._dims} to {vectors.shape[1]}")
        self._dims = vectors.shape[1]
        return normalised(vectors)


def normalised(vectors: Matrix) -> Matrix:
    """Return the rows scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def cosines(first: Matrix, second: Matrix) -> Matrix:
    """Return the cosine of each row of `first` with each row of `second`, all of length one: shape (first, second).

    Not a BLAS product: for so few rows its threads cost more than they gain, especially on a busy machine.
    """
    product: Matrix = np.einsum("qd,nd->qn", first, second)
    return product


class Corpus:
    """Documents as rows sorted by (thread, position, id), so that the same set always gives the same arrays."""

    def __init__(self, entries: Iterable[Entry], vectors: Vectors | None, tuning: Tuning) -> None:
        self.entries = sorted(entries, key=_sort_key)
        self.documents = [entry.document for entry in self.entries]
        self.vectors = vectors
        self.tuning = tuning
        self.moments = np.array([moment(document.at) for document in self.documents], dtype=np.float64)
        self.ends = np.array([moment(document.ends) if document.ends else np.inf for document in self.documents])
        self.kinds = np.array([document.kind for document in self.documents], dtype="U7")
        self.statements = np.array([entry.statement for entry in self.entries], dtype=np.float64)
        self.speakers = dict.fromkeys(document.speaker for document in self.documents)
        lengths = np.array([entry.counts.total() for entry in self.entries], dtype=np.float32)
        breaks = [not _adjacent(*pair) for pair in pairwise(self.documents)]
        self._runs = np.cumsum([0, *breaks]) if self.entries else np.zeros(0, np.int64)
        self.lengths = self.spread(lengths)
        latest_first = sorted(range(len(self)), key=lambda row: (-self.moments[row], self.documents[row].id))
        self.tie_order = np.argsort(latest_first)
        self._postings: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for row, entry in enumerate(self.entries):
            for term, count in entry.counts.items():
                self._postings[term][row] = count
        if vectors:
            vectors.keep_only({document.text for document in self.documents}.union(form for _, form in self._forms))

    def __len__(self) -> int:
        return len(self.entries)

    def occurrences(self, concept: Mapping[str, float]) -> Matrix:
        """Return the weighted number of occurrences of the terms of `concept` in each document: shape (documents,)."""
        total = np.zeros(len(self), dtype=np.float32)
        for term in sorted(concept):
            if rows := self._postings.get(term):
                total[list(rows)] += np.array(list(rows.values()), dtype=np.float32) * np.float32(concept[term])
        return total

    def spread(self, values: Matrix) -> Matrix:
        """Return the weighted sum of `values` (rows in the last axis) over each row and its neighbours."""
        total, weights = values.copy(order="K"), zip_longest(self.tuning.before, self.tuning.after, fillvalue=0.0)
        for distance, (before, after) in islice(enumerate(weights, start=1), max(len(self) - 1, 0)):
            within = self._runs[distance:] == self._runs[:-distance]
            total[..., distance:] += values[..., :-distance] * (within * np.float32(before))
            total[..., :-distance] += values[..., distance:] * (within * np.float32(after))
        return total

    def terms_nearby(self, row: int) -> set[str]:
        """Return the terms of up to two turns before and two turns after the one in `row`."""
        rows = range(max(0, row - _NEARBY), min(len(self), row + _NEARBY + 1))
        neighbours = [at for at in rows if at != row and self._runs[at] == self._runs[row]]
        return set().union(*(self.entries[at].counts for at in neighbours))

    def near(self, vectors: Matrix) -> Matrix:
        """Return the cosines of `vectors` with the documents, read with their neighbours. Raises EmbedderFault."""
        centre, space = self._space
        return cosines(normalised(vectors - centre), space)

    @cached_property
    def _space(self) -> tuple[Matrix, Matrix]:
        """Return the mean vector, and the centred documents with their neighbours: shape (documents, dimensions).

        The mean is subtracted before comparing, damped by `Tuning.centre`: after "All-but-the-Top" (Mu and Viswanath,
        2018), without its principal components. Raises EmbedderFault.
        """
        assert self.vectors is not None
        vectors = self.vectors.of([document.text for document in self.documents])
        centre: Matrix = vectors.sum(axis=0) / np.float32(len(vectors) + self.tuning.centre)
        return centre, normalised(self.spread((vectors - centre).T).T)

    @cached_property
    def _words(self) -> tuple[list[str], Matrix]:
        """Return the terms and the vectors of their written forms: shape (forms, dimensions). Raises EmbedderFault."""
        assert self.vectors is not None
        forms = sorted(self._forms)
        return [term for term, _ in forms], self.vectors.of([written for _, written in forms])

    def related(self, words: Matrix) -> list[dict[str, float]]:
        """Return the nearest terms with their cosines for each of `words`, which are vectors of length one."""
        terms, vectors = self._words
        return [self._nearest(row, terms) for row in cosines(words, vectors)] if terms else [{} for _ in words]

    def _nearest(self, row: Matrix, terms: list[str]) -> dict[str, float]:
        near = [(-round(float(row[at]), 5), terms[at]) for at in np.flatnonzero(row >= self.tuning.related_least)]
        nearest: dict[str, float] = {}
        for cosine, term in sorted(near):
            nearest.setdefault(term, -cosine)
        return dict(islice(nearest.items(), self.tuning.related_most))

    @cached_property
    def _forms(self) -> set[tuple[str, str]]:
        """Return the terms with their written forms, except pairs of unspaced characters, which are not words."""
        every: set[tuple[str, str]] = set().union(*(entry.forms for entry in self.entries))
        return {form for form in every if is_spaced(form[1])}


def _sort_key(entry: Entry) -> tuple[bool, str, int, str]:
    document = entry.document
    return document.kind != "turn" or not document.thread_id, document.thread_id, document.position, document.id


def _adjacent(first: Document, second: Document) -> bool:
    is_talk = first.kind == second.kind == "turn" and bool(first.thread_id)
    return is_talk and first.thread_id == second.thread_id and second.position - first.position <= 1
