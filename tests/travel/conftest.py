"""A sample world with an empty inventory, and a clock that tests move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Clock
from travel.sample.world import SampleWorld


@pytest.fixture
async def world(tmp_path: Path, clock: Clock) -> AsyncIterator[SampleWorld]:
    with closing(SampleWorld(tmp_path / "data", clock=clock)) as opened:
        yield opened
