"""Lets a server finish running turns before a signal stops it."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from graph.entry import is_any_running

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_POLL_SECONDS = 0.2


class GracefulShutdown:
    """Defers a stop signal while turns run, for at most `seconds`; a second signal is delivered at once.

    `has_begun` is True from the first signal on; no new work may start then. `endless` are the queues of event streams
    that have no end of their own; each is ended, by None, once no turn runs.
    """

    def __init__(self, seconds: float) -> None:
        self.has_begun = False
        self._seconds = seconds
        self.endless: set[asyncio.Queue[str | None]] = set()

    @contextmanager
    def deferring_signals(self) -> Iterator[None]:
        """Defer signals within this block; does nothing outside the main thread, which gets no signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        before = {number: signal.getsignal(number) for number in _SIGNALS}

        def deliver(number: int) -> None:
            for each, handler in before.items():
                signal.signal(each, handler)
            signal.raise_signal(number)

        async def finish(number: int) -> None:
            with suppress(TimeoutError):
                await asyncio.wait_for(_until_nothing_runs(), self._seconds)
            for queue in self.endless:
                queue.put_nowait(None)
            deliver(number)

        def defer(number: int, _: object) -> None:
            if self.has_begun:
                deliver(number)
                return
            self.has_begun = True
            loop.call_soon_threadsafe(lambda: tasks.add(loop.create_task(finish(number))))

        for number in _SIGNALS:
            signal.signal(number, defer)
        try:
            yield
        finally:
            for number, handler in before.items():
                if signal.getsignal(number) is defer:
                    signal.signal(number, handler)


async def _until_nothing_runs() -> None:
    while True:  # sleep first: a turn that just ended still has to send its reply
        await asyncio.sleep(_POLL_SECONDS)
        if not is_any_running():
            return
