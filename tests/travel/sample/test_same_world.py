"""The same seed gives the same world, byte for byte, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

_ASK = """
import asyncio, sys
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.sample.world import SampleWorld

START, END = date(2026, 12, 10), date(2026, 12, 17)

async def main(folder, seed):
    with closing(SampleWorld(Path(folder), clock=lambda: datetime(2026, 11, 20, 9, tzinfo=UTC), seed=seed)) as world:
        for origin, destination in (("Edinburgh", "Kanazawa"), ("LHR", "JFK"), ("Lima", "Oslo"), ("POM", "KOI")):
            asked = FlightQuery(origin=origin, destination=destination, departing=START, returning=END, limit=3)
            found = await world.search_flights(asked)
            print(*(offer.model_dump_json() for offer in found), sep="\\n")
            print(*(cabin.model_dump_json() for cabin in await world.seat_map(found[0].id)), sep="\\n")
        for found in (
            await world.search_hotels(HotelQuery(city="Lima", check_in=START, check_out=END)),
            await world.search_cars(CarQuery(city="Lima", pick_up=START, drop_off=END)),
            await world.search_activities(ActivityQuery(city="Lima", first_day=START, last_day=END)),
            await world.search_insurance(InsuranceQuery(destination="Lima", start=START, end=END)),
        ):
            print(*(offer.model_dump_json() for offer in found), sep="\\n")

asyncio.run(main(*sys.argv[1:]))
"""


@cache
def _printed(seed: str, hash_seed: str) -> bytes:
    """Return what a process prints of the world of `seed`, in a folder of its own."""
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", _ASK, folder, seed]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, env=env).stdout


@pytest.mark.parametrize("seed", ["2026", "another"])
def test_two_processes_have_the_same_world(seed: str) -> None:
    one, other = _printed(seed, "1"), _printed(seed, "2")
    assert len(one) > 50_000
    assert one == other


def test_another_seed_gives_another_world() -> None:
    one, other = (set(_printed(seed, "1").splitlines()) for seed in ("2026", "another"))
    assert one.isdisjoint(other)
