"""A blocking interface to the concierge for scripts and notebooks, with an event loop of its own."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from queue import Queue
from typing import TYPE_CHECKING, Any, ParamSpec, Unpack

from anyio.from_thread import BlockingPortal, start_blocking_portal

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.errors import StorageError
from config.settings import Settings
from graph.parts import Parts
from memory.records.repository import UserMemory
from travel.booking.ledger import Bookings

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

P = ParamSpec("P")

_END: Any = object()
_WRAPPED = (Concierge, UserMemory, Bookings)
"""Types of results that are wrapped in a `SyncConcierge`."""


class SyncConcierge:
    """Wraps a `Concierge`, or a memory or ledger that it returns, for use without `await`.

    Coroutine methods block until they are done. Async generator methods return an iterator; closing it early cancels
    the work. Other attributes are passed through. The work runs on an event loop in another thread, so the caller may
    have a running loop, as a notebook has.
    """

    def __init__(self, target: object, portal: BlockingPortal) -> None:
        self._target = target
        self._portal = portal

    def __dir__(self) -> list[str]:
        return dir(self._target)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._target, name)
        return self._blocking(attribute) if inspect.ismethod(attribute) else attribute

    def _blocking(self, method: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(method)
        def call(*args: P.args, **kwargs: P.kwargs) -> Any:
            run = partial(method, *args, **kwargs)
            if inspect.isasyncgenfunction(inspect.unwrap(method)):
                return self._iterate(run)
            is_async = inspect.iscoroutinefunction(inspect.unwrap(method))
            result = self._on_loop(self._portal.call, run) if is_async else run()
            return SyncConcierge(result, self._portal) if isinstance(result, _WRAPPED) else result

        return call

    def _on_loop(self, start: Callable[..., Any], work: Callable[[], Any]) -> Any:
        try:
            return start(work)
        except RuntimeError as error:
            if "portal is not running" in str(error):
                raise StorageError("The concierge cannot be used. It was closed; open it again.") from None
            raise

    def _iterate(self, begin: Callable[[], AsyncIterator[Any]]) -> Iterator[Any]:
        items: Queue[Any] = Queue()

        async def fill() -> None:
            try:
                async for item in begin():
                    items.put(item)
            finally:
                items.put(_END)

        # One task runs the whole iteration, so that context variables keep their values between items.
        task = self._on_loop(self._portal.start_task_soon, fill)
        try:
            yield from iter(items.get, _END)
            task.result()
        finally:
            task.cancel()


@contextmanager
def open_concierge_sync(
    settings: Settings | None = None, *, checkpointer: BaseCheckpointSaver[str] | None = None, **parts: Unpack[Parts]
) -> Iterator[SyncConcierge]:
    """Open a concierge for use without `await`, with the arguments and errors of `open_concierge`."""
    opened = open_concierge(settings, checkpointer=checkpointer, **parts)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(opened) as concierge:
        yield SyncConcierge(concierge, portal)
