"""Recall over all that is kept of a user: notes, episodes, and the turns of earlier conversations (S7.2)."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, messages_from_dict
from langgraph.store.base import BaseStore, Item

from config.errors import InvalidInputError
from memory.records.episodes import Episode
from memory.records.namespaces import Namespace, decode_label
from memory.records.notes import Note
from memory.records.pages import read_under
from memory.records.repository import UserMemory
from memory.records.transaction import Clock

if TYPE_CHECKING:
    from memory.recall import Document, Hit, RecallIndex

Kind = Literal["note", "episode", "turn"]
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

KINDS: tuple[Kind, ...] = ("note", "episode", "turn")
MOST = 6
LONGEST_QUERY = 240
_META = "concierge"
_log = logging.getLogger(__name__)


_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What some memories hold: the documents by id, and the notes among them."""

    documents: dict[str, Document]
    notes: tuple[Note, ...]


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

    def documents(self) -> list[Document]:
        from memory.recall import Document

        found = [_note(note) for note in self.notes]
        found += [
            Document(id=one.id, kind="episode", text=one.text, at=one.ended_at, thread_id=one.thread_id)
            for one in self.episodes
        ]
        return found + _archived(self.archived)


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
        """The best matches, best first, each with a score that explains itself.

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
        now = self._clock()

        def find() -> list[Hit]:
            held = self._follow(key, seen, kept)
            hidden = {note.id for note in held.kept.notes if not note.is_live(now)}
            hidden |= {
                one.id for one in held.kept.documents.values() if one.thread_id and one.thread_id == without_thread
            }
            hits = held.index.search(
                query,
                limit=limit + len(hidden),
                kinds=cast("Sequence[Kind]", tuple(scopes)),
                after=after,
                before=before,
                now=now,
            )
            return [hit for hit in hits if hit.document.id not in hidden][:limit]

        return await asyncio.to_thread(find)

    async def scores(self, notes: Sequence[Note], query: str) -> dict[str, float]:
        """How near in meaning each note is to `query`: the cosine by note id; empty without a working embedder."""
        if self._embed is None or not notes:
            return {}
        try:
            vectors = await asyncio.to_thread(self._embed, [query, *(_note_text(note) for note in notes)])
        except Exception as error:  # whatever an embedder raises, a turn can do without it
            _log.warning("notes are chosen without meaning: the embedder failed (%s)", type(error).__name__)
            return {}
        asked, *known = vectors
        return {note.id: _cosine(asked, vector) for note, vector in zip(notes, known, strict=True)}

    async def _read(
        self, key: _Key, store: BaseStore, memories: Sequence[UserMemory]
    ) -> tuple[tuple[object, ...], _Held | _Read]:
        """What the memories look like now, and what they hold: as it is held already, or read anew."""
        marks = [await _archive_mark(store, memory.root) for memory in memories]
        seen = (*[await memory.revision() for memory in memories], *marks)
        held = self._held.get(key)
        if held is not None and held.seen == seen:
            return seen, held
        return seen, await _read_all_of(store, memories)

    def _follow(self, key: _Key, seen: tuple[object, ...], kept: _Held | _Read) -> _Held:
        """What is held of these memories, brought up to what was read of them."""
        with self._lock:
            held = kept if isinstance(kept, _Held) else self._renewed(key, seen, kept)
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
        from memory.recall import RecallIndex

        if held is None:
            return RecallIndex.build(kept.documents.values(), embed=self._embed)
        before, now = held.kept.documents, kept.documents
        held.index.remove([key for key, one in before.items() if now.get(key) != one])
        held.index.add([one for key, one in now.items() if before.get(key) != one])
        return held.index


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
    )


def _archived(items: Sequence[Item]) -> list[Document]:
    threads: dict[str, list[Item]] = {}
    for item in items:
        if not item.value.get("private"):
            threads.setdefault(item.namespace[-1], []).append(item)
    return [
        document
        for label, found in threads.items()
        for document in _turns(decode_label(label), sorted(found, key=lambda item: item.key))
    ]


def _note(note: Note) -> Document:
    from memory.recall import Document

    return Document(id=note.id, kind="note", text=_note_text(note), at=note.created_at)


def _note_text(note: Note) -> str:
    return f"{note.text} ({note.condition})" if note.condition else note.text


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    length = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / length if length else 0.0


def _turns(thread_id: str, items: Sequence[Item]) -> list[Document]:
    from memory.recall import Document

    said = [(message, item) for item in items for message in _spoken(item)]
    return [
        Document(
            id=f"{thread_id}/{message.id}",
            kind="turn",
            text=str(message.text),
            speaker="user" if isinstance(message, HumanMessage) else "assistant",
            at=_said_at(item),
            thread_id=thread_id,
            position=position,
        )
        for position, (message, item) in enumerate(said)
    ]


def _spoken(item: Item) -> list[BaseMessage]:
    messages = messages_from_dict(item.value["messages"])
    return [m for m in messages if isinstance(m, (HumanMessage, AIMessage)) and m.text.strip()]


def _said_at(item: Item) -> datetime | None:
    at = item.value["messages"][0]["data"]["additional_kwargs"].get(_META, {}).get("at")
    return datetime.fromisoformat(at) if at else None
