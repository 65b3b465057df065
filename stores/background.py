"""Threads that work in the background: once woken, or at an interval."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class Background:
    """Runs `work` on one thread, `settle` seconds after it was last found asleep and woken; begins at the first wake.

    `work` is given an event that is set when it should end early. It must not raise.
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

    def stop(self) -> None:
        """Stop the thread after the work that runs; it does not start again."""
        self._stopping.set()
        self._awake.set()
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while self._awake.wait() and not self._stopping.wait(self._settle):
            self._awake.clear()
            self._work(self._stopping)


class TtlSweeper:
    """Calls `sweep` on a thread of its own, at an interval, until it is stopped. A sweep that fails is logged."""

    def __init__(self, sweep: Callable[[], int]) -> None:
        self._sweep = sweep
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, seconds: float) -> None:
        """Start sweeping every `seconds`; a second call does nothing."""
        if self._thread is not None:
            return
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, args=(seconds,), name="ttl-sweeper", daemon=True)
        self._thread.start()

    def stop(self, timeout: float | None = None) -> bool:
        """Stop after the sweep that runs; return False when that takes longer than `timeout` seconds."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                return False
            self._thread = None
        return True

    def _run(self, seconds: float) -> None:
        while not self._stopping.wait(seconds):
            try:
                self._sweep()
            except Exception:
                log.exception("sweeping expired items failed; it is tried again in %g seconds", seconds)
