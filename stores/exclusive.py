"""One at a time: within an event loop always, and across processes where the store is shared by several."""

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
    """What a store offers that several processes use at once."""

    def exclusive_lock(self, name: str, /) -> AbstractAsyncContextManager[None]:
        """Nobody else, in no process, is in such a block of the same name."""


@asynccontextmanager
async def exclusive_lock(store: BaseStore, name: str) -> AsyncIterator[None]:
    """Wait until nobody else is in a block of this name, and keep others out; the same task must not nest it."""
    key = (id(asyncio.get_running_loop()), id(store), name)
    lock = _locks.setdefault(key, asyncio.Lock())
    async with lock:
        if isinstance(store, SupportsExclusiveLock):
            async with store.exclusive_lock(name):
                yield
        else:
            yield
