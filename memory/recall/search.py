"""Ranks a laid-out set of documents by words and by meaning, fuses the lists, and returns the hits with their reasons.

Words are ranked by BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the idf that
stays positive; rankings are fused by reciprocal rank after Cormack, Clarke and Buettcher (SIGIR 2009)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memory.recall.document import Hit
from memory.recall.layout import Layout, Shares
from memory.recall.meaning import EmbedderFault, Encoder, Matrix, Vectors, Vocabulary, centre_of, cosines, normalised
from memory.recall.query import Query
from memory.recall.tuning import Tuning
from text.terms import is_spaced

Rows: TypeAlias = NDArray[np.int64]
Allowed: TypeAlias = NDArray[np.bool_]
Concept = dict[str, float]
"""A word of the query: its own term, which counts 1, and related terms, which count less."""


def bm25(occurrences: Matrix, weights: Sequence[float], layout: Layout, tuning: Tuning) -> Matrix:
    """Return the score of every document, each text read together with its neighbours.

    Args:
        occurrences: How often each term of the query occurs in each document alone: shape (terms, documents).
        weights: What each term counts for.
        layout: Gives lengths and neighbours.
        tuning: Window, k1 and b.

    Returns:
        Shape (documents,); 0 where neither the text nor its neighbours hold a term.
    """
    found = layout.spread(occurrences, tuning.window)
    lengths = layout.spread(layout.lengths, tuning.window)
    average = max(float(lengths.mean()), 1.0)
    holding = np.count_nonzero(found, axis=1)
    idf = np.log1p((len(layout) - holding + 0.5) / (holding + 0.5))
    damping = tuning.k1 * (1 - tuning.b + tuning.b * lengths / average)
    gains = found * (tuning.k1 + 1) / (found + damping)
    scores: Matrix = (np.asarray(weights) * idf) @ gains
    return scores


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of one list, best first, and what the list counts for."""

    name: str
    weight: float
    rows: Rows


def rank(scores: Matrix | Shares, allowed: Allowed, tie_order: Rows, depth: int) -> Rows:
    """Return the allowed rows with a score above 0, best first, at most `depth`; equal scores in `tie_order`."""
    rounded: Shares = np.asarray(np.round(scores, 5), dtype=np.float64)
    rows = np.flatnonzero(allowed & (rounded > 0))
    if len(rows) > depth:
        last = np.partition(rounded[rows], len(rows) - depth)[len(rows) - depth]
        rows = rows[rounded[rows] >= last]
    order: Rows = rows[np.lexsort((tie_order[rows], -rounded[rows]))][:depth]
    return order


def fuse(rankings: list[Ranking], rank_offset: float, count: int) -> Shares:
    """For each of `count` rows the share (0..1) of what a row gets that is first in every list."""
    total = np.zeros(count)
    for ranking in rankings:
        total[ranking.rows] += part(ranking, np.arange(1, len(ranking.rows) + 1), rankings, rank_offset)
    return total


def part(ranking: Ranking, ranks: Rows, rankings: list[Ranking], rank_offset: float) -> Shares:
    """Return what standing at `ranks` in `ranking` gives."""
    whole = sum(each.weight for each in rankings)
    return ranking.weight / whole * (rank_offset + 1) / (rank_offset + ranks.astype(np.float64))


@dataclass
class Found:
    """What one search found out: the rankings, who spoke and when, and what each word of the query stood for."""

    query: Query
    layout: Layout
    rankings: list[Ranking]
    telling: Shares
    spoken: Shares | None
    dated: Shares | None
    concepts: list[dict[str, float]]
    fault: str | None
    tuning: Tuning

    @cached_property
    def base(self) -> Shares:
        """Return the fused rank of every document, 0..1."""
        return fuse(self.rankings, self.tuning.rank_offset, len(self.layout))

    @cached_property
    def extras(self) -> dict[str, Shares]:
        """Return what speaker, date and being a statement add for each document, as shares of its fused rank."""
        sides = (
            ("speaker", self.spoken, self.tuning.speaker),
            ("date", self.dated, self.tuning.date),
            ("statement", self.telling, self.tuning.statement),
        )
        return {name: shares * weight for name, shares, weight in sides if shares is not None}

    @cached_property
    def whole(self) -> float:
        """Return what a document can reach before its score is brought to 0..1."""
        asked = self.tuning.speaker * (self.spoken is not None) + self.tuning.date * (self.dated is not None)
        return 1.0 + self.tuning.statement + asked

    @cached_property
    def scores(self) -> Shares:
        """Return the score of every document, 0..1."""
        factors: Shares = np.ones(len(self.layout)) + sum(self.extras.values())
        return self.base * factors / self.whole


def explain(found: Found, row: int) -> dict[str, Any]:
    """Return the reasons for the score of the document in `row`; see `Hit.why`."""
    why: dict[str, Any] = {"lists": _lists(found, row)}
    own = found.layout.terms(row)
    around = {term for near in found.layout.neighbours(row, 2) for term in found.layout.terms(near)}
    why["matched"] = [form for term, form in found.query.forms.items() if term in own]
    why["nearby"] = [form for term, form in found.query.forms.items() if term in around - own.keys()]
    related = {
        form: sorted({own[near] for near in concept if near in own and near != term})
        for (term, form), concept in zip(found.query.forms.items(), found.concepts, strict=True)
    }
    why["related"] = {form: near for form, near in related.items() if near}
    for name, shares in found.extras.items():
        if shares[row]:
            why[name] = {"part": float(found.base[row] * shares[row] / found.whole)}
    if "speaker" in why:
        why["speaker"]["fits"] = found.layout.documents[row].speaker
    if "date" in why and found.query.time:
        why["date"]["fits"] = found.query.time.words
    if found.fault:
        why["fault"] = found.fault
    return why


