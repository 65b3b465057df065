"""Lists the threads of a user, and the sessions that are still open across threads and restarts."""

from __future__ import annotations

from datetime import datetime

from langgraph.store.base import BaseStore

from memory.records.notes import Record
from memory.records.reading import Namespace, encode_label, read_all, sound, user_namespace


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
        """Return every thread, the latest session first."""
        found = sound(Conversation, await read_all(self._store, self._room))
        return sorted(found, key=lambda one: (one.session_at, one.thread_id), reverse=True)


_OPEN = ("sessions", "open")


class OpenSession(Record):
    """One session that has not been consolidated yet; somebody last spoke in it at `last_at`, in the turn `turn`."""

    user_id: str
    thread_id: str
    session_id: str
    last_at: datetime
    turn: int = 0


class OpenSessions:
    """The open sessions of one store."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store

    async def touch(self, session: OpenSession) -> None:
        """Somebody spoke: the session is open, and was last used then."""
        await self._store.aput(_OPEN, encode_label(session.thread_id), session.dump(), index=False)

    async def close(self, thread_id: str) -> None:
        """The thread's session is over, or the thread is gone."""
        await self._store.adelete(_OPEN, encode_label(thread_id))

    async def of(self, thread_id: str) -> OpenSession | None:
        """Return the thread's open session; None where there is none."""
        found = await self._store.aget(_OPEN, encode_label(thread_id))
        return next(iter(sound(OpenSession, [found] if found else [])), None)

    async def idle_since(self, moment: datetime) -> list[OpenSession]:
        """Return sessions in which nobody has spoken since `moment`, the one idle for longest first."""
        found = sound(OpenSession, await read_all(self._store, _OPEN))
        return sorted((one for one in found if one.last_at <= moment), key=lambda one: (one.last_at, one.thread_id))
