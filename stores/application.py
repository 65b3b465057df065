"""Keeps what one application stores apart from what others store in the same place."""

from collections.abc import Iterable
from copy import copy
from typing import Any, TypeVar, cast

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

AnyItem = TypeVar("AnyItem", bound=Item)


def of_application(store: BaseStore, name: str) -> BaseStore:
    """Return `store` as the application of this name sees it: with what it put there, and nothing else.

    Without a name, and for what is an application's already, it is the store itself.
    """
    return ApplicationStore(store, name) if name and not isinstance(store, ApplicationStore) else store


class ApplicationStore(BaseStore):
    """A store under a namespace of its own in another one, whose locks and cleaning it shares."""

    def __init__(self, store: BaseStore, name: str) -> None:
        self._inner = store
        self._root = ("applications", name)
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations, the names of which are the application's own."""
        return [self._outward(one) for one in self._inner.batch([self._inward(op) for op in ops])]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations, the names of which are the application's own."""
        return [self._outward(one) for one in await self._inner.abatch([self._inward(op) for op in ops])]

    def _inward(self, op: Op) -> Op:
        if isinstance(op, SearchOp):
            return op._replace(namespace_prefix=(*self._root, *op.namespace_prefix))
        if isinstance(op, GetOp | PutOp):
            return op._replace(namespace=(*self._root, *op.namespace))
        return self._listing(op)

    def _listing(self, op: ListNamespacesOp) -> ListNamespacesOp:
        given = op.match_conditions or ()
        prefixes = [one for one in given if one.match_type == "prefix"] or [MatchCondition("prefix", ())]
        inward = [MatchCondition("prefix", (*self._root, *one.path)) for one in prefixes]
        inward += [one for one in given if one.match_type != "prefix"]
        depth = None if op.max_depth is None else op.max_depth + len(self._root)
        return op._replace(match_conditions=tuple(inward), max_depth=depth)

    def _outward(self, result: Result) -> Result:
        if isinstance(result, Item):
            return self._own(result)
        if isinstance(result, list):
            found = [self._own(one) if isinstance(one, Item) else one[len(self._root) :] for one in result]
            return cast("Result", found)
        return result

    def _own(self, item: AnyItem) -> AnyItem:
        found = copy(item)
        found.namespace = item.namespace[len(self._root) :]
        return found
