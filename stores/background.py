"""Background work: a thread that runs on demand, and a gate that lets searches go before long work."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MAX_WAIT = 0.05
_YIELD_SECONDS = 0.001


class Background:
    """Runs `work` on its own thread, `settle` seconds after `wake`; the thread starts at the first `wake`.

    `work` receives an event that is set when it should end early. It must not raise, and it may call `wake` itself.
    """

    def __init__(self, work: Callable[[threading.Event], None], *, settle: float, name: str) -> None:
        self._work = work
        self._settle = settle
        self._name = name
        self._stopping = threading.Event()
        self._awake = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Run `work` soon; several calls before it starts lead to one run."""
        with self._starting:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        self._awake.set()

    def stop(self, timeout: float | None = None) -> bool:
        """Stop the thread for good once the current `work` returns; return False after `timeout` seconds of waiting."""
        self._stopping.set()
        self._awake.set()
        with self._starting:
            thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def _run(self) -> None:
        while self._awake.wait() and not self._stopping.wait(self._settle):
            self._awake.clear()
            self._work(self._stopping)


class Precedence:
    """Lets searches run before long work, which is done in slices: Python runs one thread at a time."""

    def __init__(self) -> None:
        self.begun = 0
        """How many `ahead` blocks were entered so far."""
        self._running = 0
        self._ended = threading.Condition()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Make callers of `give_way` wait while the block runs."""
        with self._ended:
            self.begun += 1
            self._running += 1
        try:
            yield
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()

    def give_way(self, timeout: float = _MAX_WAIT) -> None:
        """Let other threads take a lock that was just released, then wait until no `ahead` block runs, or `timeout`."""
        time.sleep(_YIELD_SECONDS)
        with self._ended:
            self._ended.wait_for(lambda: not self._running, timeout)


searches = Precedence()
"""Lets this process's semantic and recall searches run before it makes and writes vectors."""
