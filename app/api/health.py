"""Finds what is kept and can't be read, of all users."""

from __future__ import annotations

from collections.abc import AsyncIterator

from langgraph.store.base import BaseStore

from config.errors import DamagedThreadError
from graph.builder import ConciergeGraph
from memory.records.conversations import Conversation, OpenSession
from memory.records.namespaces import Namespace, read_all
from memory.records.reading import set_aside, sound
from memory.transfer.export import ROOMS

_PAGE = 500


async def damage(store: BaseStore, graph: ConciergeGraph) -> list[tuple[str, str]]:
    """Return the name of each damaged record and conversation, and what is wrong with it."""
    found = await set_aside(store, ("sessions",), {"open": OpenSession})
    threads: list[tuple[str, str]] = []
    async for root in _roots(store):
        found += await set_aside(store, root, ROOMS)
        for one in sound(Conversation, await read_all(store, (*root, "threads"))):
            try:
                await graph.aget_state({"configurable": {"thread_id": one.thread_id}})
            except DamagedThreadError as error:
                threads.append((f"conversation {one.thread_id}", str(error)))
    return [*((one.name, one.fault) for one in found), *threads]


async def _roots(store: BaseStore) -> AsyncIterator[Namespace]:
    """Yield the namespaces of all users and workspaces."""
    for kind in ("users", "workspaces"):
        offset = 0
        while page := await store.alist_namespaces(prefix=(kind,), max_depth=2, limit=_PAGE, offset=offset):
            for root in page:
                yield tuple(root)
            offset += len(page)
