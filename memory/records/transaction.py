"""Writes the records of one user and the log of their changes together, in order, each step once."""

import secrets
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import fields
from datetime import datetime
from typing import Any, Self, TypeVar

from langgraph.store.base import BaseStore, GetOp, PutOp

from config.errors import ConflictError
from memory.events import publish_steps
from memory.records.journal import USED, Change, JournalEntry, Step
from memory.records.notes import Kind, Record, note_id
from memory.records.reading import Namespace, encode_label, parse, read_under, sound, user_namespace
from stores.locks import exclusive_lock

Clock = Callable[[], datetime]
R = TypeVar("R", bound=Record)
T = TypeVar("T")

_TRIES = 10

ROOM_OF: dict[Kind, str] = {
    "note": "notes", "profile": "profile", "trip": "trips", "episode": "episodes", "consent": "consent",
    "erasure": "erasures", "booking": "bookings",
}  # fmt: skip
_SEARCHED = ("note", "episode")
_COUNTERS = ("revision", "seq", "used")


class OutdatedError(ConflictError):
    """Memory has moved on from what a change was made against."""


async def settled(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what `attempt` gives; it is made again where it raises OutdatedError.

    Raises:
        ConflictError: memory is being changed all the time.
    """
    for _ in range(_TRIES):
        with suppress(OutdatedError):
            return await attempt()
    raise ConflictError("The memory is being changed by somebody else at this moment. Try again.")


class Records:
    """What is kept of one user, or shared in one workspace, as records. `clock` gives the time in UTC of a write."""

    def __init__(self, store: BaseStore, user_id: str, *, clock: Clock, root: Namespace | None = None) -> None:
        self.store = store
        self.user_id = user_id
        self.root = root or user_namespace(user_id)
        """The namespace that everything of this memory lies under."""
        self._clock = clock

    @classmethod
    def of_workspace(cls, store: BaseStore, workspace: str, *, clock: Clock) -> Self:
        """Return what all users who name this workspace share."""
        return cls(store, workspace, clock=clock, root=("workspaces", encode_label(workspace)))

    async def kept(self, model: type[R]) -> list[R]:
        """Return all records of one kind, by key."""
        return sound(model, await read_under(self.store, (*self.root, ROOM_OF[model.stored_as])))

    async def journal(self) -> list[JournalEntry]:
        """Return all entries, oldest first."""
        found = sound(JournalEntry, await read_under(self.store, (*self.root, "journal")))
        return sorted(found, key=lambda entry: entry.seq)

    async def revision(self) -> int:
        """Moves with every change of what is remembered; accounts of use and refusals leave it."""
        return (await self._counters())[0]["revision"]

    async def mark(self) -> Hashable:
        """Return what differs after every change of what a turn reads, a note's first use of a day included."""
        item = await self.store.aget((*self.root, "meta"), "revision")
        return (item.created_at, str(item.value.get("revision")), str(item.value.get("used"))) if item else None

    async def hash_key(self) -> bytes:
        """Return the key of the hashes of refused and forgotten texts; it is made at first use, kept with the user."""
        async with self._locked():
            if (kept := await self.kept_hash_key()) is not None:
                return kept
            key = secrets.token_bytes(32)
            await self.store.aput((*self.root, "meta"), "hash_key", {"key": key.hex()}, index=False)
        return key

    async def kept_hash_key(self) -> bytes | None:
        """Return the key of the hashes; None where none was needed yet, or it is no key."""
        item = await self.store.aget((*self.root, "meta"), "hash_key")
        try:
            return bytes.fromhex(item.value["key"]) if item else None
        except (KeyError, TypeError, ValueError):
            return None

    async def kept_verdicts(self) -> frozenset[str]:
        """Return the names of the texts that the screen let through when they were shown last."""
        item = await self.store.aget((*self.root, "meta"), "screened")
        names = item.value.get("safe") if item else None
        return frozenset(map(str, names)) if isinstance(names, list) else frozenset()

    async def keep_verdicts(self, names: Iterable[str]) -> None:
        """Keep these names in place of those before, so that the next process need not screen their texts again."""
        await self.store.aput((*self.root, "meta"), "screened", {"safe": sorted(names)}, index=False)

    async def record(self, kind: Kind, key: str) -> dict[str, Any] | None:
        """Return one record as it is kept; None where there is none."""
        item = await self.store.aget((*self.root, ROOM_OF[kind]), key)
        return dict(item.value) if item else None

    async def written(self) -> int:
        """Return the number of the latest journal entry; 0 before the first."""
        return (await self._counters())[0]["seq"]

    async def commit(
        self,
        steps: Sequence[Step],
        *,
        expected: int | None = None,
        expected_seq: int | None = None,
        after_seq: int = 0,
        also: Sequence[PutOp] = (),
    ) -> bool:
        """Write `steps`, and `also`, in one batch, all or nothing; False when the first of them was written before.

        Each step is one entry of the journal, numbered from behind `after_seq` where the journal has not come as far.

        Raises:
            OutdatedError: memory has moved on from revision `expected`, or its journal from number `expected_seq`,
                against which the steps were made; read it again.
        """
        if not steps:
            return False
        async with self._locked():
            at, is_written = await self._counters(steps[0].name)
            if is_written:
                return False
            for name, wanted in (("revision", expected), ("seq", expected_seq)):
                if wanted is not None and at[name] != wanted:
                    raise OutdatedError(f"The memory is at {name} {at[name]}, not {wanted}. Read it again and retry.")
            await self._write(steps, {**at, "seq": max(at["seq"], after_seq)}, also)
            return True

    async def revise(self, make: Callable[[], Awaitable[tuple[T, Sequence[Step]]]]) -> T:
        """Return what `make` gives, once its steps are written against the very memory that it read.

        Where somebody else wrote meanwhile, `make` is called again.

        Raises:
            ConflictError: memory is being changed all the time.
        """

        async def attempt() -> T:
            revision = await self.revision()
            result, steps = await make()
            await self.commit(steps, expected=revision)
            return result

        return await settled(attempt)

    async def entry_of(self, step: str) -> JournalEntry | None:
        """Return the entry of the step of this name; None where it was not written."""
        item = await self.store.aget((*self.root, "journal"), self.entry_id(step))
        return parse(JournalEntry, item) if item else None

    async def _counters(self, before: str = "") -> tuple[dict[str, int], bool]:
        """Return the counters, and whether the step of the name `before` (if any) was written, read at once."""
        entry = [GetOp((*self.root, "journal"), self.entry_id(before))] if before else []
        found: list[Any] = await self.store.abatch([GetOp((*self.root, "meta"), "revision"), *entry])
        item, is_written = found[0], any(found[1:])
        if item is None:
            return dict.fromkeys(_COUNTERS, 0), is_written
        try:
            whole = {"seq": item.value["revision"], "used": 0, **item.value}  # earlier versions kept one number
            return {name: int(whole[name]) for name in _COUNTERS}, is_written
        except (KeyError, TypeError, ValueError):  # the journal has the last number, which is no smaller
            return dict.fromkeys(_COUNTERS, max((entry.seq for entry in await self.journal()), default=0)), is_written

    async def _write(self, steps: Sequence[Step], at: dict[str, int], also: Sequence[PutOp] = ()) -> None:
        """Write `steps` as the next ones after the counters `at`, and `also`, in one batch."""
        entries = [self._entry(step, seq) for seq, step in enumerate(steps, start=at["seq"] + 1)]
        ops = [self._put(change) for step in steps for change in step.changes]
        ops += [PutOp((*self.root, "journal"), one.id, one.dump(), index=False) for one in entries]
        told = [step for step in steps if step.action != USED]
        moved = sum(bool(step.changes) for step in told) or bool(told and also)
        value = {**at, "seq": at["seq"] + len(steps), "revision": at["revision"] + moved}
        counters = PutOp((*self.root, "meta"), "revision", value, index=False)
        await self.store.abatch([*also, *ops, counters])
        publish_steps(self.store, self.user_id, steps)

    def _put(self, change: Change) -> PutOp:
        namespace = (*self.root, ROOM_OF[change.kind])
        return PutOp(namespace, change.key, change.after, index=None if change.kind in _SEARCHED else False)

    def _entry(self, step: Step, seq: int) -> JournalEntry:
        told = {one.name: getattr(step, one.name) for one in fields(step) if one.name != "name"}
        return JournalEntry(id=self.entry_id(step.name or f"{step.action}:{seq}"), seq=seq, at=self._clock(), **told)

    def entry_id(self, step: str) -> str:
        """Return the id of the journal entry of the step of this name, written or not."""
        return note_id("journal", *self.root, step)

    def _locked(self) -> AbstractAsyncContextManager[None]:
        return exclusive_lock(self.store, "/".join(self.root))
