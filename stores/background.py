"""Work in the background: a thread that is woken, and the order of searches and long work in one interpreter."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LONGEST_WAIT = 0.05
_OTHERS_TURN = 0.001


class Background:
    """Runs `work` on one thread, `settle` seconds after it was last found asleep and woken; begins at the first wake.

    `work` is given an event that is set when it should end early. It must not raise, and may wake the thread again.
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
        """Run `work` soon; calls before it runs count as one."""
        with self._starting:
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        self._awake.set()

    def stop(self, timeout: float | None = None) -> bool:
        """Stop the thread after the work that runs, for good; return False when that takes longer than `timeout` s."""
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
    """Lets searches go ahead of long work that is done in slices: all threads of a process share one interpreter."""

    def __init__(self) -> None:
        self.begun = 0
        self._running = 0
        self._ended = threading.Condition()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Go ahead of whoever gives way, within the block."""
        with self._ended:
            self.begun += 1
            self._running += 1
        try:
            yield
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()

    def give_way(self, longest: float = _LONGEST_WAIT) -> None:
        """Let others take a lock that was just released, then wait until nobody is ahead, `longest` seconds at most."""
        time.sleep(_OTHERS_TURN)
        with self._ended:
            self._ended.wait_for(lambda: not self._running, longest)


searches = Precedence()
"""Of this process: searches by meaning and by recall go ahead of making and writing vectors."""
