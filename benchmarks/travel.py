"""How fast the sample world answers, and whether its last seats are sold exactly once.

    python -m benchmarks.travel [--quick] [--json]

Searches between random cities on random days within a year, each asked for the first time in this process, and then a
race: eight processes book one flight until 10,000 attempts are made. `--quick` asks less and takes under a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from config.errors import SoldOutError, TravelError
from travel.flights import FlightOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.sample.flights.network import SHORTEST_KM
from travel.sample.places.airports import atlas, kilometres
from travel.sample.world import INVENTORY_FILE, SampleWorld

TARGET_MS = 50.0
"""Milliseconds that one search may take, at p95; asking for seven days at once is several searches."""
WORKERS = 8
_ROOT = Path(__file__).parents[1]
_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
Search = Callable[[SampleWorld, random.Random], Awaitable[Sequence[Any]]]


def _day(chance: random.Random, *, last: int = 350) -> date:
    return _NOW.date() + timedelta(days=chance.randint(1, last))


def _city(chance: random.Random) -> str:
    return chance.choice(sorted(atlas().cities))


def _flights(world: SampleWorld, chance: random.Random, **values: Any) -> Awaitable[Sequence[Any]]:
    origin, destination = "", ""
    while not origin or _too_near(origin, destination):
        origin, destination = _city(chance), _city(chance)
    leaves = _day(chance)
    back = leaves + timedelta(days=chance.randint(2, 14)) if values.pop("returning", False) else None
    return world.search_flights(
        FlightQuery(origin=origin, destination=destination, departing=leaves, returning=back, **values)
    )


def _too_near(origin: str, destination: str) -> bool:
    ends = (atlas().cities[code].airports for code in (origin, destination))
    starts, stops = ends
    return max(kilometres(one, other) for one in starts for other in stops) < SHORTEST_KM


def _stay(chance: random.Random) -> tuple[str, date, date]:
    start = _day(chance)
    return _city(chance), start, start + timedelta(days=chance.randint(1, 10))


def _hotels(world: SampleWorld, chance: random.Random) -> Awaitable[Sequence[Any]]:
    city, start, end = _stay(chance)
    return world.search_hotels(HotelQuery(city=city, check_in=start, check_out=end))


def _cars(world: SampleWorld, chance: random.Random) -> Awaitable[Sequence[Any]]:
    city, start, end = _stay(chance)
    return world.search_cars(CarQuery(city=city, pick_up=start, drop_off=end))


def _activities(world: SampleWorld, chance: random.Random) -> Awaitable[Sequence[Any]]:
    city, start, end = _stay(chance)
    return world.search_activities(ActivityQuery(city=city, first_day=start, last_day=end))


def _insurance(world: SampleWorld, chance: random.Random) -> Awaitable[Sequence[Any]]:
    city, start, end = _stay(chance)
    return world.search_insurance(InsuranceQuery(destination=city, start=start, end=end))


SEARCHES: Mapping[str, Search] = {
    "flights, one way": _flights,
    "flights, return": lambda world, chance: _flights(world, chance, returning=True),
    "flights, seven days": lambda world, chance: _flights(world, chance, returning=True, flexible_days=3),
    "hotels": _hotels,
    "cars": _cars,
    "activities": _activities,
    "insurance": _insurance,
}


async def speed(count: int, folder: Path) -> dict[str, dict[str, float]]:
    """Milliseconds of `count` searches of each kind, by the clock and of computing alone; how many found nothing."""
    with closing(SampleWorld(folder, clock=lambda: _NOW)) as world:
        await world.country("London")
        return {name: await _measure(world, search, count) for name, search in SEARCHES.items()}


async def _measure(world: SampleWorld, search: Search, count: int) -> dict[str, float]:
    chance = random.Random(5)
    taken: list[float] = []
    worked: list[float] = []
    nothing = 0
    for _ in range(count):
        begun, working = time.perf_counter(), time.process_time()
        try:
            await search(world, chance)
        except TravelError:
            nothing += 1
        taken.append(1000 * (time.perf_counter() - begun))
        worked.append(1000 * (time.process_time() - working))
    taken.sort()
    worked.sort()
    return {
        "searches": count,
        "p50_ms": round(statistics.median(taken), 1),
        "p95_ms": round(taken[int(0.95 * count)], 1),
        "most_ms": round(taken[-1], 1),
        "cpu_p95_ms": round(worked[int(0.95 * count)], 1),
        "nothing": nothing,
    }


async def race(attempts: int, folder: Path) -> dict[str, float | bool]:
    """`attempts` bookings of one flight by eight processes; `exact` when as many succeed as there were seats."""
    with closing(SampleWorld(folder, clock=lambda: _NOW)) as world:
        offer = await _flight(world)
    begun = time.perf_counter()
    each = str(attempts // WORKERS)
    workers = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.travel", "--worker", str(number), each, str(folder), offer.id,
            stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(_ROOT)},
        )
        for number in range(WORKERS)
    ]  # fmt: skip
    told = [json.loads((await worker.communicate())[0]) for worker in workers]
    seconds = time.perf_counter() - begun
    with sqlite3.connect(folder / INVENTORY_FILE) as db:
        (written,) = db.execute("SELECT sum(count) FROM taken").fetchone()
    taken, refused = (sum(each[at] for each in told) for at in (0, 1))
    return {
        "attempts": taken + refused,
        "seats": offer.left,
        "taken": taken,
        "written": written,
        "exact": taken == written == offer.left and taken + refused == attempts // WORKERS * WORKERS,
        "seconds": round(seconds, 1),
    }


async def _flight(world: SampleWorld) -> FlightOffer:
    asked = FlightQuery(origin="LHR", destination="JFK", departing=date(2026, 12, 10), max_stops=0, limit=40)
    return max(await world.search_flights(asked), key=lambda offer: offer.left)


async def work(name: str, attempts: int, folder: Path, offer_id: str) -> tuple[int, int]:
    """Book `attempts` times; returns how often it went well and how often it was sold out."""
    taken = 0
    with closing(SampleWorld(folder, clock=lambda: _NOW)) as world:
        for number in range(attempts):
            try:
                await world.reserve(offer_id, f"{name}/{number}")
                taken += 1
            except SoldOutError:
                continue
    return taken, attempts - taken


def show(measured: Mapping[str, Any]) -> None:
    """Print `measured` as a table."""
    print(f"{'search':<22}{'searches':>10}{'p50 ms':>10}{'p95 ms':>10}{'most ms':>10}{'p95 cpu':>10}{'nothing':>10}")
    for name, row in measured["speed"].items():
        print(f"{name:<22}{row['searches']:>10}", end="")
        print(f"{row['p50_ms']:>10.1f}{row['p95_ms']:>10.1f}{row['most_ms']:>10.1f}", end="")
        print(f"{row['cpu_p95_ms']:>10.1f}{row['nothing']:>10}")
    raced = measured["race"]
    print(f"\nAt most {TARGET_MS:.0f} ms is aimed at, for one day at p95.")
    print(f"\n{raced['attempts']} bookings of one flight by {WORKERS} processes: {raced['seats']} seats, ", end="")
    print(f"{raced['taken']} booked, {'exact' if raced['exact'] else 'WRONG'}, {raced['seconds']:.1f} s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="100 searches of each kind and 800 bookings")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        name, attempts, folder, offer_id = given.worker
        print(json.dumps(asyncio.run(work(name, int(attempts), Path(folder), offer_id))))
        return
    with tempfile.TemporaryDirectory() as folder:
        measured = {
            "speed": asyncio.run(speed(100 if given.quick else 1000, Path(folder) / "speed")),
            "race": asyncio.run(race(800 if given.quick else 10_000, Path(folder) / "race")),
        }
    if given.json:
        print(json.dumps(measured))
        return
    show(measured)


if __name__ == "__main__":
    main()
