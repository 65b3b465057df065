"""A short sample of `benchmarks.server`: nobody's message is lost, or ends up with another."""

from __future__ import annotations

import asyncio

import psutil
import pytest

from benchmarks.server import measure, run

pytestmark = pytest.mark.slow


async def test_users_who_talk_at_once_keep_their_own_words() -> None:
    load = await measure("graph", users=8, seconds=1.5)
    assert (load.errors, load.lost, load.crossed) == ([], 0, 0)
    assert len(load.took) >= 8


async def test_the_benchmark_sees_what_is_lost_and_what_is_crossed() -> None:
    said: list[str] = []

    async def mixed_up(user: str, thread_id: str, text: str) -> list[str]:
        await asyncio.sleep(0)  # lets the others speak
        said.append(text)
        return [one for one in said if not one.endswith("2. time")]

    load = await run(mixed_up, psutil.Process(), users=2, seconds=0.05)
    assert load.lost > 0
    assert load.crossed > 0
