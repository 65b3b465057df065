"""Shared fixtures: settings with a temporary folder, a clock that tests move, an open concierge, and PostgreSQL."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.settings import Settings, load_settings
from models.roles import Role
from tests.postgres import ABSENT, Server, programs, running_server

hypothesis.settings.register_profile("untimed", deadline=None)  # the first example loads the word tables
hypothesis.settings.load_profile("untimed")

Opener = Callable[..., AbstractAsyncContextManager[Concierge]]

_SLOW_FIXTURES = {"postgres", "chroma_server", "openai_server", "command_line", "open_terminal"}
"""Fixtures that start a server or a process."""

_numbers = count(1)
_unmarked: list[str] = []
"""The name of the running test, if it is not marked slow."""


class Clock:
    """Returns 2026-11-20 09:00 UTC until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **delta: float) -> None:
        """Go forward (or back) by `timedelta(**delta)`."""
        self.now += timedelta(**delta)


_MEMORY = Path("/dev/shm")
_FREE_BYTES = 2 * 1024**3
"""The space that a test run may need there."""


def pytest_configure() -> None:
    """Put temporary folders into memory if there is space: a short test mostly waits for the disk."""
    if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _FREE_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests as slow if their fixtures start a server or a process."""
    for item in items:
        if not _SLOW_FIXTURES.isdisjoint(vars(item)["fixturenames"]):
            item.add_marker("slow")


@pytest.fixture(autouse=True)
def _processes_are_slow(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let only tests that are marked slow start processes."""
    _unmarked[:] = [] if request.node.get_closest_marker("slow") else [request.node.name]
    yield
    _unmarked.clear()


def _refuse_processes(event: str, _: tuple[object, ...]) -> None:
    if event in {"subprocess.Popen", "os.fork", "os.posix_spawn"} and _unmarked:
        raise AssertionError(f"{_unmarked[0]} starts a process: mark it slow")


sys.addaudithook(_refuse_processes)


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide the machine's keys, `.env` and data directory from tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CONCIERGE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_settings(tmp_path: Path) -> Callable[..., Settings]:
    def make(**values: Any) -> Settings:
        return load_settings(**{"data_dir": tmp_path / "data", "model_provider": "offline", **values})

    return make


@pytest.fixture
def concierge_with(make_settings: Callable[..., Settings], clock: Clock) -> Opener:
    """Return a function that opens a concierge on real stores: `async with concierge_with(models, **settings)`."""

    @asynccontextmanager
    async def opened(models: Mapping[Role, Any] | None = None, **values: Any) -> AsyncIterator[Concierge]:
        async with open_concierge(make_settings(**values), models=models, clock=clock) as concierge:
            yield concierge

    return opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a server for this test run when the first test needs it."""
    folder = programs()
    if folder is None:
        pytest.skip(ABSENT)
    with running_server(folder) as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Server) -> str:
    """Return the URL of an empty schema."""
    return postgres.url_of(f"test_{next(_numbers)}")
