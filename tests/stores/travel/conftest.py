"""A sample world with an empty inventory, on a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stores.travel.world import SampleWorld, open_sample_world
from tests.conftest import Clock


@pytest.fixture
async def world(tmp_path: Path, clock: Clock) -> AsyncIterator[SampleWorld]:
    async with open_sample_world(tmp_path / "data", clock=clock) as opened:
        yield opened
