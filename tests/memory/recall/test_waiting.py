"""A search does not wait while another user's backlog is indexed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.recall.user_recall import Recollection
from memory.records.journal import Step, changed
from memory.records.repository import UserMemory
from stores.chroma import ChromaStore
from tests.conftest import Clock
from tests.samples import note


class Stuck:
    """An embedder that blocks on a text about a mountain until it is released."""

    name, dims, version = "stuck", 2, "1"

    def __init__(self) -> None:
        self.entered, self.let_go = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if any("mountain" in text for text in texts):
            self.entered.set()
            assert self.let_go.wait(60)
        return [[1.0, float(len(text))] for text in texts]


@pytest.mark.parametrize("way", ["recall", "store"])
async def test_search_does_not_wait_for_the_backlog_of_others(tmp_path: Path, clock: Clock, way: str) -> None:
    embedder = Stuck()
    config: Any = {"embed": embedder, "fields": ["text"]}
    recollection = Recollection(embed=embedder.embed, clock=clock)
    with ChromaStore.from_path(tmp_path, index=config) as store:
        ana, bob = (UserMemory(store, user, clock=clock) for user in ("ana", "bob"))
        for memory, text in ((ana, "A room with a lake view"), (bob, "A room with a mountain view")):
            await memory.commit([Step("", "user", "added", (changed(None, note(text)),))])

        async def search(memory: UserMemory) -> Any:
            if way == "store":
                return await memory.search("a quiet room")
            return await recollection.search(store, [memory], "a quiet room")

        assert await search(ana)
        waiting = asyncio.create_task(search(bob))
        try:
            assert await asyncio.to_thread(embedder.entered.wait, 60)
            assert await asyncio.wait_for(search(ana), 60)
            assert not waiting.done()
        finally:
            embedder.let_go.set()
        assert await waiting
