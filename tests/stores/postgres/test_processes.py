"""Several processes on one memory: each change takes effect once, and the others see it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from io import BufferedReader
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from app.api.opening import open_concierge
from config.errors import StoreLockedError
from config.settings import Settings, load_settings
from memory.records.repository import UserMemory
from stores.lifespan import open_store
from stores.shared import SharedStore
from tests.conftest import Clock
from tests.stores.postgres.worker import STEPS, noted
from tests.warm import start

pytestmark = pytest.mark.slow


class Place:
    """One shared memory, and the processes that use it."""

    def __init__(self, folder: Path, store_url: str, chroma_url: str) -> None:
        self.folder = folder
        self.store_url = store_url
        self.chroma_url = chroma_url
        self._running: list[tuple[ForkServerProcess, BufferedReader]] = []

    def run(self, task: str, user: str, name: str) -> tuple[ForkServerProcess, BufferedReader]:
        """Start a process with a data directory of its own."""
        words = [task, user, name, str(self.folder / name), self.store_url, self.chroma_url]
        self._running.append(
            start("import sys; from tests.stores.postgres.worker import main; main(*sys.argv[1:])", *words)
        )
        return self._running[-1]

    def settings(self, name: str = "mine") -> Settings:
        return load_settings(
            data_dir=self.folder / name,
            store_url=self.store_url,
            chroma_url=self.chroma_url or None,
            model_provider="offline",
        )

    def stop(self) -> None:
        for process, printed in self._running:
            process.kill()
            process.join()
            printed.close()

    def to_their_ends(self) -> None:
        """Wait for every process; none may fail."""
        for process, _ in self._running:
            process.join()
        assert {process.exitcode for process, _ in self._running} == {0}


@pytest.fixture
def place(tmp_path: Path, postgres_url: str, chroma_server: str) -> Iterator[Place]:
    place = Place(tmp_path, postgres_url, chroma_server)
    yield place
    place.stop()


@pytest.fixture
def without_chroma(tmp_path: Path, postgres_url: str) -> Iterator[Place]:
    place = Place(tmp_path, postgres_url, "")
    yield place
    place.stop()


async def test_steps_of_two_processes_all_take_effect_and_are_numbered_without_gaps(place: Place, clock: Clock) -> None:
    for name in ("left", "right"):
        place.run("commit", "ana", name)
    place.to_their_ends()
    async with open_store(place.settings()) as store:
        memory = UserMemory(store, "ana", clock=clock)
        journal = await memory.journal()
        note_ids = {note.id for note in await memory.notes()}
        assert await memory.revision() == 2 * STEPS
    assert [entry.seq for entry in journal] == list(range(1, 2 * STEPS + 1))
    assert note_ids == {noted(name, number).id for name in ("left", "right") for number in range(STEPS)}


async def test_note_of_one_process_is_found_by_meaning_in_another(place: Place, clock: Clock) -> None:
    async with open_store(place.settings()) as store:
        texts = ("Loves a green parrot in the garden", "Prefers a window seat", "Eats vegetarian food")
        for text in texts:
            await store.aput(("users", "x", "notes"), text, {"text": text})
        assert (await store.asearch(("users",), query="that bird"))[0].value["text"] == texts[0]
        place.run("commit", "bo", "other")
        place.to_their_ends()
        _, found = place.run("find", "bo", "number 7 of the towels")
        assert b"towel" in found.read()
        mine = await UserMemory(store, "bo", clock=clock).search("other asked for towel number 31", limit=1)
        assert mine[0][0].text == "other asked for towel number 31"


async def test_messages_of_two_processes_in_one_thread_wait_for_each_other(without_chroma: Place) -> None:
    for name in ("left", "right"):
        without_chroma.run("talk", "ana", name)
    without_chroma.to_their_ends()
    async with open_concierge(without_chroma.settings()) as concierge:
        entries = await concierge.operator_history(thread_id="shared")
    texts = [entry.text for entry in entries if entry.role == "user" and not entry.synthetic]
    assert sorted(texts) == sorted(f"Hello from {name} {number}" for name in ("left", "right") for number in range(5))


async def test_killed_process_releases_its_lock(without_chroma: Place) -> None:
    holder, printed = without_chroma.run("hold", "ana", "holder")
    assert printed.readline() == b"in\n"
    with closing(SharedStore(without_chroma.store_url)) as store:
        entered = asyncio.Event()

        async def enter() -> None:
            async with store.exclusive_lock("ana"):
                entered.set()

        waiting = asyncio.create_task(enter())
        async with store.exclusive_lock("somebody else"):
            for _ in range(20):
                await store.aput(("a",), "k", {})
        assert not entered.is_set()
        holder.kill()
        await waiting
        assert entered.is_set()


async def test_cancelled_wait_leaves_the_lock_to_others(postgres_url: str) -> None:
    with closing(SharedStore(postgres_url)) as store, closing(SharedStore(postgres_url)) as other:

        async def enter() -> None:
            async with other.exclusive_lock("ana"):
                raise AssertionError("nobody leaves the block")

        async with store.exclusive_lock("ana"):
            waiting = asyncio.create_task(enter())
            await other.aput(("a",), "k", {})
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        async with other.exclusive_lock("ana"):
            pass


async def test_process_with_a_local_vector_index_excludes_others(without_chroma: Place) -> None:
    async with open_store(without_chroma.settings("mine")) as store:
        await store.aput(("a",), "k", {"text": "parrot"})
        assert (await store.asearch(("a",), query="bird"))[0].key == "k"
        with pytest.raises(StoreLockedError, match="CONCIERGE_CHROMA_URL"):
            async with open_store(without_chroma.settings("other")):
                pass
    async with open_store(without_chroma.settings("other")) as store:
        assert (await store.asearch(("a",), query="bird"))[0].key == "k"


async def test_conversation_continues_in_another_process_with_its_notes(without_chroma: Place) -> None:
    settings = without_chroma.settings()
    async with open_concierge(settings) as concierge:
        await concierge.send("Remember that I am vegetarian.\x00", user_id="ana", thread_id="t")
        await concierge.end_session(user_id="ana", thread_id="t")
    elsewhere = settings.model_copy(update={"data_dir": without_chroma.folder / "elsewhere"})
    async with open_concierge(elsewhere) as concierge:
        assert [entry.text for entry in await concierge.history(user_id="ana", thread_id="t", limit=2)]
        assert "vegetarian" in (await concierge.memory("ana").notes())[0].text
        reply = await concierge.send("What do you know about me?", user_id="ana", thread_id="new")
    assert "vegetarian" in reply.text
