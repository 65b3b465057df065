"""Runs an event loop in its own thread, for connections that outlive the loop of whoever asks first.

A connection belongs to the loop it was opened in. Runs come from many: a server's, `asyncio.run` called twice, the
synchronous front.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for callers on any loop; its thread begins with the first of them and ends with `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._over = asyncio.Event()

    @property
    def is_running(self) -> bool:
        """Return True from the first `run` until `stop`."""
        return self._loop is not None

    async def run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await `make()` there; cancelling the caller cancels it."""
        loop = self._loop
        if loop is None:
            loop = await asyncio.to_thread(self._start)
        # In an empty context: a connection must not keep the first caller's run and user alive.
        running = contextvars.Context().run(asyncio.run_coroutine_threadsafe, make(), loop)
        return await asyncio.wrap_future(running)

    async def stop(self) -> None:
        """End the thread; a later `run` begins a new one."""
        with self._lock:
            loop, thread, over = self._loop, self._thread, self._over
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(over.set)
        await asyncio.to_thread(thread.join)

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop, self._over = asyncio.new_event_loop(), asyncio.Event()
                # A daemon: a program that forgets to close must still be able to end.
                self._thread = threading.Thread(target=_serve, args=(self._loop, self._over), name="mcp", daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(over.wait())
