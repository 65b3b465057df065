"""Exclusive blocks by name: within an event loop always, and across processes where the store is shared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, runtime_checkable
from weakref import WeakValueDictionary

from langgraph.store.base import BaseStore

_locks: WeakValueDictionary[tuple[int, int, str], asyncio.Lock] = WeakValueDictionary()


@runtime_checkable
class SupportsExclusiveLock(Protocol):
    """A store that several processes use at once, and that can lock by name across them."""

    def exclusive_lock(self, name: str, /) -> AbstractAsyncContextManager[None]:
        """Keep every other process and task out of blocks of the same name."""


@asynccontextmanager
async def exclusive_lock(store: BaseStore, name: str) -> AsyncIterator[None]:
    """Wait until no other block of this name is entered, and keep others out; a task must not nest it."""
    key = (id(asyncio.get_running_loop()), id(store), name)
    lock = _locks.setdefault(key, asyncio.Lock())
    async with lock:
        if isinstance(store, SupportsExclusiveLock):
            async with store.exclusive_lock(name):
                yield
        else:
            yield
