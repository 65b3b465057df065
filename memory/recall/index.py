"""Indexes notes, episodes and turns for hybrid recall."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from config.errors import InvalidInputError
from memory.recall.corpus import Corpus, Entry, Tuning
from memory.recall.document import Document, Hit, moment
from memory.recall.query import analyse
from memory.recall.search import Search
from memory.recall.vectors import Embed, Vectors
from stores.background import searches

_BATCH = 16
"""Documents that are read before searches of others come first."""


class RecallIndex:
    """Searches documents by words and by meaning, in memory, deterministically and without any model call.

    The same documents give the same answers, in whatever order they come. Safe to use from several threads.

    Args:
        documents: What is searched, until `hold` is given something else.
        embed: Makes vectors of texts; None leaves search to keywords.
        tuning: Other weights than the measured ones.
    """

    def __init__(
        self, documents: Iterable[Document] = (), *, embed: Embed | None = None, tuning: Tuning | None = None
    ) -> None:
        self._tuning = tuning or Tuning()
        self._vectors = Vectors(embed) if embed else None
        self._entries: dict[str, Entry] = {}
        self._ready: Corpus | None = None
        self._lock = threading.Lock()
        self.hold(documents)

    @property
    def documents(self) -> list[Document]:
        """Return the documents that are searched."""
        return [entry.document for entry in self._entries.values()]

    def hold(self, documents: Iterable[Document]) -> None:
        """Search these documents from now on; of two with one id the last counts.

        Terms and vectors of those that stay are kept; vectors of others are made, and let go, by the next search.
        """
        entries: dict[str, Entry] = {}
        new = 0
        for document in documents:
            entry = self._entries.get(document.id)
            if entry is None or entry.document != document:
                entry, new = Entry.of(document), new + 1
                if new % _BATCH == 0:
                    searches.give_way()
            entries[document.id] = entry
        with self._lock:
            self._entries, self._ready = entries, None

    def search(
        self,
        query: str,
        *,
        limit: int,
        kinds: Collection[str] | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        now: datetime | None = None,
    ) -> list[Hit]:
        """Return the documents that fit `query` best, the best first; equal ones by recency, then by id.

        `after` is the first moment that counts, `before` the first that does not: either leaves out documents without
        a date. "Last week" counts from `now`; without it only absolute dates are understood.

        Raises:
            InvalidInputError: when the query is empty or the limit below 1.
        """
        if not query.strip():
            raise InvalidInputError("The query is empty; say what to look for.")
        if limit < 1:
            raise InvalidInputError(f"The limit must be at least 1; it is {limit}.")
        with self._lock:
            corpus = self._corpus()
            asked = analyse(query, corpus.speakers, now)
            return Search(corpus, asked, _allowed(corpus, kinds, after, before)).hits(limit)

    def _corpus(self) -> Corpus:
        if self._ready is None:
            self._ready = Corpus(self._entries.values(), self._vectors, self._tuning)
        return self._ready


def _allowed(
    corpus: Corpus, kinds: Collection[str] | None, after: datetime | None, before: datetime | None
) -> NDArray[np.bool_]:
    allowed = np.ones(len(corpus), dtype=np.bool_)
    if kinds is not None:
        allowed &= np.isin(corpus.kinds, list(kinds))
    if after is not None:
        allowed &= corpus.moments >= moment(after)
    if before is not None:
        allowed &= np.isfinite(corpus.moments) & (corpus.moments < moment(before))
    return allowed
