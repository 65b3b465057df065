"""Sweeping expired items in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class TtlSweeper:
    """Calls `sweep` on a thread of its own, at an interval, until it is stopped. A sweep that fails is logged."""

    def __init__(self, sweep: Callable[[], int]) -> None:
        self._sweep = sweep
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, seconds: float) -> None:
        """Begin; a second call does nothing."""
        if self._thread is not None:
            return
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, args=(seconds,), name="ttl-sweeper", daemon=True)
        self._thread.start()

    def stop(self, timeout: float | None = None) -> bool:
        """End, after the sweep that runs; True unless that takes longer than `timeout` seconds."""
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
