"""A real Chroma server for the tests that ask for one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Chroma server on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    quiet = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1"], cwd=folder, env=quiet, stdout=subprocess.DEVNULL
    ) as process:
        try:
            while process.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
            assert process.poll() is None
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
