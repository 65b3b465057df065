"""Checks that the stores can be read, and finds damaged records and conversations of all users."""

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


async def find_damage(store: BaseStore, graph: GuardedGraph) -> list[tuple[str, str]]:
    """Return the name and fault of each damaged record and conversation; only `memory` if all records are lost."""
    assert isinstance(graph.checkpointer, BaseCheckpointSaver)
    if not await store.alist_namespaces(limit=1) and [one async for one in graph.checkpointer.alist(None, limit=1)]:
        return [("memory", "Nothing is in it, though conversations are kept: its database was emptied or lost.")]
    records = await set_aside(store, ("sessions",), {"open": OpenSession})
    threads: list[tuple[str, str]] = []
    async for root in _roots(store):
        records += await set_aside(store, root, ROOMS)
        for conversation in sound(Conversation, await read_under(store, (*root, "threads"))):
            try:
                await graph.aget_state({"configurable": {"thread_id": conversation.thread_id}})
            except DamagedThreadError as error:
                threads.append((f"conversation {conversation.thread_id}", str(error)))
    return [*((record.name, record.fault) for record in records), *threads]


async def check_stores(graph: GuardedGraph) -> None:
    """Read once from the store and from the checkpointer. Raises StorageError if either fails."""
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
