"""The inventory: taken units are unavailable until they are released, and none is taken twice."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from config.errors import (
    ConflictError,
    InvalidInputError,
    OfferExpiredError,
    SeatTakenError,
    SoldOutError,
    StorageError,
)
from tests.conftest import Clock
from tests.warm import start
from travel.flights import FlightOffer
from travel.provider import AnyOffer, SeatChoice
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery, Party
from travel.sample.world import INVENTORY_FILE, SampleWorld

SOON, LATER = date(2026, 12, 10), date(2026, 12, 14)
WORKERS = 8


async def _flight(world: SampleWorld, **values: object) -> FlightOffer:
    asked = {"origin": "London", "destination": "New York", "departing": SOON, "max_stops": 0, "cabin": "business"}
    offers = await world.search_flights(FlightQuery.model_validate({**asked, **values}))
    return min((offer for offer in offers if 5 <= offer.left < 70), key=lambda offer: offer.left)


async def _one_of_each(world: SampleWorld) -> list[AnyOffer]:
    return [
        await _flight(world, returning=LATER),
        (await world.search_hotels(HotelQuery(city="Rome", check_in=SOON, check_out=LATER)))[0],
        (await world.search_cars(CarQuery(city="Rome", pick_up=SOON, drop_off=LATER)))[0],
        (await world.search_activities(ActivityQuery(city="Rome", first_day=SOON, last_day=LATER)))[0],
    ]


async def test_each_kind_is_taken_and_released(world: SampleWorld) -> None:
    for number, offer in enumerate(await _one_of_each(world)):
        await world.reserve(offer.id, f"k{number}")
        assert (await world.offer(offer.id)).left == offer.left - 1
        await world.release(f"k{number}")
        assert (await world.offer(offer.id)).left == offer.left


async def test_insurance_is_unlimited(world: SampleWorld) -> None:
    offer = (await world.search_insurance(InsuranceQuery(destination="Rome", start=SOON, end=LATER)))[0]
    for number in range(120):
        await world.reserve(offer.id, f"k{number}")
    assert (await world.offer(offer.id)).left == offer.left


async def test_stay_without_one_night_is_not_taken_at_all(world: SampleWorld) -> None:
    one = HotelQuery(city="Rome", check_in=SOON, check_out=SOON + timedelta(1), limit=40)
    single = {(each.hotel_id, each.room): each for each in await world.search_hotels(one)}
    stays = await world.search_hotels(one.model_copy(update={"check_out": LATER}))
    offer = next(each for each in stays if (each.hotel_id, each.room) in single)
    night = single[(offer.hotel_id, offer.room)]
    for number in range(night.left):
        await world.reserve(night.id, f"night{number}")
    with pytest.raises(SoldOutError, match="0 left"):
        await world.reserve(offer.id, "stay")
    assert await world.reservation("stay") is None
    await world.release("night0")
    assert (await world.reserve(offer.id, "stay")).status == "confirmed"


async def test_same_key_takes_once(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    first = await world.reserve(offer.id, "k")
    clock.move(days=1)
    assert await world.reserve(offer.id, "k") == first
    assert (await world.offer(offer.id, late=True)).left == offer.left - 1


async def test_key_is_valid_for_one_offer_and_one_time(world: SampleWorld) -> None:
    offer, other = await _flight(world), await _flight(world, cabin="economy")
    await world.reserve(offer.id, "k")
    with pytest.raises(ConflictError, match="another offer"):
        await world.reserve(other.id, "k")
    assert (await world.release("k")).status == "released"
    assert (await world.release("k")).status == "released"
    for ask in (world.reserve(offer.id, "k"), world.confirm("k"), world.choose_seats("k", [])):
        with pytest.raises(ConflictError, match="cancelled"):
            await ask
    assert (await world.offer(offer.id)).left == offer.left


async def test_hold_expires_and_is_released_unless_confirmed(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    until = clock() + timedelta(minutes=10)
    seat = (await world.seat_map(offer.id))[0].free()[0]
    await world.reserve(offer.id, "kept", hold_until=until)
    held = await world.reserve(offer.id, "lost", seats=[SeatChoice(segment=0, seat=seat.id)], hold_until=until)
    assert (held.status, held.held_until) == ("held", until)
    assert (await world.confirm("kept")).status == "confirmed"
    assert (await world.offer(offer.id)).left == offer.left - 2
    clock.now = until
    assert (await world.offer(offer.id)).left == offer.left - 1
    assert seat in (await world.seat_map(offer.id))[0].free()
    for ask in (world.confirm("lost"), world.reserve(offer.id, "lost")):
        with pytest.raises(OfferExpiredError):
            await ask
    assert [(await world.reservation(key)).status for key in ("kept", "lost")] == ["confirmed", "lapsed"]  # type: ignore[union-attr]
    reservation = await world.reserve(offer.id, "next", seats=[SeatChoice(segment=0, seat=seat.id)])
    assert reservation.seats == (SeatChoice(segment=0, seat=seat.id),)


async def test_seat_is_sold_once(world: SampleWorld) -> None:
    offer = await _flight(world)
    first, second = (SeatChoice(segment=0, seat=seat.id) for seat in (await world.seat_map(offer.id))[0].free()[:2])
    await world.reserve(offer.id, "a", seats=[first])
    with pytest.raises(SeatTakenError, match=first.seat):
        await world.reserve(offer.id, "b", seats=[first])
    await world.reserve(offer.id, "b", seats=[second])
    with pytest.raises(SeatTakenError):
        await world.choose_seats("b", [first])
    assert (await world.reservation("b")).seats == (second,)  # type: ignore[union-attr]
    await world.choose_seats("a", [])
    assert (await world.choose_seats("b", [first])).seats == (first,)
    free = {seat.id for seat in (await world.seat_map(offer.id))[0].free()}
    assert (first.seat in free, second.seat in free) == (False, True)


async def test_full_flight_is_not_in_the_results(world: SampleWorld) -> None:
    offer = await _flight(world)
    for number in range(offer.left):
        await world.reserve(offer.id, f"k{number}")
    query = FlightQuery(
        origin="London", destination="New York", departing=SOON, max_stops=0, cabin="business", limit=40
    )
    assert offer.itinerary not in {each.itinerary for each in await world.search_flights(query)}
    with pytest.raises(SoldOutError):
        await world.reserve(offer.id, "one more")


async def test_search_with_only_full_flights_says_so(world: SampleWorld) -> None:
    query = FlightQuery(origin="Hakodate", destination="Tokyo", departing=SOON, max_stops=0, party=Party(adults=9))
    with pytest.raises(SoldOutError, match="are full"):
        await _book_all(world, query)


async def _book_all(world: SampleWorld, query: FlightQuery) -> None:
    while True:
        for offer in await world.search_flights(query):
            if offer.fare.family == "basic":
                await world.reserve(offer.id, f"{offer.itinerary}/{offer.left}")


async def test_reservations_survive_a_restart(tmp_path: Path, clock: Clock) -> None:
    with closing(SampleWorld(tmp_path, clock=clock)) as world:
        offer = await _flight(world)
        await world.reserve(offer.id, "k")
    with closing(SampleWorld(tmp_path, clock=clock)) as world:
        assert (await world.offer(offer.id)).left == offer.left - 1
        assert (await world.reserve(offer.id, "k")).status == "confirmed"
        assert (await world.offer(offer.id)).left == offer.left - 1


async def test_eight_tasks_get_exactly_the_available_seats(world: SampleWorld) -> None:
    offer = await _flight(world)

    async def worker(number: int) -> Counter[str]:
        tally: Counter[str] = Counter()
        for attempt in range(10):
            try:
                await world.reserve(offer.id, f"{number}/{attempt}")
                tally["taken"] += 1
            except SoldOutError:
                tally["sold out"] += 1
        return tally

    tallies = await asyncio.gather(*map(worker, range(WORKERS)))
    assert sum(tallies, Counter()) == {"taken": offer.left, "sold out": 10 * WORKERS - offer.left}
    assert (await world.offer(offer.id)).left == 0


_WORKER = """
import asyncio, sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from config.errors import SoldOutError
from travel.sample.world import SampleWorld

