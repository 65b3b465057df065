"""Serves an application on an open socket until a signal stops it."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from config.errors import SetupError

_SHUTDOWN_TIMEOUT = 2
"""Seconds that running requests have to finish when the server is stopped."""


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
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
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
