"""Lays documents out in arrays: one row each, the turns of a thread in order, so that neighbours are next rows.

Their vectors come from a foreign embedder, whose answers are checked, brought to length one and kept.

`benchmarks/recall.py` measures what a change of `Tuning` does.
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

_AT_ONCE = 32
"""Texts of one call, so that an embedder that holds the interpreter lets other threads have it in between."""
_FULL_STATEMENT = 10
"""Content words from which a turn counts as a full statement."""
_OF_A_QUESTION = 0.3
_ENDS_OF_QUESTIONS = ("?", "？", "か", "か。")
_NEARBY = 2


@dataclass(frozen=True, slots=True)
class Tuning:
    """The parameters of a search, found on the tuning half of `benchmarks/data`."""

    before: tuple[float, ...] = (0.7, 0.5)
    after: tuple[float, ...] = (0.4, 0.2)
    """What the turns before and after one count when it is read, the nearest first; the turn itself counts 1.

    What was said before counts more: an answer rarely repeats the words of its question.
    """
    words: float = 1.0
    """Weight of the list by words."""
    content: float = 0.5
    """Weight of the list by the meaning of the query's content words."""
    asked: float = 0.75
    """Weight of the list by the meaning of the query as it was asked."""
    least: float = 0.15
    """Cosine above which a document without a word of the query is found: any two texts share a little."""
    rank_offset: float = 60.0
    """The constant of reciprocal rank fusion; 60 as in the paper."""
    depth: int = 200
    """How many documents each list ranks."""
    k1: float = 1.2
    b: float = 0.5
    """BM25's saturation and length normalisation; turns are short, so their length says less than usual."""
    speaker: float = 0.6
    """What a turn gains that was said by a person whom the query names, as a share of its fused rank."""
    date: float = 0.3
    """What a document gains that is of the time which the query names."""
    statement: float = 0.3
    """What a full statement gains over a mere "Really?": questions and exclamations seldom hold what is looked for."""
    name: float = 0.3
    """Weight of a speaker's name among the words: in a turn it mostly says who was spoken to."""
    related_least: float = 0.45
    """Cosine from which a word of the documents counts as related to a word of the query."""
    related_most: int = 8
    """How many related words a word of the query is given."""
    related_share: float = 0.7
    """What a related word counts for, times its cosine, where the word itself counts 1."""
    centre: float = 10.0
    """So many documents' worth of restraint in taking away what all vectors have in common."""


class Entry:
    """A document with its terms: how often each occurs, and each with the forms that it is written in."""

    def __init__(self, document: Document) -> None:
        found = terms(document.text)
        self.document = document
        self.counts = Counter(term for term, _ in found)
        self.forms = frozenset(found)

    @property
    def statement(self) -> float:
        """Return how much of a full statement it is, 0..1; notes and episodes are whole."""
        if self.document.kind != "turn":
            return 1.0
        fullness = min(1.0, self.counts.total() / _FULL_STATEMENT)
        return fullness * (_OF_A_QUESTION if self.document.text.rstrip().endswith(_ENDS_OF_QUESTIONS) else 1.0)


class EmbedderFault(SetupError):
    """The embedder failed or answered with something that is no vector; the message says which."""


