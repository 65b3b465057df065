"""A real Chroma server for the tests that need one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import free_port, running, wait_for


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a real Chroma server on loopback; yield its URL."""
    port = free_port()
    folder = tmp_path_factory.mktemp("server")
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    quiet = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    with running([*command, "--host", "127.0.0.1"], cwd=folder, env=quiet, stdout=subprocess.DEVNULL) as server:
        wait_for(port, server)
        yield f"http://127.0.0.1:{port}"
