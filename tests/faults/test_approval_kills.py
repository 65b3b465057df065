"""Kills between approval and answer: each approved booking exists exactly once, and no rejected one does."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from tests.faults.child import Where, run_and_kill, settings_of
from tests.faults.journey import check, decide, look, models, propose, settle
from tests.faults.parts import Blow, struck_concierge

pytestmark = pytest.mark.slow


def _where(folder: Path) -> Where:
    return {"data_dir": folder, "embedder": "none"}


async def _proposed(folder: Path, count: int) -> list[str]:
    async with struck_concierge(settings_of(_where(folder)), models=models()) as concierge:
        return await propose(concierge, count)


async def _decided(folder: Path, offers: list[str], letters: str) -> int:
    """Decide and check without a kill; return the number of writes."""
    blow = Blow()
    async with struck_concierge(settings_of(_where(folder)), blow, models=models()) as concierge:
        await decide(concierge, letters)
        writes = blow.count
        await check(concierge, folder, offers, letters)
    return writes


async def _settled(folder: Path, offers: list[str], letters: str, *, patient: bool) -> None:
    async with struck_concierge(settings_of(_where(folder)), models=models()) as concierge:
        await settle(concierge, letters, patient=patient)
        await check(concierge, folder, offers, letters)


@dataclass(frozen=True)
class Proposal:
    """A conversation with proposed bookings, with the writes and the seconds that approving them all takes."""

    folder: Path
    offers: list[str]
    writes: int
    seconds: float

    @classmethod
    def of(cls, folder: Path, count: int) -> Proposal:
        """Create the conversation in `folder`, and keep a copy."""
        offers = asyncio.run(_proposed(folder / "start", count))
        for name in ("whole", "child"):
            shutil.copytree(folder / "start", folder / name)
        writes = asyncio.run(_decided(folder / "whole", offers, "a" * count))
        one = cls(folder / "start", offers, writes, 0.0)
        began = time.monotonic()
        assert not one.killed(folder / "child", "a" * count)
        return replace(one, seconds=time.monotonic() - began)

    def killed(self, folder: Path, letters: str, *, after: float | None = None, at: int = 0) -> bool:
        """Let a process decide, and kill it; return False if it ended before the kill."""
        return run_and_kill(
            [partial(decide, letters=letters)],
            _where(folder),
            models=models,
            ahead=[partial(look, offers=self.offers)],
            after=after,
            at=at,
        )

    def disturbed(self, folder: Path, letters: str, *, patient: bool, after: float | None = None, at: int = 0) -> bool:
        """Kill a process that decides, settle the approval, and check; return False if the process ended before."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder)
        was_killed = self.killed(folder, letters, after=after, at=at)
        asyncio.run(_settled(folder, self.offers, letters, patient=patient))
        return was_killed


@pytest.fixture(scope="module")
def proposals(tmp_path_factory: pytest.TempPathFactory) -> list[Proposal]:
    """Return conversations with one, two and three proposed bookings."""
    return [Proposal.of(tmp_path_factory.mktemp(f"proposal{count}"), count) for count in (1, 2, 3)]


def _rounds(proposals: list[Proposal], folder: Path, rounds: int) -> int:
    """Run random rounds of decisions, kills and clients; return the number of kills that hit."""
    chance = random.Random(rounds)
    hits = 0
    for number in range(rounds):
        one = chance.choice(proposals)
        letters = "".join(chance.choice("aar") for _ in one.offers)
        patient = chance.random() < 0.5
        if number % 2:
            hits += one.disturbed(folder, letters, patient=patient, after=chance.uniform(0, one.seconds))
        else:
            hits += one.disturbed(folder, letters, patient=patient, at=chance.randint(1, one.writes))
    return hits


def test_random_kills_after_a_decision_book_each_approved_offer_once(proposals: list[Proposal], tmp_path: Path) -> None:
    assert _rounds(proposals, tmp_path / "round", 6)


@pytest.mark.soak
def test_two_hundred_random_kills_after_a_decision_book_each_approved_offer_once(
    proposals: list[Proposal], tmp_path: Path
) -> None:
    assert _rounds(proposals, tmp_path / "round", 200) > 50


@pytest.mark.soak
@pytest.mark.parametrize("patient", [True, False])
def test_kill_before_any_write_after_a_decision_books_each_approved_offer_once(
    proposals: list[Proposal], tmp_path: Path, patient: bool
) -> None:
    for at in range(1, proposals[2].writes + 1):
        proposals[2].disturbed(tmp_path / "round", "ara", patient=patient, at=at)
