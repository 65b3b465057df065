"""Two servers on one PostgreSQL and one Chroma server: conversations move between them, and outlive one of them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.server.dev import checkout, langgraph_dev, signed_in
from tests.server.test_recovery import begin, go_on, notes_of, said

pytestmark = pytest.mark.slow

USERS = [f"user{number}" for number in range(4)]
JOBS = ("--n-jobs-per-worker", "10")


class Traveller:
    """The conversation of one user, at whichever server is given."""

    def __init__(self, user: str, data_dir: Path) -> None:
        self.user, self._data_dir = user, data_dir
        self._thread_id = str(uuid4())
        self._told: list[str] = []

    async def talk(self, urls: Sequence[str]) -> None:
        """Send a message at each server in turn; no earlier message is missing or another user's."""
        for url in urls:
            self._told.append(f"hello, this is {self.user} for the {len(self._told) + 1}. time")
            async with signed_in(url, self._data_dir, self.user) as client:
                state = await go_on(client, self._thread_id, {"messages": self._told[-1]})
            assert said(state) == self._told

    async def cut_short(self, url: str) -> None:
        """Begin a turn at a server that is about to be killed."""
        self._told.append("I'm vegetarian.")
        async with signed_in(url, self._data_dir, self.user) as client:
            await begin(client, self._thread_id, self._told[-1])

    async def recover(self, url: str) -> list[str]:
        """Finish that turn and the session at another server; return the notes."""
        async with signed_in(url, self._data_dir, self.user) as client:
            assert said(await go_on(client, self._thread_id)) == self._told
            await go_on(client, self._thread_id, {"end_session": True})
        return await notes_of(url, self._data_dir, self.user)


async def test_conversations_move_between_two_servers_and_outlive_one(
    tmp_path: Path, postgres_url: str, chroma_server: str
) -> None:
    shared: Any = {"store_url": postgres_url, "chroma_url": chroma_server}
    data_dir = tmp_path / "data"
    travellers = [Traveller(user, data_dir) for user in USERS]
    async with AsyncExitStack() as stack:
        one, two = (checkout(tmp_path / name) for name in ("one", "two"))
        staying = stack.enter_context(langgraph_dev(one, data_dir, options=JOBS, **shared))
        with langgraph_dev(two, data_dir, options=JOBS, end=signal.SIGKILL, **shared) as leaving:
            await asyncio.gather(*(one.talk([staying, leaving] * 2) for one in travellers))
            await asyncio.gather(*(one.cut_short(leaving) for one in travellers))
        notes = await asyncio.gather(*(one.recover(staying) for one in travellers))
        await asyncio.gather(*(one.talk([staying]) for one in travellers))
    assert notes == [["I'm vegetarian"]] * len(USERS)
