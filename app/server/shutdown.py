"""Lets a server finish what runs before a signal stops it."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from graph.entry import is_any_running

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PAUSE = 0.2


class GracefulShutdown:
    """Holds a signal to stop back while turns run, for `seconds` at most; a second signal passes at once.

    `is_begun` from the first signal on: then nothing new may begin.
    """

    def __init__(self, seconds: float) -> None:
        self.has_begun = False
        self._seconds = seconds
        self._callbacks: set[Callable[[], object]] = set()

    @contextmanager
    def on_shutdown(self, call: Callable[[], object]) -> Iterator[None]:
        """Call `call` when turns are over, if that is within this block: what listens without end ends then."""
        self._callbacks.add(call)
        try:
            yield
        finally:
            self._callbacks.discard(call)

    @contextmanager
    def deferring_signals(self) -> Iterator[None]:
        """Hold signals back within this block; on another thread than the main one none arrive."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        before = {number: signal.getsignal(number) for number in _SIGNALS}

        def passed(number: int) -> None:
            for one, handler in before.items():
                signal.signal(one, handler)
            signal.raise_signal(number)

        async def finish(number: int) -> None:
            with suppress(TimeoutError):
                await asyncio.wait_for(_until_nothing_runs(), self._seconds)
            for call in list(self._callbacks):
                call()
            passed(number)

        def held(number: int, _: object) -> None:
            if self.has_begun:
                passed(number)
                return
            self.has_begun = True
            loop.call_soon_threadsafe(lambda: tasks.add(loop.create_task(finish(number))))

        for number in _SIGNALS:
            signal.signal(number, held)
        try:
            yield
        finally:
            for number, handler in before.items():
                if signal.getsignal(number) is held:
                    signal.signal(number, handler)


async def _until_nothing_runs() -> None:
    while True:  # a turn that is over has its last words to send
        await asyncio.sleep(_PAUSE)
        if not is_any_running():
            return
