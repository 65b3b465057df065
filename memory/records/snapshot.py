"""Keeps what a memory holds parsed until its revision moves, so that a turn costs the same with many notes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Hashable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from langgraph.store.base import BaseStore

from memory.control.consent import Consent
from memory.control.erased import Eraser, Erasure
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.reading import Namespace
from memory.records.trips import Trip

T = TypeVar("T")
_MOST_HELD = 64
"""Memories of one store that are held; the one unused for longest goes first."""
_MOST_RESULTS = 16

_held: WeakKeyDictionary[BaseStore, OrderedDict[Namespace, Snapshot]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What one memory holds at one revision, and what was worked out from it; all of it goes when the revision moves.

    Every write moves `mark`, in whatever process, but what changes nothing that a turn reads.
    """

    mark: Hashable
    every: tuple[Note, ...]
    """The notes, newest first, whatever their status."""
    profile: Profile
    trips: tuple[Trip, ...]
    consent: Consent
    erasures: tuple[Erasure, ...]
    key: bytes | None
    """The key of the hashes of `erasures`."""
    screened: frozenset[str] = frozenset()
    """Names of texts that the screen let through, as `memory.policy.verdict_key` makes them."""
    vectors: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    """Vectors by text, for each who made them; handed on to the next snapshot, so only new texts need any."""
    _results: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def active(self) -> tuple[Note, ...]:
        """Return the notes that are in use until they expire."""
        return tuple(note for note in self.every if note.status == "active")

    def notes(self, now: datetime) -> list[Note]:
        """Return the live notes, newest first."""
        return [note for note in self.active if note.is_live(now)]

    def eraser(self, *, after: int = 0) -> Eraser:
        """Return what was forgotten: all of it, or what was after the erasure of number `after`."""
        return Eraser([one for one in self.erasures if one.seq > after], self.key or b"")

    async def once(self, asked: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return what `make` gives, which depends on nothing but this snapshot and `asked`."""
        if asked not in self._results:
            made = await make()
            if len(self._results) >= _MOST_RESULTS:
                self._results.clear()
            self._results[asked] = made
            return made
        found: T = self._results[asked]
        return found


async def held_snapshot(
    store: BaseStore, root: Namespace, mark: Hashable, read: Callable[[Hashable], Awaitable[Snapshot]]
) -> Snapshot:
    """Return what the memory at `root` holds, as it was read before where its mark is the same; else `read` it."""
    held = _held.setdefault(store, OrderedDict())
    known = held.get(root)
    if known is None or known.mark != mark:
        vectors = known.vectors if known else {}
        known = replace(await read(mark), vectors=vectors)
    held.pop(root, None)
    held[root] = known
    while len(held) > _MOST_HELD:
        held.popitem(last=False)
    return known


def last_held(store: BaseStore, root: Namespace, ids: Collection[str]) -> list[Note]:
    """Return the notes of these ids as this process read them last; those that it doesn't hold are left out."""
    held = _held.get(store, OrderedDict()).get(root)
    return [note for note in held.every if note.id in ids] if held else []


def drop_snapshot(store: BaseStore, root: Namespace) -> None:
    """Hold nothing more of a memory of which something was forgotten, in this process; others notice as they read."""
    _held.get(store, OrderedDict()).pop(root, None)
