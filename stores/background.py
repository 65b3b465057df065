"""The order of searches and long work in one interpreter."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_WAIT = 0.05
_OTHERS_TURN = 0.001


class Precedence:
    """Lets searches go ahead of long work that is done in slices: all threads of a process share one interpreter."""

    def __init__(self) -> None:
        self._running = 0
        self._ended = threading.Condition()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Go ahead of whoever gives way, within the block."""
        with self._ended:
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
