"""Flights: times, distances and fares are consistent with geography and with each other."""

from __future__ import annotations

import itertools
from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from config.errors import NoServiceError
from tests.conftest import Clock
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.provider import AnyOffer
from travel.queries import FlightQuery, Party
from travel.sample import SAMPLE
from travel.sample.flights.timetable import CHANGE_ABROAD, CHANGE_AT_HOME, Journey, journeys
from travel.sample.places.airports import atlas, kilometres
from travel.sample.world import SEED, SampleWorld

MAIN = sorted(city.airports[0] for city in atlas().cities.values() if city.code != "UKY")
DAYS = st.dates(date(2026, 3, 1), date(2027, 11, 30))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(MAIN), st.sampled_from(MAIN), DAYS)
def test_every_pair_of_cities_has_daily_flights_with_correct_times(start: str, end: str, day: date) -> None:
    flights = journeys(SEED, start, end, day) if kilometres(start, end) >= 120 else ()
    assert flights or kilometres(start, end) < 120
    for journey in flights:
        _check(journey, start, end, day)


def _check(journey: Journey, start: str, end: str, day: date) -> None:
    legs = journey.legs
    assert (legs[0].origin, legs[-1].destination) == (start, end)
    assert legs[0].departs.astimezone(ZoneInfo(atlas().airports[start].zone)).date() == day
    for leg in legs:
        km = kilometres(leg.origin, leg.destination)
        assert leg.departs + timedelta(minutes=leg.minutes) == leg.arrives
        assert 35 + km / 17 <= leg.minutes + 2.5 <= 47.5 + km / 7.5  # times are multiples of five minutes
        assert km <= leg.aircraft.reach
    for before, after in itertools.pairwise(legs):
        assert before.destination == after.origin
        countries = {atlas().airports[code].country for code in (before.origin, before.destination, after.destination)}
        least = CHANGE_AT_HOME if len(countries) == 1 else CHANGE_ABROAD
        assert timedelta(minutes=least) <= after.departs - before.arrives <= timedelta(hours=26)


async def test_overnight_flight_lands_on_the_next_day(world: SampleWorld) -> None:
    offers = await world.search_flights(_query("New York", "London", max_stops=0))
    late = [offer for offer in offers if offer.outbound.departs.at.hour >= 20]
    assert late
    assert {offer.outbound.day_offset for offer in late} == {1}
    assert all(any(leg.overnight for leg in offer.outbound.segments) for offer in late)


async def test_flight_over_the_date_line_lands_before_it_left(world: SampleWorld) -> None:
    offers = await world.search_flights(_query("Auckland", "Honolulu"))
    assert any(offer.outbound.day_offset == -1 for offer in offers)
    assert all(offer.outbound.minutes > 8 * 60 for offer in offers)


@pytest.mark.parametrize(
    ("zone", "day"), [("Europe/Lisbon", date(2027, 3, 28)), ("America/New_York", date(2027, 11, 7))]
)
def test_departures_keep_their_local_time_over_daylight_saving_changes(zone: str, day: date) -> None:
    start = next(airport.code for airport in atlas().listed if airport.zone == zone and airport.size >= 4)
    clocks = []
    for when in (day - timedelta(7), day + timedelta(7)):
        legs = {journey.legs[0] for journey in journeys(SEED, start, "CDG", when)}
        clocks.append({(leg.flight_number, leg.departs.astimezone(ZoneInfo(zone)).time()) for leg in legs})
    assert len(clocks[0]) > 3
    assert len(clocks[0] & clocks[1]) > 3


def test_skipped_local_time_moves_forward() -> None:
    skipped = LocalTime.on(date(2027, 3, 28), time(1, 30), "Europe/Lisbon")
    assert str(skipped) == "2027-03-28 02:30"
    assert LocalTime.on(date(2027, 3, 28), time(0, 30), "Europe/Lisbon").minutes_to(skipped) == 60


