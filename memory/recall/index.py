"""Indexes notes, episodes and turns for hybrid recall."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from config.errors import InvalidInputError
from memory.recall.document import Document, Hit, Kind, moment
from memory.recall.layout import Entry, Layout, statement
from memory.recall.meaning import Embed, Encoder, Vectors, Vocabulary
from memory.recall.query import analyse
from memory.recall.search import Search
from memory.recall.tuning import Tuning
from text.terms import terms


class RecallIndex:
    """Searches documents by words and by meaning, in memory, deterministically and without any model call.

    The same documents give the same answers, however they were added. Safe to use from several threads.
    """

    def __init__(self, *, embed: Embed | None = None, tuning: Tuning | None = None) -> None:
        """An empty index.

        Args:
            embed: Makes vectors of texts; None leaves search to keywords.
            tuning: Other weights than the measured ones.
        """
        self._tuning = tuning or Tuning()
        self._vocabulary = Vocabulary()
        self._vectors = Vectors(Encoder(embed)) if embed else None
        self._entries: dict[str, Entry] = {}
        self._ready: Search | None = None
        self._lock = threading.Lock()

    @classmethod
    def build(
        cls, documents: Iterable[Document], *, embed: Embed | None = None, tuning: Tuning | None = None
    ) -> RecallIndex:
        """Return an index over `documents`, ready to search: what an embedder is needed for is done.

        A failing embedder is not an error here; it is asked again by the next search, which says so if it fails then.
        """
        index = cls(embed=embed, tuning=tuning)
        index.add(documents)
        index._search().warm()
        return index

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, documents: Iterable[Document]) -> None:
        """Add `documents`; one whose id is known replaces the known one. Vectors are made by the next search."""
        with self._lock:
            for document in documents:
                self._forget(document.id)
                self._entries[document.id] = _entry(document, self._vocabulary)
            self._ready = None

    def remove(self, ids: Iterable[str]) -> None:
        """Remove the documents with these ids, their words and their vectors; unknown ids are passed over."""
        with self._lock:
            for known in ids:
                self._forget(known)
            self._ready = None

    def search(
        self,
        query: str,
        *,
        limit: int,
        kinds: Collection[Kind] | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        now: datetime | None = None,
    ) -> list[Hit]:
        """Return the documents that fit `query` best, the best first; equal ones by recency, then by id.

        Args:
            query: What to look for, in the user's words.
            limit: At most so many hits.
            kinds: Only documents of these kinds.
            after: Only documents of this moment or later; those without a date are left out.
            before: Only documents earlier than this moment; those without a date are left out.
            now: What "last week" counts from; without it only absolute dates are understood.

        Raises:
            InvalidInputError: when the query is empty or the limit below 1.
        """
        if not query.strip():
            raise InvalidInputError("The query is empty; say what to look for.")
        if limit < 1:
            raise InvalidInputError(f"The limit must be at least 1; it is {limit}.")
        with self._lock:
            search = self._search()
            asked = analyse(query, search.layout.speakers, now)
            allowed = _allowed(search.layout, kinds, after, before)
            return search.find(asked, allowed, limit)

    def _search(self) -> Search:
        if self._ready is None:
            layout = Layout(list(self._entries.values()), len(self._vocabulary))
            self._ready = Search(layout, self._vocabulary, self._vectors, self._tuning)
        return self._ready

    def _forget(self, known: str) -> None:
        entry = self._entries.pop(known, None)
        if entry is None:
            return
        self._vocabulary.drop(entry.forms)
        if self._vectors:
            self._vectors.drop(known)


def _entry(document: Document, vocabulary: Vocabulary) -> Entry:
    found = terms(document.text)
    forms = tuple(sorted(set(found)))
    counts = Counter(term for term, _ in found)
    return Entry(
        document,
        np.array(vocabulary.take(forms, counts), dtype=np.int32),
        np.array(list(counts.values()), dtype=np.float32),
        len(found),
        forms,
        statement(document, len(found)),
    )


def _allowed(
    layout: Layout, kinds: Collection[Kind] | None, after: datetime | None, before: datetime | None
) -> NDArray[np.bool_]:
    allowed = np.ones(len(layout), dtype=np.bool_)
    if kinds is not None:
        allowed &= np.isin(layout.kinds, list(kinds))
    if after is not None:
        allowed &= layout.moments >= moment(after)
    if before is not None:
        allowed &= np.isfinite(layout.moments) & (layout.moments < moment(before))
    return allowed