class Vectors:
    """Vectors of length one from a foreign embedder, all of the same dimensions, kept by text."""

    def __init__(self, embed: Embed, kept: dict[str, Matrix] | None = None) -> None:
        self._embed = embed
        self._dims: int | None = None
        self._kept = {} if kept is None else kept

    def of(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of `texts`, making and keeping those that are missing: shape (texts, dimensions).

        Raises:
            EmbedderFault: see `encode`.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            self._kept.update(zip(part, self.encode(part), strict=True))
            if start + _AT_ONCE < len(missing):
                searches.give_way()
        return np.stack([self._kept[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def keep_only(self, texts: Set[str]) -> None:
        """Forget the vectors of all other texts."""
        for text in self._kept.keys() - texts:
            del self._kept[text]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return new vectors of `texts`, at least one: shape (texts, dimensions); a vector of zeros stays.

        Raises:
            EmbedderFault: when the embedder fails, or does not answer with one finite vector per text, all of the
                length it began with.
        """
        try:
            answer = self._embed(texts)
        except Exception as error:  # whatever a foreign embedder raises: the search goes on by words, and says so
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
    """Return each row brought to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def cosines(first: Matrix, second: Matrix) -> Matrix:
    """Return the cosine of each row of `first` with each row of `second`, all of length one: shape (first, second).

    Not a BLAS product: for so few rows its threads cost more than they help, and much more on a busy machine.
    """
    product: Matrix = np.einsum("qd,nd->qn", first, second)
    return product


class Corpus:
    """Rows in the order of (thread, position, id), whatever order the documents came in: same set, same arrays."""

    def __init__(self, entries: Iterable[Entry], vectors: Vectors | None, tuning: Tuning) -> None:
        self.entries = sorted(entries, key=_place)
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
        """Return how often terms occur in each document, each times its weight: shape (documents,)."""
        total = np.zeros(len(self), dtype=np.float32)
        for term in sorted(concept):
            if rows := self._postings.get(term):
                total[list(rows)] += np.array(list(rows.values()), dtype=np.float32) * np.float32(concept[term])
        return total

    def spread(self, values: Matrix) -> Matrix:
        """Return `values` (rows in the last axis) summed over each row and its neighbours, by their weights."""
        total, weights = values.copy(order="K"), zip_longest(self.tuning.before, self.tuning.after, fillvalue=0.0)
        for distance, (before, after) in islice(enumerate(weights, start=1), max(len(self) - 1, 0)):
            within = self._runs[distance:] == self._runs[:-distance]
            total[..., distance:] += values[..., :-distance] * (within * np.float32(before))
            total[..., :-distance] += values[..., distance:] * (within * np.float32(after))
        return total

    def terms_nearby(self, row: int) -> set[str]:
        """Return the terms of the turns next to the one in `row`, two at most on either side."""
        rows = range(max(0, row - _NEARBY), min(len(self), row + _NEARBY + 1))
        near = [at for at in rows if at != row and self._runs[at] == self._runs[row]]
        return set().union(*(self.entries[at].counts for at in near))

    def near(self, asked: Matrix) -> Matrix:
        """Return the cosine of each of some vectors with each document and its neighbours. Raises EmbedderFault."""
        centre, space = self._space
        return cosines(normalised(asked - centre), space)

    @cached_property
    def _space(self) -> tuple[Matrix, Matrix]:
        """Return the common part of all vectors, and the documents with their neighbours: (documents, dimensions).

        What all texts have in common is taken away before comparing, with restraint while there are few of them: after
        "All-but-the-Top" (Mu and Viswanath, 2018), without its principal components. Raises EmbedderFault.
        """
        assert self.vectors is not None
        vectors = self.vectors.of([document.text for document in self.documents])
        centre: Matrix = vectors.sum(axis=0) / np.float32(len(vectors) + self.tuning.centre)
        return centre, normalised(self.spread((vectors - centre).T).T)

    @cached_property
    def _words(self) -> tuple[list[str], Matrix]:
        """Return terms, and the vectors of their written forms: shape (forms, dimensions). Raises EmbedderFault."""
        assert self.vectors is not None
        forms = sorted(self._forms)
        return [term for term, _ in forms], self.vectors.of([written for _, written in forms])

    def related(self, words: Matrix) -> list[dict[str, float]]:
        """Return for each of `words` (vectors of length one) the terms nearest to it, with their cosine."""
        known, vectors = self._words
        return [self._nearest(row, known) for row in cosines(words, vectors)] if known else [{} for _ in words]

    def _nearest(self, row: Matrix, known: list[str]) -> dict[str, float]:
        near = [(-round(float(row[at]), 5), known[at]) for at in np.flatnonzero(row >= self.tuning.related_least)]
        nearest: dict[str, float] = {}
        for cosine, term in sorted(near):
            nearest.setdefault(term, -cosine)
        return dict(islice(nearest.items(), self.tuning.related_most))

    @cached_property
    def _forms(self) -> set[tuple[str, str]]:
        """Return the terms with their written forms, without pairs of characters, which are no words."""
        every: set[tuple[str, str]] = set().union(*(entry.forms for entry in self.entries))
        return {form for form in every if is_spaced(form[1])}


def _place(entry: Entry) -> tuple[bool, str, int, str]:
    one = entry.document
    return one.kind != "turn" or not one.thread_id, one.thread_id, one.position, one.id


def _adjacent(first: Document, second: Document) -> bool:
    is_talk = first.kind == second.kind == "turn" and bool(first.thread_id)
    return is_talk and first.thread_id == second.thread_id and second.position - first.position <= 1
