"""Terms in edge cases: the date line, other time zones, holds, changed fares, and seats on other flights."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from langgraph.store.memory import InMemoryStore

from config.errors import InvalidInputError
from memory.records.repository import UserMemory
from tests.conftest import Clock
from tests.travel.ledger import THERE, flight, flights, ledger
from travel.booking.ledger import Bookings
from travel.provider import SeatChoice
from travel.queries import InsuranceQuery
from travel.sample.world import SampleWorld


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


@pytest.fixture
def ana(store: InMemoryStore, world: SampleWorld, clock: Clock) -> Bookings:
    return ledger(store, world, clock)


async def test_flight_that_lands_the_day_before_it_left_is_booked(
    ana: Bookings, world: SampleWorld, store: InMemoryStore, clock: Clock
) -> None:
    offers = await flights(world, origin="AKL", destination="HNL", returning=None)
    offer = next(one for one in offers if one.outbound.day_offset == -1)
    booked = await ana.book(offer.id, "k1", thread_id="t")
    assert (booked.starts, booked.ends) == (THERE, THERE)
    (trip,) = await UserMemory(store, "ana", clock=clock).trips()
    assert (trip.start, trip.end, trip.destination) == (THERE, THERE, "Honolulu")


async def test_free_cancellation_within_a_day_begins_at_payment(
    ana: Bookings, world: SampleWorld, clock: Clock
) -> None:
    offer = await flight(world, "basic")
    held = await ana.hold(offer.id, "k1", thread_id="t")
    clock.move(hours=23)
    booked = await ana.book(offer.id, "k2", thread_id="t")
    assert booked.id == held.id
    clock.move(hours=23)
    assert ana.refund(booked).amount == offer.price
    clock.move(hours=1)
    assert ana.refund(booked).kept == offer.price


async def test_change_does_not_make_a_lost_amount_refundable(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offers = await flights(world, origin="Berlin", destination="Lisbon", limit=40)
    strict = next(one for one in offers if one.fare.rules.changeable and not one.fare.rules.refundable)
    free = next(one for one in offers if one.fare.family == "flex" and one.price.amount > strict.price.amount)
    booked = await ana.book(strict.id, "k1", thread_id="t")
    clock.move(hours=25)
    later = await flights(world, origin="Berlin", destination="Lisbon", limit=40)
    free_now = next(one for one in later if (one.itinerary, one.fare) == (free.itinerary, free.fare))
    assert ana.refund(booked).kept == strict.price
    changed = await ana.change(booked.id, free_now.id, "k2")
    fee = strict.fare.rules.change_fee
    assert fee is not None
    back = ana.refund(changed)
    assert back.kept == strict.price + fee
    assert back.amount == changed.paid - back.kept
    assert "before it was changed" in back.rule


async def test_fare_with_a_refund_fee_keeps_it_after_a_change(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offers = [one for one in await flights(world, max_stops=0) if one.fare.family == "standard"]
    one, other = offers[:2]
    booked = await ana.book(one.id, "k1", thread_id="t")
    clock.move(hours=25)
    once = ana.refund(booked).kept
    later = await flights(world, max_stops=0)
    other_now = next(one for one in later if (one.itinerary, one.fare) == (other.itinerary, other.fare))
    changed = await ana.change(booked.id, other_now.id, "k2")
    fee = one.fare.rules.change_fee
    assert fee is not None
    assert ana.refund(changed).kept == once + fee


async def test_seats_on_other_flights_of_a_journey_are_kept(ana: Bookings, world: SampleWorld) -> None:
    offer = await flight(world)
    there, back = (
        SeatChoice(segment=one.segment, seat=one.free("aisle")[0].id) for one in await world.seat_map(offer.id)
    )
    booked = await ana.book(offer.id, "k1", thread_id="t", seats=[there])
    assert ana.seat_price(booked, [back]) == offer.fare.rules.seat_fee
    both = await ana.choose_seats(booked.id, [back], "k2")
    assert both.seats == (there, back)
    assert both.paid == offer.price + offer.fare.rules.seat_fee * 2
    seat_map = await world.seat_map(offer.id)
    assert all(choice.seat not in {seat.id for seat in seat_map[choice.segment].free()} for choice in (there, back))


@pytest.mark.parametrize(("city", "zone_hours"), [("Auckland", 13), ("Honolulu", -10)])
async def test_insurance_starts_in_the_local_time_of_the_place(
    ana: Bookings, world: SampleWorld, clock: Clock, city: str, zone_hours: int
) -> None:
    query = InsuranceQuery(destination=city, start=THERE, end=THERE + timedelta(days=3))
    cover = (await world.search_insurance(query))[0]
    booked = await ana.book(cover.id, "k1", thread_id="t")
    clock.now = clock.now.replace(month=12, day=10, hour=0) - timedelta(hours=zone_hours, seconds=1)
    assert ana.refund(booked).amount == cover.price
    clock.move(seconds=1)
    assert ana.refund(booked).kept == cover.price
    with pytest.raises(InvalidInputError, match="has begun"):
        await ana.cancel(booked.id, "k2")


async def test_booking_that_the_provider_lost_can_be_cancelled(
    ana: Bookings, world: SampleWorld, store: InMemoryStore, clock: Clock, tmp_path: Path
) -> None:
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    with closing(SampleWorld(tmp_path / "another inventory", clock=clock)) as forgetful:
        cancelled = await ledger(store, forgetful, clock).cancel(booked.id, "k2")
    assert (cancelled.status, cancelled.paid.amount) == ("cancelled", 0)
    assert await ana.all() == []
