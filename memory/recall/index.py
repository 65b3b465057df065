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
"""The number of new documents that are read before the thread gives way to other searches."""


class RecallIndex:
    """Searches documents by words and by meaning, in memory, deterministically and without any model call.

    The order of the documents does not matter. Safe to use from several threads.

    `documents` are searched until `hold` replaces them. Without `embed`, documents are searched by words only.
    """

    def __init__(
        self, documents: Iterable[Document] = (), *, embed: Embed | None = None, tuning: Tuning | None = None
    ) -> None:
        self._tuning = tuning or Tuning()
        self._vectors = Vectors(embed) if embed else None
        self._entries: dict[str, Entry] = {}
        self.seen: object = None
        """The version of the documents' source, as given to `hold`."""
        self._corpus: Corpus | None = None
        self._lock = threading.Lock()
        self.hold(documents)

    @property
    def documents(self) -> list[Document]:
        """Return the documents in the index."""
        return [entry.document for entry in self._entries.values()]

    def hold(self, documents: Iterable[Document], seen: object = None) -> None:
        """Replace the documents in the index; of two with the same id the last one counts.

        Terms and vectors of unchanged documents are reused. The next search makes and drops vectors as needed.
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
            self._entries, self._corpus, self.seen = entries, None, seen

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

        `after` is inclusive, `before` exclusive; either excludes documents without a date. "Last week" is relative to
        `now`, at which a document must not have ended; without `now` only absolute dates are understood. Documents of
        `without_thread` are excluded.

        Raises:
            EmbedderFault: the embedder failed, and no document matches by words.
        """
        with self._lock:
            if self._corpus is None:
                self._corpus = Corpus(self._entries.values(), self._vectors, self._tuning)
            corpus = self._corpus
            allowed = _allowed(corpus, kinds, after, before) & (corpus.ends > moment(now))
            if without_thread is not None:
                elsewhere = [document.thread_id != without_thread for document in corpus.documents]
                allowed &= np.array(elsewhere, dtype=np.bool_)
            search = Search(corpus, analyse(query, corpus.speakers, now), allowed)
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
    """One query to a corpus: the rankings of its documents, their bonuses, and the reasons for each hit."""

    def __init__(self, corpus: Corpus, query: Query, allowed: Allowed) -> None:
        self._corpus, self._query, self._allowed, self._tuning = corpus, query, allowed, corpus.tuning
        self._concepts: list[dict[str, float]] = [{term: 1.0} for term in query.forms]
        """For each word of the query its own term with the weight 1, and related terms with smaller weights."""
        self.fault = ""
        self._ranks: dict[str, tuple[float, Rows]] = {}
        """For each ranking its weight, and the rank of each document, from 1; 0 for documents that it leaves out."""
        bonuses = dict(self._speaker_and_time())
        rankings: list[tuple[str, float, Matrix | Shares]] = []
        if not query.content:
            rankings, bonuses = [(name, 1.0, fits) for name, (_, fits) in bonuses.items()], {}
        elif corpus.vectors and len(corpus):
            try:
                rankings = list(self._by_meaning(corpus.vectors))
            except EmbedderFault as error:
                self.fault = str(error)
        counts = np.stack([corpus.occurrences(concept) for concept in self._concepts]) if self._concepts else None
        if counts is not None and self._tuning.words and counts.any():
            rankings.insert(0, ("words", self._tuning.words, self._bm25(counts)))
        matching = np.zeros(len(corpus), dtype=np.bool_)
        for name, weight, scores in rankings:
            rows = self._best(scores, self._tuning.depth)
            ranks = np.zeros(len(corpus), dtype=np.int64)
            ranks[rows] = np.arange(1, len(rows) + 1)
            self._ranks[name] = weight, ranks
            matching |= scores > (self._tuning.least if name.startswith("meaning") else 0.0)
        self._allowed = allowed & matching
        bonuses["statement"] = self._tuning.statement, self._statements(counts)
        highest = 1.0 + sum(weight for weight, _ in bonuses.values())
        shares = self._shares()
        base: Shares = sum(shares.values(), np.zeros(len(corpus)))
        self._bonuses = {name: base * weight * fits for name, (weight, fits) in bonuses.items()}
        self._parts = {name: part / highest for name, part in (shares | self._bonuses).items()}

    def hits(self, limit: int) -> list[Hit]:
        """Return the best allowed documents, at most `limit`."""
        scores: Shares = sum(self._parts.values(), np.zeros(len(self._corpus)))
        documents = self._corpus.documents
        return [Hit(documents[row], float(scores[row]), self._why(row)) for row in self._best(scores, limit).tolist()]

    def _best(self, scores: Matrix | Shares, most: int) -> Rows:
        """Return the allowed rows with a score above 0, best first; equal scores by recency, then by id."""
        rounded: Shares = np.asarray(np.round(scores, 5), dtype=np.float64)
        rows = np.flatnonzero(self._allowed & (rounded > 0))
        order: Rows = rows[np.lexsort((self._corpus.tie_order[rows], -rounded[rows]))][:most]
        return order

    def _shares(self) -> dict[str, Shares]:
        """Return the score of each document by ranking; a document that is first in all rankings has 1 in total."""
        offset, total = self._tuning.rank_offset, sum(weight for weight, _ in self._ranks.values())
        return {
            name: np.where(ranks > 0, weight / total * (offset + 1) / (offset + ranks), 0.0)
            for name, (weight, ranks) in self._ranks.items()
        }

    def _speaker_and_time(self) -> Iterator[tuple[str, tuple[float, Shares]]]:
        """Yield how well each document fits the speakers and the time that the query names, with the weights."""
        if self._query.speakers:
            fits = [float(document.speaker in self._query.speakers) for document in self._corpus.documents]
            yield "speaker", (self._tuning.speaker, np.array(fits))
        if self._query.time:
            days = [document.at and document.at.date() for document in self._corpus.documents]
            fit = {day: self._query.time.fit(day) if day else 0.0 for day in set(days)}
            yield "date", (self._tuning.date, np.array([fit[day] for day in days]))

    def _by_meaning(self, vectors: Vectors) -> Iterator[tuple[str, float, Matrix]]:
        """Yield the rankings by meaning, and add related terms to the query's concepts. Raises EmbedderFault."""
        whole, content, *words = vectors.encode([self._query.text, self._query.topic, *self._query.forms.values()])
        near = self._corpus.related(np.stack(words)) if words else []
        for concept, (term, form), related in zip(self._concepts, self._query.forms.items(), near, strict=True):
            if term not in self._query.names and is_spaced(form):
                concept |= {other: self._tuning.related_share * cosine for other, cosine in related.items()}
                concept[term] = 1.0
        by_content, by_whole = self._corpus.near(np.stack([content, whole]))
        if self._tuning.content and content.any():
            yield "meaning", self._tuning.content, by_content
        if self._tuning.asked and whole.any():
            yield "meaning as asked", self._tuning.asked, by_whole

    def _bm25(self, occurrences: Matrix) -> Matrix:
        """Return the score of each document with its neighbours; `occurrences` have the shape (terms, documents)."""
        tuning, corpus = self._tuning, self._corpus
        weights = [tuning.name if term in self._query.names else 1.0 for term in self._query.forms]
        frequencies = corpus.spread(occurrences)
        average = max(float(corpus.lengths.mean()), 1.0)
        containing = np.count_nonzero(frequencies, axis=1)
        idf = np.log1p((len(corpus) - containing + 0.5) / (containing + 0.5))
        damping = tuning.k1 * (1 - tuning.b + tuning.b * corpus.lengths / average)
        scores: Matrix = (np.asarray(weights) * idf) @ (frequencies * (tuning.k1 + 1) / (frequencies + damping))
        return scores

    def _statements(self, counts: Matrix | None) -> Shares:
        """Return how close each document is to a full statement: 1 if it has all words of the query but names."""
        rows = [row for row, term in enumerate(self._query.forms) if term not in self._query.names]
        if counts is None or not rows:
            return self._corpus.statements
        return np.where((counts[rows] > 0).all(axis=0), 1.0, self._corpus.statements)

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
        why |= {name: {"part": float(self._parts[name][row])} for name in self._bonuses if self._parts[name][row]}
        if "speaker" in why:
            why["speaker"]["fits"] = self._corpus.documents[row].speaker
        if "date" in why and self._query.time:
            why["date"]["fits"] = self._query.time.words
        return {**why, "fault": self.fault} if self.fault else why
