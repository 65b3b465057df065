"""Real servers for the tests that ask for one: PostgreSQL, with an empty store for each test, and Chroma."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.postgres import ABSENT, Server, programs, running_server

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server of this test run's own; started when the first test asks for it."""
    found = programs()
    if found is None:
        pytest.skip(ABSENT)
    with running_server(found) as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Server) -> str:
    """An address under which there is nothing yet."""
    return postgres.url_of(f"test_{next(_numbers)}")


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
