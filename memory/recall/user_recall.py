"""Searches the memory of a user: notes, episodes, and the turns of earlier conversations."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

from langgraph.store.base import BaseStore, Item

from config.errors import InvalidInputError
from memory.recall.document import Document, Hit, Kind, archived, note_text
from memory.records.episodes import Episode
from memory.records.notes import Note
from memory.records.reading import read_under
from memory.records.repository import UserMemory
from memory.records.transaction import Clock
from stores.background import searches
from text.terms import is_spaced, terms

if TYPE_CHECKING:
    from memory.recall.corpus import Embed
    from memory.recall.index import RecallIndex

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 6
LONGEST_QUERY = 240
_MOST_USERS = 64
_log = logging.getLogger(__name__)


class Recollection:
    """Searches the memories of users. It caches an index per user and updates it after each change of the memory.

    Without `embed` it searches by words only. At most 64 indexes are cached; the least recently used is dropped.
    """

    def __init__(self, *, embed: Embed | None, clock: Clock) -> None:
        self._embed = embed
        self._clock = clock

        @lru_cache(maxsize=_MOST_USERS)
        def index_of(_memories: Hashable) -> RecallIndex:
            from memory.recall.index import RecallIndex

            return RecallIndex(embed=embed)

        self._index_of = index_of

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
        """Return the best matches in the given memories (of a user and of workspaces), each with an explained score.

        `query` has 1 to 240 characters, `limit` is 1 to 6, `scopes` are any of `note`, `episode`, `turn`; `after` is
        inclusive, `before` exclusive. Turns and episodes of `without_thread` are excluded.

        Raises:
            InvalidInputError: an argument is out of bounds; the message names it.
            SetupError: the embedder failed, and nothing was found without it.
        """
        check_query(query, limit, scopes)
        index = await asyncio.to_thread(self._index_of, (id(store), *(memory.root for memory in memories)))
        with searches.ahead():
            seen = await _marks(store, memories)
        read = None if index.seen == seen else await _read(store, memories)
        now = self._clock()

        def find() -> list[Hit]:
            if read:
                index.hold(_documents(*read), seen)
            with nullcontext() if read else searches.ahead():
                return index.search(
                    query, limit=limit, kinds=scopes, after=after, before=before, now=now, without_thread=without_thread
                )

        return await asyncio.to_thread(find)

    async def scores(self, notes: Sequence[Note], query: str, cache: dict[str, Any]) -> dict[str, float]:
        """Return the similarity of each note to `query`, by id: the cosine, or the share of the query's terms.

        Terms are compared if there is no embedder, if it fails, or if the query is only a word or two, like a greeting.
        `cache` has vectors by text; it is updated to those of these notes.
        """
        if self._embed is None or not notes or _is_brief(query):
            return _shared_terms(query, notes)
        from memory.recall.corpus import EmbedderFault, Vectors, cosines

        texts = {note.id: note_text(note) for note in notes}
        own_cache = dict(cache)  # a copy: other tasks may use `cache` while this one waits
        vectors = Vectors(self._embed, own_cache)
        try:
            rows = await asyncio.to_thread(vectors.of, [query, *texts.values()])
        except EmbedderFault as error:
            _log.warning("notes are chosen without meaning: %s", error)
            return _shared_terms(query, notes)
        vectors.keep_only(set(texts.values()))
        cache.clear()
        cache.update(own_cache)
        return dict(zip(texts, cosines(rows[:1], rows[1:])[0].tolist(), strict=True))


def check_query(query: str, limit: int, scopes: Sequence[str]) -> None:
    """Raise InvalidInputError if an argument of a search is out of bounds."""
    if not query.strip() or len(query) > LONGEST_QUERY:
        raise InvalidInputError(f"The query must have 1 to {LONGEST_QUERY} characters; it has {len(query)}.")
    if not 1 <= limit <= MOST:
        raise InvalidInputError(f"The limit must be 1 to {MOST}; it is {limit}.")
    unknown = [scope for scope in scopes if scope not in KINDS]
    if unknown or not scopes:
        raise InvalidInputError(f"Unknown scope {', '.join(unknown) or '(none)'}; use any of {', '.join(KINDS)}.")


async def _marks(store: BaseStore, memories: Sequence[UserMemory]) -> tuple[object, ...]:
    """Return a value that differs after every change of the memories and their archives."""
    archives = [await store.aget((*memory.root, "meta"), "archive") for memory in memories]
    return *[item and (item.value, item.updated_at) for item in archives], *[await one.revision() for one in memories]


async def _read(store: BaseStore, memories: Sequence[UserMemory]) -> tuple[list[Note], list[Episode], list[Item], str]:
    """Return the notes, episodes and archived turns of `memories`, and the user's name in the profile, or "user"."""
    return (
        [note for memory in memories for note in await memory.notes()],
        [one for memory in memories for one in await memory.episodes()],
        [item for memory in memories for item in await read_under(store, (*memory.root, "archive"))],
        next(filter(None, [(await memory.profile()).name for memory in memories]), "user"),
    )


def _documents(notes: list[Note], episodes: list[Episode], turns: list[Item], name: str) -> list[Document]:
    documents = [
        Document(id=one.id, kind="note", text=note_text(one), at=one.created_at, ends=one.expires_at) for one in notes
    ]
    documents += [
        Document(id=one.id, kind="episode", text=one.text, at=one.ended_at, thread_id=one.thread_id) for one in episodes
    ]
    return [*documents, *archived(turns, name)]


def _shared_terms(query: str, notes: Sequence[Note]) -> dict[str, float]:
    wanted = {term for term, _ in terms(query)}
    matches = {note.id: wanted & {term for term, _ in terms(note_text(note))} for note in notes}
    return {key: len(shared) / len(wanted) for key, shared in matches.items() if shared}


def _is_brief(query: str) -> bool:
    """Return whether `query` has fewer than three content words; three pairs of unspaced characters count as one."""
    spaced = [is_spaced(form) for _, form in terms(query)]
    return sum(spaced) + spaced.count(False) / 3 < 3
