"""The conversations of one user, so that forgetting, export and clearing reach each of them."""

from __future__ import annotations

from datetime import datetime

from langgraph.store.base import BaseStore

from memory.records.namespaces import Namespace, encode_label, user_namespace
from memory.records.notes import Record
from memory.records.pages import read_all


class Conversation(Record):
    """One thread of a user, and when its latest session began."""

    thread_id: str
    session_at: datetime


class Conversations:
    """The threads that one user has spoken in and that were not cleared."""

    def __init__(self, store: BaseStore, user_id: str) -> None:
        self._store = store
        self._room: Namespace = user_namespace(user_id, "threads")

    async def add(self, thread_id: str, at: datetime) -> None:
        """A session has begun in this thread."""
        one = Conversation(thread_id=thread_id, session_at=at)
        await self._store.aput(self._room, encode_label(thread_id), one.dump(), index=False)

    async def remove(self, thread_id: str) -> None:
        """The thread is gone."""
        await self._store.adelete(self._room, encode_label(thread_id))

    async def all(self) -> list[Conversation]:
        """Every thread, the latest session first."""
        found = [Conversation.model_validate(item.value) for item in await read_all(self._store, self._room)]
        return sorted(found, key=lambda one: (one.session_at, one.thread_id), reverse=True)
