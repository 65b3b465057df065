"""Gives callers without an event loop the methods of an async object, under the same signatures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from functools import partial, wraps
from queue import Queue
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)

_END: Any = object()


class Blocking(Generic[A_co]):
    """An async object whose methods run on the loop of `portal`, which is another thread's.

    A caller may have a running loop of its own, as a notebook has; it is blocked until the method is done.
    """

    def __init__(self, target: A_co, portal: BlockingPortal) -> None:
        self._target = target
        self._portal = portal


def blocking(method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Blocking[A], P], T]:
    """Make a method that waits for the coroutine method of this name."""

    @wraps(method)
    def call(self: Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._portal.call(partial(getattr(self._target, method.__name__), *args, **kwargs))
        return result

    return call


def blocking_iterator(
    method: Callable[Concatenate[A, P], AsyncIterator[T]],
) -> Callable[Concatenate[Blocking[A], P], Generator[T, None, None]]:
    """Make a method that iterates over what `method` yields; closing the iterator early cancels `method`."""

    @wraps(method)
    def iterate(self: Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> Generator[T, None, None]:
        items: Queue[T] = Queue()

        async def fill() -> None:
            try:
                async for item in method(self._target, *args, **kwargs):
                    items.put(item)
            finally:
                items.put(_END)

        # One task for the whole iteration: context variables that `method` sets must hold from item to item.
        task = self._portal.start_task_soon(fill)
        try:
            yield from iter(items.get, _END)
            task.result()
        finally:
            task.cancel()

    return iterate
