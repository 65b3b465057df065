"""A short run of `benchmarks.server`: no message is lost, or appears in another user's thread."""

from __future__ import annotations

import asyncio

import psutil
import pytest

from benchmarks.server import measure, run

pytestmark = pytest.mark.slow


async def test_concurrent_users_keep_their_own_messages() -> None:
    load = await measure("graph", users=8, seconds=1.5)
    assert (load.errors, load.lost, load.crossed) == ([], 0, 0)
    assert len(load.took) >= 8


async def test_benchmark_counts_lost_and_crossed_messages() -> None:
    said: list[str] = []

    async def mixed_up(user: str, thread_id: str, text: str) -> list[str]:
        await asyncio.sleep(0)  # lets the others run
        said.append(text)
        return [one for one in said if not one.endswith("2. time")]

    load = await run(mixed_up, psutil.Process(), users=2, seconds=0.05)
    assert load.lost > 0
    assert load.crossed > 0
