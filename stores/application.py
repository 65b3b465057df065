"""Keep one application's data apart from that of other applications in the same store."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchOp,
)


def of_application(store: BaseStore, name: str) -> BaseStore:
    """Return a view of `store` that holds only the data of the application `name`.

    Return `store` itself if `name` is empty or `store` is such a view already.
    """
    return ApplicationStore(store, name) if name and not isinstance(store, ApplicationStore) else store


class ApplicationStore(BaseStore):
    """A store that prefixes every namespace with the application's name; all other calls go to the inner store."""

    def __init__(self, store: BaseStore, name: str) -> None:
        self._inner = store
        self._root = ("applications", name)
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations whose namespaces lack the application's prefix; the results lack it too."""
        return [self._strip(result) for result in self._inner.batch([self._prefix(op) for op in ops])]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations whose namespaces lack the application's prefix; the results lack it too."""
        return [self._strip(result) for result in await self._inner.abatch([self._prefix(op) for op in ops])]

    def _prefix(self, op: Op) -> Op:
        if isinstance(op, SearchOp):
            return op._replace(namespace_prefix=(*self._root, *op.namespace_prefix))
        if isinstance(op, GetOp | PutOp):
            return op._replace(namespace=(*self._root, *op.namespace))
        return self._prefix_listing(op)

    def _prefix_listing(self, op: ListNamespacesOp) -> ListNamespacesOp:
        conditions = op.match_conditions or ()
        prefixes = [each for each in conditions if each.match_type == "prefix"] or [MatchCondition("prefix", ())]
        prefixed = [MatchCondition("prefix", (*self._root, *each.path)) for each in prefixes]
        prefixed += [each for each in conditions if each.match_type != "prefix"]
        depth = None if op.max_depth is None else op.max_depth + len(self._root)
        return op._replace(match_conditions=tuple(prefixed), max_depth=depth)

    def _strip(self, result: Any) -> Any:
        """Return a result, or a part of one, without the prefix: an item, a namespace, a list of either, or None."""
        if isinstance(result, list):
            return [self._strip(row) for row in result]
        if isinstance(result, Item):
            stripped = copy(result)
            stripped.namespace = self._strip(result.namespace)
            return stripped
        return None if result is None else result[len(self._root) :]
