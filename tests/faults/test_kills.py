"""Kills at any moment of a session and of its end; after a resume, the data is the same as without the kill."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.faults.account import everything
from tests.faults.child import PARTS, Where, run_and_kill, search, settings_of
from tests.faults.parts import Blow, struck_concierge
from tests.faults.story import LEARNT, THREAD, USER
from tests.postgres import Server

pytestmark = pytest.mark.slow

END = ("end",)
SESSION = ("turns", "end")


async def _run_parts(parts: tuple[str, ...], where: Where) -> tuple[bytes, int]:
    """Run these parts; return all stored data, and the number of writes."""
    blow = Blow()
    async with struck_concierge(settings_of(where), blow) as concierge:
        for part in parts:
            await PARTS[part](concierge)
        writes = blow.count
        hits = [] if where["embedder"] == "none" else await search(concierge)
        return await everything(concierge, THREAD) + repr(hits).encode(), writes


async def _check(where: Where) -> None:
    """Check that nothing is staged, planned or open, each statement was learnt once, and the journal has no gap."""
    async with struck_concierge(settings_of(where)) as concierge:
        state = (await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})).values
        assert (state["session_notes"], state["plan"], state["session"]) == ([], None, None)
        memory = concierge.memory(USER)
        assert sorted(note.text for note in await memory.notes()) == LEARNT
        journal = await memory.journal()
        assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
        assert len(await memory.episodes()) == 2
        assert await concierge.sweep(idle=timedelta(0)) == []


@dataclass(frozen=True)
class Undisturbed:
    """A part of the story that ran without a kill: its start, its outcome, its writes and its seconds."""

    parts: tuple[str, ...]
    start: Where
    outcome: bytes
    writes: int
    seconds: float

    @classmethod
    def of(cls, parts: tuple[str, ...], ahead: tuple[str, ...], folder: Path, embedder: str) -> Undisturbed:
        """Run the parts of `ahead`, keep a copy of the data, and run `parts`."""
        start: Where = {"data_dir": folder / "start", "embedder": embedder}
        asyncio.run(_run_parts(ahead, start))
        where = {**start, "data_dir": folder / "whole"}
        shutil.copytree(start["data_dir"], where["data_dir"])
        began = time.monotonic()
        outcome, writes = asyncio.run(_run_parts(parts, where))
        seconds = time.monotonic() - began
        asyncio.run(_check(where))
        return cls(parts, start, outcome, writes, seconds)

    def disturbed(self, folder: Path, **how: Any) -> bool:
        """Kill a process that runs the parts, resume, and compare; return False if the process ended before."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.start["data_dir"], folder)
        where = {**self.start, "data_dir": folder}
        was_killed = run_and_kill([PARTS[part] for part in self.parts], where, **how)
        outcome, _ = asyncio.run(_run_parts(self.parts, where))
        assert outcome == self.outcome
        return was_killed

    def at_random(self, folder: Path, rounds: int) -> int:
        """Kill at random moments; return the number of kills that hit.

        A kill that comes too late shortens the range, as the duration of a process depends on the load of the machine.
        """
        chance, longest, hits = random.Random(rounds), self.seconds, 0
        for _ in range(rounds):
            was_killed = self.disturbed(folder, after=chance.uniform(0, longest))
            hits += was_killed
            longest *= 1.2 if was_killed else 0.5
        return hits


Teller = Callable[[tuple[str, ...], str], Undisturbed]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Teller:
    """Return a function that runs a part of the story, once for all tests of this file."""
    cache: dict[tuple[tuple[str, ...], str], Undisturbed] = {}

    def tell(parts: tuple[str, ...], embedder: str) -> Undisturbed:
        if (parts, embedder) not in cache:
            ahead = tuple(part for part in PARTS if part not in parts)
            cache[parts, embedder] = Undisturbed.of(parts, ahead, tmp_path_factory.mktemp("story"), embedder)
        return cache[parts, embedder]

    return tell


def test_kill_before_any_write_of_the_session_end_changes_nothing(undisturbed: Teller, tmp_path: Path) -> None:
    story = undisturbed(END, "none")
    assert [story.disturbed(tmp_path / "round", at=at) for at in range(1, story.writes + 2)] == [
        *[True] * story.writes,
        False,
    ]


def test_kill_before_some_writes_of_a_session_changes_nothing(undisturbed: Teller, tmp_path: Path) -> None:
    story = undisturbed(SESSION, "none")
    for at in random.Random(1).sample(range(1, story.writes + 1), 6):
        assert story.disturbed(tmp_path / "round", at=at)


@pytest.mark.parametrize(("embedder", "rounds"), [("none", 6), ("local", 3)])
def test_random_kills_during_the_session_end_change_nothing(
    undisturbed: Teller, tmp_path: Path, embedder: str, rounds: int
) -> None:
    undisturbed(END, embedder).at_random(tmp_path / "round", rounds)


@pytest.mark.soak
@pytest.mark.parametrize(("embedder", "rounds"), [("none", 240), ("local", 60)])
def test_three_hundred_random_kills_during_the_session_end_change_nothing(
    undisturbed: Teller, tmp_path: Path, embedder: str, rounds: int
) -> None:
    assert undisturbed(END, embedder).at_random(tmp_path / "round", rounds) > rounds // 10


@pytest.mark.soak
@pytest.mark.parametrize("embedder", ["none", "local"])
def test_kill_before_any_write_of_a_session_changes_nothing(undisturbed: Teller, tmp_path: Path, embedder: str) -> None:
    story = undisturbed(SESSION, embedder)
    assert all(story.disturbed(tmp_path / "round", at=at) for at in range(1, story.writes + 1))


def _on_postgres(server: Server, tmp_path: Path, parts: tuple[str, ...], step: int) -> None:
    """Kill before every `step`-th write, each time in an empty database."""
    ahead = tuple(part for part in PARTS if part not in parts)

    def begun(name: str) -> Where:
        where: Where = {"data_dir": tmp_path, "embedder": "none", "store_url": server.url_of(f"kills_{step}_{name}")}
        asyncio.run(_run_parts(ahead, where))
        return where

    outcome, writes = asyncio.run(_run_parts(parts, begun("whole")))
    for at in range(step, writes + 1, step):
        where = begun(str(at))
        assert run_and_kill([PARTS[part] for part in parts], where, at=at)
        assert asyncio.run(_run_parts(parts, where))[0] == outcome
        asyncio.run(_check(where))


def test_on_postgresql_kill_before_some_writes_of_the_session_end_changes_nothing(
    postgres: Server, tmp_path: Path
) -> None:
    _on_postgres(postgres, tmp_path, END, 4)


@pytest.mark.soak
def test_on_postgresql_kill_before_any_write_of_the_session_end_changes_nothing(
    postgres: Server, tmp_path: Path
) -> None:
    _on_postgres(postgres, tmp_path, END, 1)
