"""Writes the records of one user together with the journal of their changes, in order, each step only once."""

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
    """The memory was changed after the state that a write is based on was read."""


async def settled(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `attempt`, which is repeated if it raises OutdatedError.

    Raises:
        ConflictError: ten attempts in a row were outdated.
    """
    for _ in range(_TRIES):
        with suppress(OutdatedError):
            return await attempt()
    raise ConflictError("The memory is being changed by somebody else at this moment. Try again.")


class Records:
    """The records of one user or one workspace. `clock` returns the current time in UTC."""

    def __init__(self, store: BaseStore, user_id: str, *, clock: Clock, root: Namespace | None = None) -> None:
        self.store = store
        self.user_id = user_id
        self.root = root or user_namespace(user_id)
        """The namespace that contains all records of this memory."""
        self._clock = clock

    @classmethod
    def of_workspace(cls, store: BaseStore, workspace: str, *, clock: Clock) -> Self:
        """Return the memory that the users of this workspace share."""
        return cls(store, workspace, clock=clock, root=("workspaces", encode_label(workspace)))

    async def kept(self, model: type[R]) -> list[R]:
        """Return all records of one kind, sorted by key."""
        return sound(model, await read_under(self.store, (*self.root, ROOM_OF[model.stored_as])))

    async def journal(self) -> list[JournalEntry]:
        """Return all journal entries, oldest first."""
        entries = sound(JournalEntry, await read_under(self.store, (*self.root, "journal")))
        return sorted(entries, key=lambda entry: entry.seq)

    async def revision(self) -> int:
        """Return the number that grows with every change of a record, but not with journalled uses and refusals."""
        return (await self._counters())[0]["revision"]

    async def mark(self) -> Hashable:
        """Return a value that differs after every change that a turn can see, including a note's first use in a day."""
        item = await self.store.aget((*self.root, "meta"), "revision")
        return (item.created_at, str(item.value.get("revision")), str(item.value.get("used"))) if item else None

    async def hash_key(self) -> bytes:
        """Return the key for hashes of refused and forgotten texts; create and store it at first use."""
        async with self._locked():
            if (key := await self.kept_hash_key()) is None:
                key = secrets.token_bytes(32)
                await self.store.aput((*self.root, "meta"), "hash_key", {"key": key.hex()}, index=False)
        return key

    async def kept_hash_key(self) -> bytes | None:
        """Return the stored hash key; None if there is none yet, or it is malformed."""
        item = await self.store.aget((*self.root, "meta"), "hash_key")
        try:
            return bytes.fromhex(item.value["key"]) if item else None
        except (KeyError, TypeError, ValueError):
            return None

    async def kept_verdicts(self) -> frozenset[str]:
        """Return the keys of the texts that passed the screen when they were last shown."""
        item = await self.store.aget((*self.root, "meta"), "screened")
        names = item.value.get("safe") if item else None
        return frozenset(map(str, names)) if isinstance(names, list) else frozenset()

    async def keep_verdicts(self, names: Iterable[str]) -> None:
        """Replace the stored keys with `names`, so that the next process need not screen these texts again."""
        await self.store.aput((*self.root, "meta"), "screened", {"safe": sorted(names)}, index=False)

    async def record(self, kind: Kind, key: str) -> dict[str, Any] | None:
        """Return the stored value of one record; None if there is none."""
        item = await self.store.aget((*self.root, ROOM_OF[kind]), key)
        return dict(item.value) if item else None

    async def written(self) -> int:
        """Return the number of the latest journal entry; 0 if there is none."""
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
        """Write `steps` and the operations `also` in one batch; return False if the first step was written before.

        Each step becomes a journal entry. Their numbers follow that of the latest entry, or `after_seq` if greater.

        Raises:
            OutdatedError: the memory is not at revision `expected`, or its journal not at number `expected_seq`, on
                which the steps are based; read it again.
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
        """Write the steps that `make` returns, and return its result.

        If the memory changed since `make` was called, call it again.

        Raises:
            ConflictError: the memory changed during ten calls in a row.
        """

        async def attempt() -> T:
            revision = await self.revision()
            result, steps = await make()
            await self.commit(steps, expected=revision)
            return result

        return await settled(attempt)

    async def entry_of(self, step: str) -> JournalEntry | None:
        """Return the journal entry of the step with this name; None if it was not written."""
        item = await self.store.aget((*self.root, "journal"), self.entry_id(step))
        return parse(JournalEntry, item) if item else None

    async def _counters(self, step: str = "") -> tuple[dict[str, int], bool]:
        """Return the counters, and whether the step of this name (if any) was written, read in one batch."""
        entry = [GetOp((*self.root, "journal"), self.entry_id(step))] if step else []
        items: list[Any] = await self.store.abatch([GetOp((*self.root, "meta"), "revision"), *entry])
        item, is_written = items[0], any(items[1:])
        if item is None:
            return dict.fromkeys(_COUNTERS, 0), is_written
        try:
            stored = {"seq": item.value["revision"], "used": 0, **item.value}  # earlier versions had one counter
            return {name: int(stored[name]) for name in _COUNTERS}, is_written
        except (KeyError, TypeError, ValueError):  # malformed: no counter is above the latest journal number
            return dict.fromkeys(_COUNTERS, max((entry.seq for entry in await self.journal()), default=0)), is_written

    async def _write(self, steps: Sequence[Step], at: dict[str, int], also: Sequence[PutOp] = ()) -> None:
        """Write `steps`, numbered from the counters `at` on, and the operations `also` in one batch."""
        entries = [self._entry(step, seq) for seq, step in enumerate(steps, start=at["seq"] + 1)]
        ops = [self._put(change) for step in steps for change in step.changes]
        ops += [PutOp((*self.root, "journal"), one.id, one.dump(), index=False) for one in entries]
        changing = [step for step in steps if step.action != USED]
        revisions = sum(bool(step.changes) for step in changing) or bool(changing and also)
        value = {**at, "seq": at["seq"] + len(steps), "revision": at["revision"] + revisions}
        counters = PutOp((*self.root, "meta"), "revision", value, index=False)
        await self.store.abatch([*also, *ops, counters])
        publish_steps(self.store, self.user_id, steps)

    def _put(self, change: Change) -> PutOp:
        namespace = (*self.root, ROOM_OF[change.kind])
        return PutOp(namespace, change.key, change.after, index=None if change.kind in _SEARCHED else False)

    def _entry(self, step: Step, seq: int) -> JournalEntry:
        values = {one.name: getattr(step, one.name) for one in fields(step) if one.name != "name"}
        return JournalEntry(id=self.entry_id(step.name or f"{step.action}:{seq}"), seq=seq, at=self._clock(), **values)

    def entry_id(self, step: str) -> str:
        """Return the id that the journal entry of the step with this name has or would have."""
        return note_id("journal", *self.root, step)

    def _locked(self) -> AbstractAsyncContextManager[None]:
        return exclusive_lock(self.store, "/".join(self.root))
