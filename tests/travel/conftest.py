"""A sample world with an empty inventory, on a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conftest import Clock
from travel.sample.world import SampleWorld, open_sample_world


@pytest.fixture
async def world(tmp_path: Path, clock: Clock) -> AsyncIterator[SampleWorld]:
    async with open_sample_world(tmp_path / "data", clock=clock) as opened:
        yield opened