def _lists(found: Found, row: int) -> dict[str, dict[str, Any]]:
    lists = {}
    for ranking in found.rankings:
        places = np.flatnonzero(ranking.rows == row)
        if len(places):
            share = float(part(ranking, places + 1, found.rankings, found.tuning.rank_offset)[0])
            lists[ranking.name] = {"rank": int(places[0]) + 1, "part": share / found.whole}
    return lists


class Search:
    """Answers queries until the documents change."""

    def __init__(self, layout: Layout, vocabulary: Vocabulary, vectors: Vectors | None, tuning: Tuning) -> None:
        self.layout = layout
        self._vocabulary = vocabulary
        self._vectors = vectors
        self._tuning = tuning

    def warm(self) -> None:
        """Make the vectors now, if there is an embedder that works."""
        if self._vectors and len(self.layout):
            with suppress(EmbedderFault):
                self._vocabulary.table(self._vectors.encoder)
                _ = self._space

    def find(self, query: Query, allowed: Allowed, limit: int) -> list[Hit]:
        """Return the best `limit` of the allowed documents."""
        found = self._gather(query, allowed)
        rows = rank(found.scores, allowed, self.layout.tie_order, limit)
        return [Hit(self.layout.documents[row], float(found.scores[row]), explain(found, row)) for row in rows.tolist()]

    def _gather(self, query: Query, allowed: Allowed) -> Found:
        spoken, dated = self._spoken(query), self._dated(query)
        concepts: list[Concept] = [{term: 1.0} for term in query.forms]
        meant: list[Ranking] = []
        fault = None
        if not query.content:
            sides = (("speaker", spoken), ("date", dated))
            meant = [Ranking(name, 1.0, self._rank(side, allowed)) for name, side in sides if side is not None]
            spoken = dated = None
        elif self._vectors and len(self.layout):
            try:
                given = self._vectors.encoder.encode([query.text, query.topic, *query.forms.values()])
                concepts = self._concepts(query, given[2:], self._vectors.encoder)
                meant = list(self._by_meaning(given[0], given[1], allowed))
            except EmbedderFault as error:
                fault = str(error)
        held = np.stack([self._occurrences(concept) for concept in concepts]) if concepts else None
        rankings = [*self._by_words(query, held, allowed), *meant]
        telling = self._telling(query, held)
        return Found(query, self.layout, rankings, telling, spoken, dated, concepts, fault, self._tuning)

    def _telling(self, query: Query, held: Matrix | None) -> Shares:
        """Return how much of a full statement each document is: all of one, if it holds all the query's words."""
        asked = [place for place, term in enumerate(query.forms) if term not in query.names]
        if held is None or not asked:
            return self.layout.statements
        return np.where((held[asked] > 0).all(axis=0), 1.0, self.layout.statements)

    def _by_words(self, query: Query, occurrences: Matrix | None, allowed: Allowed) -> Iterator[Ranking]:
        if not self._tuning.words or occurrences is None or not occurrences.any():
            return
        weights = [self._tuning.name if term in query.names else 1.0 for term in query.forms]
        scores = bm25(occurrences, weights, self.layout, self._tuning)
        yield Ranking("words", self._tuning.words, self._rank(scores, allowed))

    def _concepts(self, query: Query, words: Matrix, encoder: Encoder) -> list[Concept]:
        tuning = self._tuning
        near = self._vocabulary.near(words, encoder, least=tuning.related_least, most=tuning.related_most)
        concepts: list[Concept] = []
        for (term, form), related in zip(query.forms.items(), near, strict=True):
            alone = term in query.names or not is_spaced(form)
            shares = {} if alone else {other: tuning.related_share * cosine for other, cosine in related.items()}
            concepts.append({**shares, term: 1.0})
        return concepts

    def _by_meaning(self, asked: Matrix, content: Matrix, allowed: Allowed) -> Iterator[Ranking]:
        centre, space = self._space
        towards = cosines(normalised(np.stack([content, asked]) - centre), space)
        for name, weight, given, scores in (
            ("meaning", self._tuning.content, content, towards[0]),
            ("meaning as asked", self._tuning.asked, asked, towards[1]),
        ):
            if weight and given.any():
                yield Ranking(name, weight, self._rank(scores, allowed))

    def _occurrences(self, concept: Concept) -> Matrix:
        total = np.zeros(len(self.layout), dtype=np.float32)
        for term in sorted(concept):
            number = self._vocabulary.number(term)
            if number is not None:
                total += self.layout.occurrences(number) * np.float32(concept[term])
        return total

    def _rank(self, scores: Matrix | Shares, allowed: Allowed) -> Rows:
        return rank(scores, allowed, self.layout.tie_order, self._tuning.depth)

    @cached_property
    def _space(self) -> tuple[Matrix, Matrix]:
        """Return the common part of all vectors, and the documents with their neighbours: (documents, dimensions)."""
        assert self._vectors is not None
        vectors = self._vectors.of(self.layout.documents)
        centre = centre_of(vectors, self._tuning.centre)
        around = self.layout.spread((vectors - centre).T, self._tuning.window).T
        return centre, normalised(around)

    def _spoken(self, query: Query) -> Shares | None:
        return self.layout.by_speaker(lambda speaker: float(speaker in query.speakers)) if query.speakers else None

    def _dated(self, query: Query) -> Shares | None:
        return self.layout.by_day(query.time.fit) if query.time else None
