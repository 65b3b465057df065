"""Reading whole rooms of a store, page by page."""

from __future__ import annotations

from langgraph.store.base import BaseStore, Item

from memory.records.namespaces import Namespace

_PAGE = 500


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
