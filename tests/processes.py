"""Runs programs in the background of a test."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_TIMEOUT = 60.0


@contextmanager
def running(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a program and kill it at the end of the block: `Popen` alone would wait for it even after a failure.

    `options` are those of `subprocess.Popen`.
    """
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port: int, server: subprocess.Popen[Any]) -> None:
    """Wait until the server accepts connections on its port."""
    end = time.monotonic() + _TIMEOUT
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")
