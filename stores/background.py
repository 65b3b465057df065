"""A thread that works in the background when it is woken."""

from __future__ import annotations

import threading
from collections.abc import Callable


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
