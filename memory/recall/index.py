"""Indexes notes, episodes and turns for hybrid recall, and searches them.

Documents are ranked by words and by meaning. Words are ranked by BM25 after Robertson and Zaragoza, "The Probabilistic
Relevance Framework" (2009), with the idf that stays positive; rankings are fused by reciprocal rank after Cormack,
Clarke and Buettcher (SIGIR 2009).
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from memory.recall.corpus import Corpus, Embed, EmbedderFault, Entry, Matrix, Shares, Tuning, Vectors
from memory.recall.document import Document, Hit, moment
from memory.recall.query import Query, analyse
from stores.background import searches
from text.terms import is_spaced

Rows: TypeAlias = NDArray[np.int64]
Allowed: TypeAlias = NDArray[np.bool_]

_BATCH = 16
"""Documents that are read before searches of others come first."""


class RecallIndex:
    """Searches documents by words and by meaning, in memory, deterministically and without any model call.

    The same documents give the same answers, in whatever order they come. Safe to use from several threads.

    `documents` are searched until `hold` is given others. Without `embed` keywords alone are.
    """

    def __init__(
        self, documents: Iterable[Document] = (), *, embed: Embed | None = None, tuning: Tuning | None = None
    ) -> None:
        self._tuning = tuning or Tuning()
        self._vectors = Vectors(embed) if embed else None
        self._entries: dict[str, Entry] = {}
        self.seen: object = None
        """What the source of the documents looked like, as whoever holds them here says."""
        self._ready: Corpus | None = None
        self._lock = threading.Lock()
        self.hold(documents)

    @property
    def documents(self) -> list[Document]:
        """Return the documents that are searched."""
        return [entry.document for entry in self._entries.values()]

    def hold(self, documents: Iterable[Document], seen: object = None) -> None:
        """Search these documents from now on; of two with one id the last counts.

        Terms and vectors of those that stay are kept; vectors of others are made, and let go, by the next search.
        """
        entries: dict[str, Entry] = {}
        new = 0
        for document in documents:
            entry = self._entries.get(document.id)
            if entry is None or entry.document != document:
                entry, new = Entry(document), new + 1
                if new % _BATCH == 0:
                    searches.give_way()
            entries[document.id] = entry
        with self._lock:
            self._entries, self._ready, self.seen = entries, None, seen

    def search(
        self,
        query: str,
        *,
        limit: int,
        kinds: Collection[str] | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        now: datetime | None = None,
        without_thread: str | None = None,
    ) -> list[Hit]:
        """Return the documents that fit `query` best, the best first; equal ones by recency, then by id.

        `after` is the first moment that counts, `before` the first that does not: either leaves out documents without
        a date. "Last week" counts from `now`, at which a document must not have ended; without it only absolute dates
        are understood. Nothing of `without_thread` is found.

        Raises:
            EmbedderFault: the embedder failed, and there is nothing that fits by words.
        """
        with self._lock:
            if self._ready is None:
                self._ready = Corpus(self._entries.values(), self._vectors, self._tuning)
            corpus = self._ready
            asked = analyse(query, corpus.speakers, now)
            allowed = _allowed(corpus, kinds, after, before) & (corpus.ends > moment(now))
            if without_thread is not None:
                elsewhere = [document.thread_id != without_thread for document in corpus.documents]
                allowed &= np.array(elsewhere, dtype=np.bool_)
            search = Search(corpus, asked, allowed)
        hits = search.hits(limit)
        if search.fault and not hits:
            raise EmbedderFault(
                f"Nothing fits by its words, and its meaning could not be compared: {search.fault}. "
                "Check the embedder (CONCIERGE_EMBEDDER) and its endpoint, then search again."
            )
        return hits


def _allowed(corpus: Corpus, kinds: Collection[str] | None, after: datetime | None, before: datetime | None) -> Allowed:
    allowed: Allowed = corpus.moments >= moment(after)
    if kinds is not None:
        allowed &= np.isin(corpus.kinds, list(kinds))
    if before is not None:
        allowed &= np.isfinite(corpus.moments) & (corpus.moments < moment(before))
    return allowed


class Search:
    """One query to a corpus: the lists that rank its documents, what each is worth besides, and the reasons."""

    def __init__(self, corpus: Corpus, query: Query, allowed: Allowed) -> None:
        self._corpus, self._query, self._allowed, self._tuning = corpus, query, allowed, corpus.tuning
        self._concepts: list[dict[str, float]] = [{term: 1.0} for term in query.forms]
        """For each word of the query its own term, which counts 1, and related terms, which count less."""
        self.fault = ""
        self._ranks: dict[str, tuple[float, Rows]] = {}
        """For each list its weight, and the rank of each document, from 1; 0 for those that it does not rank."""
        asked = dict(self._sides())
        meant: list[tuple[str, float, Matrix | Shares]] = []
        if not query.content:
            meant, asked = [(name, 1.0, side) for name, (_, side) in asked.items()], {}
        elif corpus.vectors and len(corpus):
            try:
                meant = list(self._by_meaning(corpus.vectors))
            except EmbedderFault as error:
                self.fault = str(error)
        held = np.stack([corpus.occurrences(concept) for concept in self._concepts]) if self._concepts else None
        if held is not None and self._tuning.words and held.any():
            meant.insert(0, ("words", self._tuning.words, self._bm25(held)))
        evident = np.zeros(len(corpus), dtype=np.bool_)
        for name, weight, scores in meant:
            rows = self._best(scores, self._tuning.depth)
            ranks = np.zeros(len(corpus), dtype=np.int64)
            ranks[rows] = np.arange(1, len(rows) + 1)
            self._ranks[name] = weight, ranks
            evident |= scores > (self._tuning.least if name.startswith("meaning") else 0.0)
        self._allowed = allowed & evident
        asked["statement"] = self._tuning.statement, self._telling(held)
        whole = 1.0 + sum(weight for weight, _ in asked.values())
        lists = self._shares()
        base: Shares = sum(lists.values(), np.zeros(len(corpus)))
        self._extras = {name: base * weight * shares for name, (weight, shares) in asked.items()}
        self._parts = {name: gained / whole for name, gained in (lists | self._extras).items()}

    def hits(self, limit: int) -> list[Hit]:
        """Return the best `limit` of the allowed documents."""
        scores: Shares = sum(self._parts.values(), np.zeros(len(self._corpus)))
        documents = self._corpus.documents
        return [Hit(documents[row], float(scores[row]), self._why(row)) for row in self._best(scores, limit).tolist()]

    def _best(self, scores: Matrix | Shares, most: int) -> Rows:
        """Return the allowed rows with a score above 0, best first; equal scores in the order of ties."""
        rounded: Shares = np.asarray(np.round(scores, 5), dtype=np.float64)
        rows = np.flatnonzero(self._allowed & (rounded > 0))
        order: Rows = rows[np.lexsort((self._corpus.tie_order[rows], -rounded[rows]))][:most]
        return order

    def _shares(self) -> dict[str, Shares]:
        """Return by list what standing in it gives each document: of what a document gets that is first in all."""
        offset, whole = self._tuning.rank_offset, sum(weight for weight, _ in self._ranks.values())
        return {
            name: np.where(ranks > 0, weight / whole * (offset + 1) / (offset + ranks), 0.0)
            for name, (weight, ranks) in self._ranks.items()
        }

    def _sides(self) -> Iterator[tuple[str, tuple[float, Shares]]]:
        """Yield how documents fit the speakers and the time that the query names, and what that counts for."""
        if self._query.speakers:
            fits = [float(document.speaker in self._query.speakers) for document in self._corpus.documents]
            yield "speaker", (self._tuning.speaker, np.array(fits))
        if self._query.time:
            days = [document.at and document.at.date() for document in self._corpus.documents]
            fit = {day: self._query.time.fit(day) if day else 0.0 for day in set(days)}
            yield "date", (self._tuning.date, np.array([fit[day] for day in days]))

    def _by_meaning(self, vectors: Vectors) -> Iterator[tuple[str, float, Matrix]]:
        """Yield the lists by meaning, and find what is related to the query's words. Raises EmbedderFault."""
        asked, content, *words = vectors.encode([self._query.text, self._query.topic, *self._query.forms.values()])
        near = self._corpus.related(np.stack(words)) if words else []
        for concept, (term, form), related in zip(self._concepts, self._query.forms.items(), near, strict=True):
            if term not in self._query.names and is_spaced(form):
                concept |= {other: self._tuning.related_share * cosine for other, cosine in related.items()}
                concept[term] = 1.0
        by_content, as_asked = self._corpus.near(np.stack([content, asked]))
        if self._tuning.content and content.any():
            yield "meaning", self._tuning.content, by_content
        if self._tuning.asked and asked.any():
            yield "meaning as asked", self._tuning.asked, as_asked

    def _bm25(self, occurrences: Matrix) -> Matrix:
        """Return each document's score, read with its neighbours; `occurrences` have the shape (terms, documents)."""
        tuning, corpus = self._tuning, self._corpus
        weights = [tuning.name if term in self._query.names else 1.0 for term in self._query.forms]
        found = corpus.spread(occurrences)
        average = max(float(corpus.lengths.mean()), 1.0)
        holding = np.count_nonzero(found, axis=1)
        idf = np.log1p((len(corpus) - holding + 0.5) / (holding + 0.5))
        damping = tuning.k1 * (1 - tuning.b + tuning.b * corpus.lengths / average)
        scores: Matrix = (np.asarray(weights) * idf) @ (found * (tuning.k1 + 1) / (found + damping))
        return scores

    def _telling(self, held: Matrix | None) -> Shares:
        """Return how much of a full statement each document is: all of one, if it holds all the query's words."""
        asked = [place for place, term in enumerate(self._query.forms) if term not in self._query.names]
        if held is None or not asked:
            return self._corpus.statements
        return np.where((held[asked] > 0).all(axis=0), 1.0, self._corpus.statements)

    def _why(self, row: int) -> dict[str, Any]:
        forms, own = self._query.forms, dict(sorted(self._corpus.entries[row].forms))
        around = self._corpus.terms_nearby(row) - own.keys()
        related = {
            form: sorted({own[near] for near in concept if near in own and near != term})
            for (term, form), concept in zip(forms.items(), self._concepts, strict=True)
        }
        why: dict[str, Any] = {
            "lists": {
                name: {"rank": int(ranks[row]), "part": float(self._parts[name][row])}
                for name, (_, ranks) in self._ranks.items()
                if ranks[row]
            },
            "matched": [form for term, form in forms.items() if term in own],
            "nearby": [form for term, form in forms.items() if term in around],
            "related": {form: near for form, near in related.items() if near},
        }
        why |= {name: {"part": float(self._parts[name][row])} for name in self._extras if self._parts[name][row]}
        if "speaker" in why:
            why["speaker"]["fits"] = self._corpus.documents[row].speaker
        if "date" in why and self._query.time:
            why["date"]["fits"] = self._query.time.words
        return {**why, "fault": self.fault} if self.fault else why
