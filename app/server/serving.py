"""Serves an application on an open socket until a signal stops it, and lets running turns finish before that."""

import asyncio
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.applications import Starlette

from config.errors import SetupError
from graph.entry import is_any_running

_SHUTDOWN_TIMEOUT = 2
"""Seconds that running requests have to finish when the server is stopped."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_POLL_SECONDS = 0.2


class Server(uvicorn.Server):
    """A server that stops at Ctrl-C or SIGTERM but does not raise it again, so that its caller can clean up."""

    def __init__(self, app: Starlette, *, proxy_headers: bool) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, proxy_headers=proxy_headers,
                timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
            )
        )  # fmt: skip

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals within this block by stopping the server."""
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Listen on a port; 0 takes a free one. Raises SetupError if that fails."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, port))
            opened.listen()
        except OSError as error:
            why = f"{error.strerror or error}. Choose another port with --port, or 0 for any that is free."
            raise SetupError(f"The page can't be served on {host}, port {port}: {why}") from None
        yield opened


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
