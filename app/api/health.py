"""Finds what can't be read: the stores as a whole, and what is kept in them of all users."""

from collections.abc import AsyncIterator

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore

from config.errors import DamagedThreadError
from graph.entry import GuardedGraph
from memory.records.conversations import Conversation, OpenSession
from memory.records.reading import Namespace, read_under, set_aside, sound
from memory.transfer.export import ROOMS

_PAGE = 500
_PROBE = "probe"


async def damage(store: BaseStore, graph: GuardedGraph) -> list[tuple[str, str]]:
    """Return the name of each damaged record and conversation, and what is wrong; `memory` where all of it is lost."""
    assert isinstance(graph.checkpointer, BaseCheckpointSaver)
    if not await store.alist_namespaces(limit=1) and [one async for one in graph.checkpointer.alist(None, limit=1)]:
        return [("memory", "Nothing is in it, though conversations are kept: its database was emptied or lost.")]
    found = await set_aside(store, ("sessions",), {"open": OpenSession})
    threads: list[tuple[str, str]] = []
    async for root in _roots(store):
        found += await set_aside(store, root, ROOMS)
        for one in sound(Conversation, await read_under(store, (*root, "threads"))):
            try:
                await graph.aget_state({"configurable": {"thread_id": one.thread_id}})
            except DamagedThreadError as error:
                threads.append((f"conversation {one.thread_id}", str(error)))
    return [*((one.name, one.fault) for one in found), *threads]


async def check_stores(graph: GuardedGraph) -> None:
    """Read from memory and from thread state once. Raises StorageError where either does not answer."""
    assert isinstance(graph.checkpointer, BaseCheckpointSaver)
    assert graph.store is not None
    await graph.store.aget(("sessions",), _PROBE)
    await graph.checkpointer.aget_tuple({"configurable": {"thread_id": _PROBE, "checkpoint_ns": ""}})


async def _roots(store: BaseStore) -> AsyncIterator[Namespace]:
    """Yield the namespaces of all users and workspaces."""
    for kind in ("users", "workspaces"):
        offset = 0
        while page := await store.alist_namespaces(prefix=(kind,), max_depth=2, limit=_PAGE, offset=offset):
            for root in page:
                yield tuple(root)
            offset += len(page)
