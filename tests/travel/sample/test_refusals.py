"""Impossible requests are rejected with a message that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from config.errors import (
    DateInPastError,
    InvalidInputError,
    NoServiceError,
    NotFoundError,
    OfferExpiredError,
    SeatTakenError,
    TravelDateError,
    TravelError,
    UnknownOfferError,
    UnknownPlaceError,
)
from tests.conftest import Clock
from travel.flights import FlightOffer
from travel.provider import SeatChoice
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.sample.world import SampleWorld

TODAY, SOON, LATER = date(2026, 11, 20), date(2026, 12, 10), date(2026, 12, 17)


def _asks(world: SampleWorld, start: date, end: date, place: str = "Lisbon") -> dict[str, Callable[[], Any]]:
    return {
        "flights": lambda: world.search_flights(
            FlightQuery(origin="London", destination=place, departing=start, returning=end)
        ),
        "hotels": lambda: world.search_hotels(HotelQuery(city=place, check_in=start, check_out=end)),
        "cars": lambda: world.search_cars(CarQuery(city=place, pick_up=start, drop_off=end)),
        "activities": lambda: world.search_activities(ActivityQuery(city=place, first_day=start, last_day=end)),
        "insurance": lambda: world.search_insurance(InsuranceQuery(destination=place, start=start, end=end)),
    }


KINDS = ("flights", "hotels", "cars", "activities", "insurance")


@pytest.mark.parametrize("kind", KINDS)
async def test_past_day_is_rejected(world: SampleWorld, kind: str) -> None:
    with pytest.raises(DateInPastError, match="it is 2026-11-20 there"):
        await _asks(world, date(2026, 11, 19), SOON)[kind]()


@pytest.mark.parametrize("kind", KINDS)
async def test_dates_in_the_wrong_order_are_rejected(world: SampleWorld, kind: str) -> None:
    with pytest.raises(TravelDateError, match="2026-12-10"):
        await _asks(world, LATER, SOON)[kind]()


@pytest.mark.parametrize("kind", KINDS)
async def test_date_more_than_a_year_ahead_is_rejected(world: SampleWorld, kind: str) -> None:
    with pytest.raises(TravelDateError, match="nothing is sold after 2027-11-20"):
        await _asks(world, date(2027, 11, 21), date(2027, 11, 22))[kind]()


@pytest.mark.parametrize("kind", KINDS)
async def test_unknown_place_is_rejected_with_a_similar_name(world: SampleWorld, kind: str) -> None:
    with pytest.raises(UnknownPlaceError, match="Did they mean Lisbon"):
        await _asks(world, SOON, LATER, "Lissbon")[kind]()


async def test_today_is_local_to_the_origin(world: SampleWorld, clock: Clock) -> None:
    clock.move(hours=8)
    with pytest.raises(DateInPastError, match="it is 2026-11-21 there"):
        await world.search_flights(FlightQuery(origin="Tokyo", destination="Osaka", departing=TODAY))
    assert await world.search_flights(FlightQuery(origin="Lisbon", destination="Madrid", departing=TODAY))


async def test_departed_flight_is_not_offered(world: SampleWorld, clock: Clock) -> None:
    offers = await world.search_flights(FlightQuery(origin="London", destination="Dublin", departing=TODAY, limit=40))
    assert all((offer.outbound.departs.utc - clock()).total_seconds() >= 3600 for offer in offers)


async def test_return_before_the_landing_is_rejected(world: SampleWorld) -> None:
    with pytest.raises(TravelDateError, match="Ask for a later return"):
        await world.search_flights(
            FlightQuery(origin="London", destination="Sydney", departing=SOON, returning=SOON, max_stops=1)
        )


async def test_search_without_results_names_the_filter_to_drop(world: SampleWorld) -> None:
    with pytest.raises(NoServiceError, match="Offer more stops"):
        await world.search_flights(FlightQuery(origin="London", destination="Sydney", departing=SOON, max_stops=0))


async def _flight(world: SampleWorld) -> FlightOffer:
    query = FlightQuery(origin="London", destination="New York", departing=SOON, max_stops=0, limit=1)
    return (await world.search_flights(query))[0]


async def _again(world: SampleWorld, offer: FlightOffer) -> FlightOffer:
    query = FlightQuery(origin="London", destination="New York", departing=SOON, max_stops=0, limit=100)
    offers = await world.search_flights(query)
    return next(one for one in offers if (one.itinerary, one.fare) == (offer.itinerary, offer.fare))


async def test_offer_expires_and_can_be_found_again(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    clock.now = offer.expires_at.utc
    for ask in (world.offer(offer.id), world.reserve(offer.id, "k")):
        with pytest.raises(OfferExpiredError, match="Search again, show"):
            await ask
    fresh = await _again(world, offer)
    assert fresh.id != offer.id
    assert (fresh.itinerary, fresh.fare) == (offer.itinerary, offer.fare)
    assert (await world.reserve(fresh.id, "k")).status == "confirmed"


async def test_price_rises_near_departure(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    clock.move(days=18)
    late = await _again(world, offer)
    assert late.price.amount > offer.price.amount


async def test_flight_closes_an_hour_before_departure(world: SampleWorld, clock: Clock) -> None:
    offer = await _flight(world)
    clock.now = offer.outbound.departs.utc - timedelta(minutes=65)
    last = await _again(world, offer)
    clock.move(minutes=10)
    with pytest.raises(DateInPastError, match="closed"):
        await world.reserve(last.id, "k")


@pytest.mark.parametrize("forge", [
    lambda text: text.replace(".YB.", ".YX."), lambda text: text[:-1], lambda text: text + "x", lambda text: "",
    lambda text: "FL", lambda text: "FL.x.y", lambda text: text.replace("FL.", "HT."), lambda text: text.upper(),
    lambda text: "é.1.2", lambda text: "x" * 10_000,
])  # fmt: skip
async def test_id_that_was_not_issued_is_unknown(world: SampleWorld, forge: Callable[[str], str]) -> None:
    offer = await _flight(world)
    with pytest.raises(UnknownOfferError):
        await world.offer(forge(offer.id))


async def test_id_of_another_world_is_unknown(world: SampleWorld, clock: Clock, tmp_path: Path) -> None:
    offer = await _flight(world)
    other = SampleWorld(tmp_path / "data", clock=clock, seed="other")
    with closing(other), pytest.raises(UnknownOfferError):
        await other.offer(offer.id)


async def test_missing_or_taken_seats_are_rejected(world: SampleWorld) -> None:
    offer = await _flight(world)
    (cabin,) = await world.seat_map(offer.id)
    sold = next(seat for seat in cabin.seats if not seat.free)
    free = cabin.free()[0]
    for seats, error in (
        ([SeatChoice(segment=0, seat=sold.id)], SeatTakenError),
        ([SeatChoice(segment=0, seat="99A")], SeatTakenError),
        ([SeatChoice(segment=1, seat=free.id)], InvalidInputError),
        ([SeatChoice(segment=0, seat=seat.id) for seat in cabin.free()[:2]], InvalidInputError),
        ([SeatChoice(segment=0, seat=free.id)] * 2, InvalidInputError),
    ):
        with pytest.raises(error):
            await world.reserve(offer.id, "k", seats=seats)
    assert await world.reservation("k") is None


async def test_only_flights_have_seats(world: SampleWorld) -> None:
    hotel = (await world.search_hotels(HotelQuery(city="Lisbon", check_in=SOON, check_out=LATER)))[0]
    with pytest.raises(NoServiceError):
        await world.seat_map(hotel.id)
    with pytest.raises(InvalidInputError):
        await world.reserve(hotel.id, "k", seats=[SeatChoice(segment=0, seat="1A")])


async def test_unused_keys_are_not_found(world: SampleWorld) -> None:
    for ask in (world.release("nobody"), world.confirm("nobody"), world.choose_seats("nobody", [])):
        with pytest.raises(NotFoundError):
            await ask
    with pytest.raises(InvalidInputError):
        await world.reserve((await _flight(world)).id, " ")


def test_all_travel_errors_share_a_base_class() -> None:
    family = (UnknownPlaceError, DateInPastError, NoServiceError, SeatTakenError, UnknownOfferError, OfferExpiredError)
    assert all(issubclass(error, TravelError) for error in family)
