"""What a turn reads is held until memory moves, by whoever's hand, and never a moment longer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore, Op, Result, SearchOp

from memory.control.consent import Consent
from memory.control.delete_all import clear
from memory.records.journal import Step, Usage, changed
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from stores.chroma import ChromaStore
from tests.conftest import Clock
from tests.samples import note


class Process(BaseStore):
    """The store as another process has it: an object of its own over the same items, which counts searches."""

    def __init__(self, inner: ChromaStore) -> None:
        self.inner = inner
        self.counts: Counter[str] = Counter()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        self.counts["reads"] += sum(isinstance(op, SearchOp) for op in given)
        return self.inner.batch(given)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))


SOUP, TRAIN = note("I love soup"), note("I hate trains")


def adding(*notes: Note) -> Step:
    return Step("", "user", "added", tuple(changed(None, one) for one in notes))


async def texts(memory: UserMemory) -> list[str]:
    held = await memory.snapshot()
    return sorted(one.text for one in held.every)


async def test_what_is_held_follows_every_change_of_two_processes(tmp_path: Path, clock: Clock) -> None:
    with ChromaStore.from_path(tmp_path) as inner:
        here, there = Process(inner), Process(inner)
        mine, theirs = (UserMemory(store, "ana", clock=clock) for store in (here, there))
        assert await texts(mine) == []
        await theirs.commit([adding(SOUP, TRAIN)])
        assert await texts(mine) == ["I hate trains", "I love soup"]
        reads = here.counts["reads"]
        assert await mine.snapshot() is await mine.snapshot()
        assert here.counts["reads"] == reads

        await theirs.set_consent(Consent(denied=("food",)))
        assert (await mine.snapshot()).consent.denied == ("food",)
        await theirs.set_profile(Profile(home_city="Lisbon"), step="p")
        assert (await mine.snapshot()).profile.home_city == "Lisbon"

        await theirs.forget(TRAIN.id)
        held = await mine.snapshot()
        assert [one.text for one in held.every] == ["I love soup"]
        assert held.eraser().tells("I hate trains")

        await clear(theirs, "ana")
        assert await texts(mine) == []
        assert not (await mine.snapshot()).erasures


async def test_a_forgotten_note_leaves_everything_that_is_held_at_once(tmp_path: Path, clock: Clock) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        memory = UserMemory(store, "ana", clock=clock)
        await memory.commit([adding(SOUP, TRAIN)])
        held = await memory.snapshot()

        async def view() -> str:
            return "I hate trains"

        assert await held.once("view", view) == "I hate trains"
        held.vectors["embedder"] = {"I hate trains": [1.0]}
        await memory.forget(TRAIN.id)

        async def renewed() -> str:
            return "nothing"

        after = await memory.snapshot()
        assert after.vectors == {}
        assert await after.once("view", renewed) == "nothing"


@pytest.mark.parametrize("hours", [0, 24])
async def test_a_use_moves_it_once_a_day(tmp_path: Path, clock: Clock, hours: int) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        memory = UserMemory(store, "ana", clock=clock)
        await memory.commit([adding(SOUP)])
        await memory.record_use(Usage(used=(SOUP.id,)), name="one")
        first = await memory.snapshot()
        assert first.every[0].last_used_at == clock()
        clock.move(hours=hours)
        await memory.record_use(Usage(shown=(SOUP.id,), used=(SOUP.id,)), name="two")
        await memory.commit([Step("", "agent", "blocked", code="limit")])
        assert (await memory.snapshot() is first) is (hours == 0)


async def test_an_expired_note_is_not_live(tmp_path: Path, clock: Clock) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        memory = UserMemory(store, "ana", clock=clock)
        await memory.commit([adding(SOUP, note("Diet until noon", expires_at=clock()))])
        clock.move(hours=-1)
        assert len((await memory.snapshot()).notes(clock())) == 2
        clock.move(hours=2)
        assert [one.text for one in (await memory.snapshot()).notes(clock())] == ["I love soup"]
