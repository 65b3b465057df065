"""Recalls from all that is kept of a user: notes, episodes, and the turns of earlier conversations."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast, get_args
from weakref import WeakValueDictionary

from langgraph.store.base import BaseStore, Item

from config.errors import InvalidInputError
from memory.recall.document import Document, Hit, Kind, archived, note_document, note_text
from memory.records.episodes import Episode
from memory.records.notes import Note
from memory.records.reading import Namespace, read_under
from memory.records.repository import UserMemory
from memory.records.transaction import Clock
from stores.background import searches
from text.terms import is_spaced, terms

if TYPE_CHECKING:
    from memory.recall.index import RecallIndex

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 6
LONGEST_QUERY = 240
_BATCH = 16
"""Documents that are indexed before others come first."""
_log = logging.getLogger(__name__)


_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What some memories hold: the documents by id, and the notes among them."""

    documents: dict[str, Document]
    notes: tuple[Note, ...]

    def hidden(self, now: datetime, thread_id: str | None) -> set[str]:
        """Return the ids of the notes that are no longer live at `now`, and of what was said in the thread."""
        ended = {note.id for note in self.notes if not note.is_live(now)}
        return ended | {one.id for one in self.documents.values() if one.thread_id and one.thread_id == thread_id}


@dataclass(frozen=True, slots=True)
class _Held:
    index: RecallIndex
    kept: _Kept
    seen: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of some memories; `documents` takes its time over long archives, so call it off the event loop."""

    notes: tuple[Note, ...]
    episodes: tuple[Episode, ...]
    archived: tuple[Item, ...]
    name: str
    """Whose memories they are, as the profile has it."""

    def documents(self) -> list[Document]:
        found = [note_document(note) for note in self.notes]
        found += [
            Document(id=one.id, kind="episode", text=one.text, at=one.ended_at, thread_id=one.thread_id)
            for one in self.episodes
        ]
        return found + archived(self.archived, self.name)


class Recollection:
    """Searches of what is kept of users. An index per user is held in memory and follows what is written.

    Args:
        embed: Makes vectors of texts; None searches by keywords alone.
        clock: The time in UTC.
        most_users: How many users' indexes are held; the one unused for longest goes first.
    """

    def __init__(self, *, embed: Embed | None, clock: Clock, most_users: int = 64) -> None:
        self._embed = embed
        self._clock = clock
        self._most = most_users
        self._held: OrderedDict[_Key, _Held] = OrderedDict()
        self._lock = threading.Lock()
        self._indexing: WeakValueDictionary[_Key, threading.Lock] = WeakValueDictionary()

    async def search(
        self,
        store: BaseStore,
        memories: Sequence[UserMemory],
        query: str,
        *,
        limit: int = 3,
        scopes: Sequence[str] = KINDS,
        after: datetime | None = None,
        before: datetime | None = None,
        without_thread: str | None = None,
    ) -> list[Hit]:
        """Return the best matches, best first, each with a score that explains itself.

        Args:
            store: Where the records are.
            memories: The user's memory, and those of workspaces that the run may read.
            query: 1 to 240 characters.
            limit: 1 to 6.
            scopes: Any of `note`, `episode`, `turn`.
            after: Only what was said or written from then on.
            before: Only what was said or written ahead of then.
            without_thread: A conversation whose turns are left out, being in sight already.

        Raises:
            InvalidInputError: an argument is out of these bounds; the message names it.
        """
        check_query(query, limit, scopes)
        key = (id(store), *(memory.root for memory in memories))
        seen, kept = await self._read(key, store, memories)
        kinds, now = cast("Sequence[Kind]", tuple(scopes)), self._clock()

        def find() -> list[Hit]:
            held = self._follow(key, seen, kept)
            hidden, index = held.kept.hidden(now, without_thread), held.index
            with searches.ahead() if held is kept else nullcontext():
                hits = index.search(query, limit=limit + len(hidden), kinds=kinds, after=after, before=before, now=now)
            return [hit for hit in hits if hit.document.id not in hidden][:limit]

        return await asyncio.to_thread(find)

    async def scores(self, notes: Sequence[Note], query: str, known: dict[str, Any]) -> dict[str, float]:
        """Return how near each note is to `query`, by id: the cosine, or the share of its words without an embedder.

        Args:
            notes: What is compared.
            query: With what. A word or two, as a greeting is, means no more than its words: that loads no embedder.
            known: The vectors of the notes by text, as far as they were made; those of other texts are taken out.
        """
        if self._embed is None or not notes or _is_brief(query):
            return _shared_terms(query, notes)
        import numpy as np

        from memory.recall.meaning import EmbedderFault, Encoder, cosines

        texts = {note.id: note_text(note) for note in notes}
        held = {text: known[text] for text in set(texts.values()) & known.keys()}
        missing = sorted(set(texts.values()) - held.keys())
        try:
            asked, *made = await asyncio.to_thread(Encoder(self._embed).encode, [query, *missing])
        except EmbedderFault as error:
            _log.warning("notes are chosen without meaning: %s", error)
            return _shared_terms(query, notes)
        held |= zip(missing, made, strict=True)
        known.clear()
        known.update(held)
        near = cosines(np.stack([asked]), np.stack([held[text] for text in texts.values()]))[0]
        return dict(zip(texts, near.tolist(), strict=True))

    async def _read(
        self, key: _Key, store: BaseStore, memories: Sequence[UserMemory]
    ) -> tuple[tuple[object, ...], _Held | _Read]:
        """Return what the memories look like now, and what they hold: as it is held already, or read anew."""
        with searches.ahead():
            marks = [await _archive_mark(store, memory.root) for memory in memories]
            seen = (*[await memory.revision() for memory in memories], *marks)
        held = self._held.get(key)
        if held is not None and held.seen == seen:
            return seen, held
        return seen, await _read_all_of(store, memories)

    def _follow(self, key: _Key, seen: tuple[object, ...], kept: _Held | _Read) -> _Held:
        """Return what is held of these memories, brought up to what was read of them; others need not wait for it."""
        with self._lock:
            indexing = self._indexing.setdefault(key, threading.Lock())
        with indexing:
            held = kept if isinstance(kept, _Held) else self._renewed(key, seen, kept)
        with self._lock:
            self._held[key] = held
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return held

    def _renewed(self, key: _Key, seen: tuple[object, ...], read: _Read) -> _Held:
        documents = read.documents()
        kept = _Kept({document.id: document for document in documents}, read.notes)
        return _Held(self._updated(self._held.get(key), kept), kept, seen)

    def _updated(self, held: _Held | None, kept: _Kept) -> RecallIndex:
        from memory.recall.index import RecallIndex

        before, now = held.kept.documents if held else {}, kept.documents
        index = held.index if held else RecallIndex(embed=self._embed)
        index.remove([key for key, one in before.items() if now.get(key) != one])
        fresh = [one for key, one in now.items() if before.get(key) != one]
        for start in range(0, len(fresh), _BATCH):
            index.add(fresh[start : start + _BATCH])
            if start + _BATCH < len(fresh):
                searches.give_way()
        return index


def check_query(query: str, limit: int, scopes: Sequence[str]) -> None:
    """Raise InvalidInputError for what recall does not take."""
    if not query.strip() or len(query) > LONGEST_QUERY:
        raise InvalidInputError(f"The query must have 1 to {LONGEST_QUERY} characters; it has {len(query)}.")
    if not 1 <= limit <= MOST:
        raise InvalidInputError(f"The limit must be 1 to {MOST}; it is {limit}.")
    unknown = [scope for scope in scopes if scope not in KINDS]
    if unknown or not scopes:
        raise InvalidInputError(f"Unknown scope {', '.join(unknown) or '(none)'}; use any of {', '.join(KINDS)}.")


async def _archive_mark(store: BaseStore, root: Namespace) -> object:
    item = await store.aget((*root, "meta"), "archive")
    return (item.value, item.updated_at) if item else None


async def _read_all_of(store: BaseStore, memories: Sequence[UserMemory]) -> _Read:
    return _Read(
        notes=tuple([note for memory in memories for note in await memory.notes()]),
        episodes=tuple([one for memory in memories for one in await memory.episodes()]),
        archived=tuple([item for memory in memories for item in await read_under(store, (*memory.root, "archive"))]),
        name=next(filter(None, [(await memory.profile()).name for memory in memories]), "user"),
    )


def _shared_terms(query: str, notes: Sequence[Note]) -> dict[str, float]:
    wanted = {term for term, _ in terms(query)}
    found = {note.id: wanted & {term for term, _ in terms(note_text(note))} for note in notes}
    return {key: len(shared) / len(wanted) for key, shared in found.items() if shared}


def _is_brief(query: str) -> bool:
    """Return whether `query` has fewer than three words beside grammar; three pairs of unspaced characters are one."""
    found = [is_spaced(form) for _, form in terms(query)]
    return sum(found) + found.count(False) / 3 < 3
