"""A user's long-term memory: a typed repository over any LangGraph `BaseStore`.

Reads never change anything. Every change goes through `commit`, which writes the records, the journal entries and
the new revision in one batch, and writes a step of one name only once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from langgraph.store.base import BaseStore, Item, PutOp
from pydantic import ValidationError

from graph.errors import ConflictError, InvalidInputError, NotFoundError, StorageError
from stores.alone import alone
from stores.episodes import Episode
from stores.journal import Actor, Change, JournalEntry, Kind
from stores.namespaces import Namespace, user_namespace, workspace_namespace
from stores.notes import Note, Record, note_id
from stores.profile import Profile
from stores.trips import Trip

Clock = Callable[[], datetime]
R = TypeVar("R", bound=Record)

_PAGE = 500
_ROOMS = {"note": "notes", "profile": "profile", "trip": "trips", "episode": "episodes"}
_SEARCHED = ("note", "episode")


async def read_all(store: BaseStore, namespace: Namespace) -> list[Item]:
    """All items of exactly this namespace, by key."""
    found = await read_under(store, namespace)
    return sorted((item for item in found if tuple(item.namespace) == namespace), key=lambda item: item.key)


async def read_under(store: BaseStore, prefix: Namespace) -> list[Item]:
    """All items of this namespace and those below it, each once."""
    items: dict[tuple[Namespace, str], Item] = {}
    offset = 0
    while page := await store.asearch(prefix, limit=_PAGE, offset=offset):
        items.update(((tuple(item.namespace), item.key), item) for item in page)
        offset += len(page)
        if len(page) < _PAGE:
            break
    return list(items.values())


@dataclass(frozen=True, slots=True)
class Step:
    """One step of memory: its name, under which it happens once, and what the journal tells of it."""

    name: str
    actor: Actor
    action: str
    changes: tuple[Change, ...] = ()
    reason: str = ""
    thread_id: str = ""
    code: str | None = None
    digest: str | None = None


class UserMemory:
    """What is kept of one user, or shared in one workspace. `clock` gives the time in UTC of what is written."""

    def __init__(self, store: BaseStore, user_id: str, *, clock: Clock, root: Namespace | None = None) -> None:
        self._store = store
        self._clock = clock
        self.user_id = user_id
        self._root = root or user_namespace(user_id)

    @classmethod
    def of_workspace(cls, store: BaseStore, workspace: str, *, clock: Clock) -> UserMemory:
        """What all users who name this workspace share."""
        return cls(store, workspace, clock=clock, root=workspace_namespace(workspace))

    @property
    def root(self) -> Namespace:
        """The namespace that everything of this memory lies under."""
        return self._root

    async def notes(self, *, include_inactive: bool = False) -> list[Note]:
        """Global notes, newest first; expired and superseded ones only on request."""
        now = self._clock()
        found = [_parse(Note, item) for item in await read_all(self._store, (*self._root, "notes"))]
        live = [note for note in found if include_inactive or note.is_live(now)]
        return sorted(live, key=lambda note: (note.last_update_date, note.created_at, note.id), reverse=True)

    async def note(self, key: str) -> Note:
        """One note by id, whatever its status. Raises NotFoundError."""
        item = await self._store.aget((*self._root, "notes"), key)
        if item is None:
            raise NotFoundError(f"There is no note {key}. `concierge memory list` shows the ids.")
        return _parse(Note, item)

    async def search(self, query: str, *, limit: int = 6) -> list[tuple[Note, float | None]]:
        """Live notes nearest in meaning to `query` with their scores, best first."""
        hits = await self._store.asearch((*self._root, "notes"), query=query, filter={"status": "active"}, limit=limit)
        now = self._clock()
        found = [(_parse(Note, hit), hit.score) for hit in hits]
        return [(note, score) for note, score in found if note.is_live(now)]

    async def profile(self) -> Profile:
        """The profile; an empty one where nothing is known."""
        item = await self._store.aget((*self._root, "profile"), "profile")
        return _parse(Profile, item) if item else Profile()

    async def trips(self) -> list[Trip]:
        """Trips, the latest start first."""
        found = [_parse(Trip, item) for item in await read_all(self._store, (*self._root, "trips"))]
        return sorted(found, key=lambda trip: (trip.start, trip.id), reverse=True)

    async def episodes(
        self, *, thread_id: str | None = None, after: datetime | None = None, before: datetime | None = None
    ) -> list[Episode]:
        """Finished sessions, the latest first; of one thread, ended from `after` on and ahead of `before`."""
        found = [_parse(Episode, item) for item in await read_all(self._store, (*self._root, "episodes"))]
        kept = [
            one
            for one in found
            if (thread_id is None or one.thread_id == thread_id)
            and (after is None or one.ended_at >= after)
            and (before is None or one.ended_at < before)
        ]
        return sorted(kept, key=lambda one: (one.ended_at, one.id), reverse=True)

    async def forget_episodes(
        self,
        *,
        ids: Sequence[str] = (),
        thread_id: str | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
    ) -> int:
        """Delete episodes by id, or all of a thread or a time range, and their telling in the journal; how many.

        Raises:
            InvalidInputError: nothing is named; `episodes()` gives the ids of all.
        """
        if not ids and thread_id is None and after is None and before is None:
            raise InvalidInputError("Name the episodes to forget: ids, a thread, or a range of time.")
        found = await self.episodes(thread_id=thread_id, after=after, before=before)
        gone = [one.id for one in found if not ids or one.id in ids]
        for key in gone:
            await self._erase("episode", key, actor="user", thread_id="")
        return len(gone)

    async def journal(self) -> list[JournalEntry]:
        """All entries, oldest first."""
        found = [_parse(JournalEntry, item) for item in await read_all(self._store, (*self._root, "journal"))]
        return sorted(found, key=lambda entry: entry.seq)

    async def revision(self) -> int:
        """How many steps this memory has seen; it moves with every change."""
        item = await self._store.aget((*self._root, "meta"), "revision")
        return int(item.value["revision"]) if item else 0

    async def hash_key(self) -> bytes:
        """The key of the hashes that stand for refused and forgotten texts; made at first use, kept with the user."""
        namespace = (*self._root, "meta")
        async with self._alone():
            item = await self._store.aget(namespace, "hash_key")
            if item is None:
                key = secrets.token_hex(32)
                await self._store.aput(namespace, "hash_key", {"key": key}, index=False)
            else:
                key = str(item.value["key"])
        return bytes.fromhex(key)

    async def commit(self, steps: Sequence[Step], *, expected: int | None = None) -> bool:
        """Write `steps` in one batch, all or nothing; False when the first of them was written before.

        Raises:
            ConflictError: memory has moved on from revision `expected`; read it again.
        """
        if not steps:
            return False
        async with self._alone():
            if await self.has_step(steps[0].name):
                return False
            seq = await self.revision()
            if expected is not None and seq != expected:
                raise ConflictError(f"The memory is at revision {seq}, not {expected}. Read it again and retry.")
            ops: list[PutOp] = []
            for step in steps:
                seq += 1
                ops += [*map(self._put, step.changes), self._log(self._entry(step, seq))]
            await self._store.abatch([*ops, self._revision(seq)])
            return True

    async def set_profile(self, profile: Profile, *, step: str, actor: Actor = "system") -> bool:
        """Replace the profile; False when this step was written before."""
        before = (await self.profile()).dump()
        change = Change(kind="profile", key="profile", before=before, after=profile.dump())
        return await self.commit([Step(step, actor, "profile_set", (change,))])

    async def add_trip(self, trip: Trip, *, actor: Actor = "system") -> bool:
        """Add a trip once."""
        change = Change(kind="trip", key=trip.id, before=None, after=trip.dump())
        return await self.commit([Step(f"trip:{trip.id}", actor, "trip_added", (change,))])

    async def has_step(self, name: str) -> bool:
        """True when the step of this name was written."""
        return await self._store.aget((*self._root, "journal"), self._journal_key(name)) is not None

    async def forget(self, key: str, *, actor: Actor = "user", thread_id: str = "", step: str = "") -> Note:
        """Delete a note and every telling of it in the journal; the journal keeps that something was forgotten.

        Raises:
            NotFoundError: there is no such note.
        """
        note = await self.note(key)
        await self._erase("note", key, actor=actor, thread_id=thread_id, name=step)
        return note

    async def _erase(self, kind: Kind, key: str, *, actor: Actor, thread_id: str, name: str = "") -> None:
        async with self._alone():
            told = [
                self._log(entry.without_text(key))
                for entry in await self.journal()
                if any(change.key == key for change in entry.changes)
            ]
            seq = await self.revision() + 1
            gone = Change(kind=kind, key=key, before=None, after=None)
            step = Step(name or f"forget:{key}:{seq}", actor, "forgotten", (gone,), thread_id=thread_id)
            await self._store.abatch([self._put(gone), *told, self._log(self._entry(step, seq)), self._revision(seq)])

    def _put(self, change: Change) -> PutOp:
        namespace = (*self._root, _ROOMS[change.kind])
        return PutOp(namespace, change.key, change.after, index=None if change.kind in _SEARCHED else False)

    def _entry(self, step: Step, seq: int) -> JournalEntry:
        return JournalEntry(
            id=self._journal_key(step.name),
            seq=seq,
            at=self._clock(),
            actor=step.actor,
            action=step.action,
            reason=step.reason,
            thread_id=step.thread_id,
            changes=step.changes,
            code=step.code,
            hash=step.digest,
        )

    def _journal_key(self, step: str) -> str:
        return note_id("journal", *self._root, step)

    def _log(self, entry: JournalEntry) -> PutOp:
        return PutOp((*self._root, "journal"), entry.id, entry.dump(), index=False)

    def _revision(self, seq: int) -> PutOp:
        return PutOp((*self._root, "meta"), "revision", {"revision": seq}, index=False)

    def _alone(self) -> AbstractAsyncContextManager[None]:
        """One writer per user at a time, in all processes that share the store."""
        return alone(self._store, "/".join(self._root))


def _parse(kind: type[R], item: Item) -> R:
    try:
        return kind.model_validate(item.value)
    except ValidationError as error:
        raise StorageError(
            f"The record {item.key} in {'/'.join(item.namespace)} is not a valid {kind.__name__}: {error}. "
            "Restore it from an export, or delete it."
        ) from error


def changed(before: Note | None, after: Note) -> Change:
    """The change from one version of a note to the next."""
    return Change(kind="note", key=after.id, before=before.dump() if before else None, after=after.dump())