async def main(folder, offer_id, name):
    taken = 0
    with closing(SampleWorld(Path(folder), clock=lambda: datetime(2026, 11, 20, 9, tzinfo=UTC))) as world:
        for attempt in range(10):
            try:
                await world.reserve(offer_id, f"{name}/{attempt}")
                taken += 1
            except SoldOutError:
                pass
    print(taken)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.slow
async def test_eight_processes_get_exactly_the_available_seats(tmp_path: Path, clock: Clock) -> None:
    with closing(SampleWorld(tmp_path / "asked", clock=clock)) as world:
        offer = await _flight(world)
    workers = [start(_WORKER, str(tmp_path / "raced"), offer.id, str(number)) for number in range(WORKERS)]
    told = []
    for worker, printed in workers:
        with printed:
            told.append(printed.read())
        worker.join()
        assert worker.exitcode == 0
    assert sum(map(int, told)) == offer.left < 10 * WORKERS


async def test_hold_must_end_in_the_future(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    for until in (clock(), clock() - timedelta(1), (clock() + timedelta(1)).replace(tzinfo=None)):
        with pytest.raises(InvalidInputError, match="A hold needs an end to come"):
            await world.reserve(offer.id, "k", hold_until=until)


_RESTLESS = """
import asyncio, itertools, sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from travel.sample.world import SampleWorld

async def main(folder, offer_id, name):
    with closing(SampleWorld(Path(folder), clock=lambda: datetime(2026, 11, 20, 9, tzinfo=UTC))) as world:
        for number in itertools.count():
            key = f"{name}/{number}"
            await world.reserve(offer_id, key)
            print(key, flush=True)
            if number % 3:
                await world.release(key)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.slow
async def test_killed_process_leaves_each_reservation_complete(tmp_path: Path, clock: Clock) -> None:
    with closing(SampleWorld(tmp_path / "data", clock=clock)) as world:
        offer = await _flight(world, returning=LATER, cabin="economy", party=Party(adults=2))
    acknowledged: list[str] = []
    for number, lines in enumerate((1, 4, 7)):
        restless, printed = start(_RESTLESS, str(tmp_path / "data"), offer.id, str(number))
        with printed:
            acknowledged += [printed.readline().decode().strip() for _ in range(lines)]
            restless.kill()
            restless.join()
    with closing(sqlite3.connect(tmp_path / "data" / INVENTORY_FILE)) as db:
        status = dict(db.execute("SELECT key, status FROM reservation"))
        twice = dict(db.execute("SELECT key, count(*) FROM taken WHERE count = 2 GROUP BY key"))
    assert set(acknowledged) <= set(status)
    assert twice == {key: len(offer.segments) for key, state in status.items() if state == "confirmed"}
    with closing(SampleWorld(tmp_path / "data", clock=clock)) as world:
        assert (await world.offer(offer.id)).left == offer.left - 2 * len(twice)


async def test_invalid_database_file_is_named(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / INVENTORY_FILE).write_bytes(b"not a database" * 100)
    with closing(SampleWorld(tmp_path, clock=clock)) as world, pytest.raises(StorageError, match=INVENTORY_FILE):
        await world.reservation("key")
