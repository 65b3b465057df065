"""Runs an application on a socket of this process until a signal comes."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from config.errors import SetupError

_PATIENCE = 2
"""Seconds that answers under way have when the server is stopped."""


class Server(uvicorn.Server):
    """A server that stops at Ctrl-C or SIGTERM without passing it on: what is open around it is closed afterwards."""

    def __init__(self, app: Starlette, *, proxy_headers: bool) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, proxy_headers=proxy_headers,
                timeout_graceful_shutdown=_PATIENCE,
            )
        )  # fmt: skip

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, for as long as this lasts."""
        before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Listen on a port; 0 takes a free one. Raises SetupError where that can't be."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, port))
            opened.listen()
        except OSError as error:
            why = f"{error.strerror or error}. Choose another port with --port, or 0 for any that is free."
            raise SetupError(f"The page can't be served on {host}, port {port}: {why}") from None
        yield opened
