"""Recall over all that is kept of a user: notes, episodes, and the turns of earlier conversations (S7.2)."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, messages_from_dict
from langgraph.store.base import BaseStore, Item

from graph.errors import InvalidInputError
from stores.memory import Clock, UserMemory, read_under
from stores.namespaces import Namespace, decode_label
from stores.notes import Note

if TYPE_CHECKING:
    from stores.recall import Document, Hit, RecallIndex

Kind = Literal["note", "episode", "turn"]
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

KINDS: tuple[Kind, ...] = ("note", "episode", "turn")
MOST = 6
LONGEST_QUERY = 240
_META = "concierge"


@dataclass(slots=True)
class _Held:
    index: RecallIndex
    documents: dict[str, Document]
    seen: tuple[object, ...]


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
        self._held: OrderedDict[tuple[object, ...], _Held] = OrderedDict()
        self._lock = asyncio.Lock()

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
        async with self._lock:
            held = await self._current(store, memories)
            wanted = limit if without_thread is None else limit + 40
            hits = await asyncio.to_thread(
                held.index.search,
                query,
                limit=wanted,
                kinds=cast("Sequence[Kind]", tuple(scopes)),
                after=after,
                before=before,
                now=self._clock(),
            )
        kept = [hit for hit in hits if hit.document.kind != "turn" or hit.document.thread_id != without_thread]
        return kept[:limit]

    async def scores(self, notes: Sequence[Note], query: str) -> dict[str, float]:
        """How near in meaning each note is to `query`: the cosine by note id; empty without an embedder."""
        if self._embed is None or not notes:
            return {}
        vectors = await asyncio.to_thread(self._embed, [query, *(_note_text(note) for note in notes)])
        asked, *known = vectors
        return {note.id: _cosine(asked, vector) for note, vector in zip(notes, known, strict=True)}

    async def _current(self, store: BaseStore, memories: Sequence[UserMemory]) -> _Held:
        key = (id(store), *(memory.root for memory in memories))
        marks = [await _archive_mark(store, memory.root) for memory in memories]
        seen = (*[await memory.revision() for memory in memories], *marks)
        held = self._held.get(key)
        if held is None or held.seen != seen:
            found = [document for memory in memories for document in await _documents(store, memory)]
            documents = {document.id: document for document in found}
            held = await asyncio.to_thread(self._updated, held, documents, seen)
            self._held[key] = held
        self._held.move_to_end(key)
        while len(self._held) > self._most:
            self._held.popitem(last=False)
        return held

    def _updated(self, held: _Held | None, documents: dict[str, Document], seen: tuple[object, ...]) -> _Held:
        from stores.recall import RecallIndex

        if held is None:
            return _Held(RecallIndex.build(list(documents.values()), embed=self._embed), documents, seen)
        gone = [key for key, one in held.documents.items() if documents.get(key) != one]
        new = [one for key, one in documents.items() if held.documents.get(key) != one]
        held.index.remove(gone)
        held.index.add(new)
        return _Held(held.index, documents, seen)


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


async def _documents(store: BaseStore, memory: UserMemory) -> list[Document]:
    from stores.recall import Document

    found = [_note(note) for note in await memory.notes()]
    found += [
        Document(id=one.id, kind="episode", text=one.text, at=one.ended_at, thread_id=one.thread_id)
        for one in await memory.episodes()
    ]
    threads: dict[str, list[Item]] = {}
    for item in await read_under(store, (*memory.root, "archive")):
        if not item.value.get("private"):
            threads.setdefault(item.namespace[-1], []).append(item)
    for label, items in threads.items():
        found += _turns(decode_label(label), sorted(items, key=lambda item: item.key))
    return found


def _note(note: Note) -> Document:
    from stores.recall import Document

    return Document(id=note.id, kind="note", text=_note_text(note), at=note.created_at)


def _note_text(note: Note) -> str:
    return f"{note.text} ({note.condition})" if note.condition else note.text


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    length = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / length if length else 0.0


def _turns(thread_id: str, items: Sequence[Item]) -> list[Document]:
    from stores.recall import Document

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