async def test_offer_is_described_and_survives_json(world: SampleWorld, clock: Clock) -> None:
    offers = await world.search_flights(_query("Tokyo", "Lisbon", returning=date(2026, 12, 17), limit=5))
    for offer in offers:
        assert offer.source == SAMPLE
        assert len(offer.slices) == 2
        assert offer.inbound is not None
        assert offer.inbound.departs.utc > offer.outbound.arrives.utc
        assert timedelta(minutes=25) <= offer.expires_at.utc - clock() <= timedelta(minutes=30)
        read = TypeAdapter[AnyOffer](AnyOffer).validate_json(offer.model_dump_json())
        assert isinstance(read, FlightOffer)
        assert read == offer
        assert read.outbound.departs.at.utcoffset() == timedelta(hours=9)
        assert await world.offer(offer.id) == offer


async def test_more_flexible_fares_cost_more(world: SampleWorld) -> None:
    offers = await world.search_flights(_query("Paris", "Rome"))
    for _, fares in itertools.groupby(offers, key=lambda offer: offer.itinerary):
        basic, standard, flex = fares
        assert [each.fare.family for each in (basic, standard, flex)] == ["basic", "standard", "flex"]
        assert basic.price.amount < standard.price.amount < flex.price.amount
        rules = flex.fare.rules
        assert rules.changeable
        assert rules.refundable
        assert rules.refund_fee is not None
        assert rules.refund_fee.amount == 0
        assert basic.fare.rules.checked_bags <= standard.fare.rules.checked_bags <= rules.checked_bags


async def test_every_traveller_pays_and_infants_pay_little(world: SampleWorld) -> None:
    party = Party(adults=2, children=1, infants=1)
    offers = await world.search_flights(_query("Berlin", "Madrid", party=party))
    for offer in offers:
        each = {price.type: price for price in offer.prices}
        assert {kind: price.count for kind, price in each.items()} == {"adult": 2, "child": 1, "infant": 1}
        assert each["infant"].each.amount < each["child"].each.amount < each["adult"].each.amount
        assert offer.price.amount == sum(price.each.amount * price.count for price in offer.prices)
        assert offer.left >= party.seats


async def test_stops_cabin_and_limit_are_respected(world: SampleWorld) -> None:
    offers = await world.search_flights(_query("San Francisco", "Lisbon", max_stops=1, cabin="business", limit=4))
    assert {offer.stops for offer in offers} <= {0, 1}
    assert {offer.cabin for offer in offers} == {"business"}
    assert all(max(offer.segments, key=lambda segment: segment.minutes).cabin == "business" for offer in offers)
    assert len({offer.itinerary for offer in offers}) == 4


async def test_flexible_days_find_cheaper_flights_and_keep_the_length_of_the_stay(world: SampleWorld) -> None:
    plain = _query("London", "Athens", returning=date(2026, 12, 17))
    fixed = await world.search_flights(plain)
    flexible = await world.search_flights(plain.model_copy(update={"flexible_days": 3}))
    assert min(offer.price.amount for offer in flexible) < min(offer.price.amount for offer in fixed)
    for offer in flexible:
        assert offer.inbound is not None
        assert (offer.inbound.departs.day - offer.outbound.departs.day).days == 7
        assert abs((offer.outbound.departs.day - plain.departing).days) <= 3


async def test_neighbouring_airports_have_no_flight(world: SampleWorld) -> None:
    with pytest.raises(NoServiceError, match="too near to fly"):
        await world.search_flights(_query("Heathrow", "Gatwick"))
    with pytest.raises(NoServiceError, match="too near to fly"):
        await world.search_flights(_query("Osaka", "Kyoto"))


async def test_seat_map_has_as_many_free_seats_as_are_left(world: SampleWorld) -> None:
    offers = await world.search_flights(_query("London", "New York", max_stops=0))
    for offer in (offers[0], offers[-1]):
        (cabin,) = await world.seat_map(offer.id)
        assert len(cabin.free()) == offer.left
        rows = {row: [seat for seat in cabin.seats if seat.row == row] for row in {seat.row for seat in cabin.seats}}
        for seats in rows.values():
            assert [seats[0].position, seats[-1].position] == ["window", "window"]
            assert {seat.position for seat in seats[1:-1]} <= {"middle", "aisle"}
        assert {seat.part for seat in cabin.seats} == {"front", "middle", "back"}


def _query(origin: str, destination: str, **values: object) -> FlightQuery:
    given = {"origin": origin, "destination": destination, "departing": date(2026, 12, 10), **values}
    return FlightQuery.model_validate(given)
