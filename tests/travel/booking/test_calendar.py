"""Bookings as a calendar file and as a day-by-day itinerary."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from langgraph.store.memory import InMemoryStore

from tests.conftest import Clock
from tests.travel.ledger import BACK, THERE, flight, flights, hotel, ledger
from travel.booking.itinerary import calendar, itinerary, itinerary_text
from travel.booking.ledger import Bookings
from travel.booking.record import Booking
from travel.provider import SeatChoice
from travel.queries import ActivityQuery, CarQuery, InsuranceQuery
from travel.sample.world import SampleWorld


@pytest.fixture
def ana(world: SampleWorld, clock: Clock) -> Bookings:
    return ledger(InMemoryStore(), world, clock)


@pytest.fixture
async def trip(ana: Bookings, world: SampleWorld) -> list[Booking]:
    """Return a flight with a seat, a room, a car, an activity and insurance in New York."""
    fly, room = await flight(world), await hotel(world)
    seat = (await world.seat_map(fly.id))[0].free("window")[0].id
    car = (await world.search_cars(CarQuery(city="New York", pick_up=THERE, drop_off=BACK)))[0]
    do = (await world.search_activities(ActivityQuery(city="New York", first_day=THERE, last_day=BACK)))[0]
    cover = (await world.search_insurance(InsuranceQuery(destination="New York", start=THERE, end=BACK)))[0]
    await ana.book(fly.id, "k0", thread_id="t", seats=[SeatChoice(segment=0, seat=seat)])
    for number, offer in enumerate((room, car, do, cover), start=1):
        await ana.book(offer.id, f"k{number}", thread_id="t")
    return await ana.all()


def events(text: str) -> dict[str, Any]:
    return {str(event["uid"]): event for event in Calendar.from_ical(text).walk("VEVENT")}


async def test_every_booking_is_in_the_calendar_at_its_time(trip: list[Booking]) -> None:
    text = calendar(trip)
    found = events(text)
    assert len(found) == 6  # two flights, and one of each other kind
    (fly,) = (one for one in trip if one.kind == "flight")
    for number, segment in enumerate(fly.offered.segments):  # type: ignore[union-attr]
        event = found[f"{fly.id}-{number}@bookings.travel-concierge"]
        assert event["dtstart"].dt.astimezone(UTC) == segment.departs.utc
        assert event["dtstart"].params["TZID"] == segment.departs.zone
        assert event["dtend"].dt.astimezone(UTC) == segment.arrives.utc
        assert event["dtend"].params["TZID"] == segment.arrives.zone
        assert fly.reference in event["description"]
        assert "sample data" in event["description"]
    assert f"seat {fly.seats[0].seat}" in found[f"{fly.id}-0@bookings.travel-concierge"]["summary"]
    assert {str(event["status"]) for event in found.values()} == {"CONFIRMED"}
    zones = [str(zone["tzid"]) for zone in Calendar.from_ical(text).walk("VTIMEZONE")]
    assert {"Europe/London", "America/New_York"} <= set(zones)
    assert zones == sorted(zones)  # the same bytes in every process


async def test_same_bookings_give_the_same_bytes(trip: list[Booking]) -> None:
    assert calendar(trip) == calendar(trip)
    assert calendar(trip).splitlines() == calendar(trip).split("\r\n")[:-1]


async def test_insurance_is_an_all_day_event(trip: list[Booking]) -> None:
    (cover,) = (one for one in trip if one.kind == "insurance")
    (event,) = events(calendar([cover])).values()
    assert event["dtstart"].dt == THERE
    assert event["dtend"].dt == BACK + timedelta(days=1)
    assert type(event["dtstart"].dt) is date


async def test_changed_or_cancelled_booking_keeps_its_id(ana: Bookings, trip: list[Booking], clock: Clock) -> None:
    (fly,) = (one for one in trip if one.kind == "flight")
    before = events(calendar([fly]))
    clock.move(hours=1)
    after = events(calendar([await ana.cancel(fly.reference, "gone")]))
    assert after.keys() == before.keys()
    for uid, event in after.items():
        assert event["status"] == "CANCELLED"
        assert event["sequence"] > before[uid]["sequence"]
        assert event["dtstamp"].dt == datetime(2026, 11, 20, 10, tzinfo=UTC)


async def test_hold_is_tentative(ana: Bookings, world: SampleWorld) -> None:
    held = await ana.hold((await hotel(world)).id, "k", thread_id="t")
    assert {event["status"] for event in events(calendar([held])).values()} == {"TENTATIVE"}


async def test_text_is_escaped(trip: list[Booking]) -> None:
    (stay,) = (one for one in trip if one.kind == "hotel")
    name = "Inn\r\nEND:VEVENT\r\nBEGIN:VALARM, of; all"
    forged = stay.model_copy(update={"offer": {**stay.offer, "name": name}, "requests": ("a\nATTACH:x",)})
    (event,) = events(calendar([forged])).values()
    assert "BEGIN:VALARM" in event["summary"]
    assert "attach" not in event
    assert Calendar.from_ical(calendar([forged])).walk("VALARM") == []


async def test_no_bookings_are_an_empty_calendar() -> None:
    assert events(calendar([])) == {}
    assert itinerary([]) == []


async def test_itinerary_is_ordered_by_local_time(trip: list[Booking]) -> None:
    days = itinerary(trip)
    assert json.loads(json.dumps(days)) == days
    assert [day["day"] for day in days] == sorted(day["day"] for day in days)
    assert (days[0]["day"], days[0]["weekday"]) == ("2026-12-10", "Thursday")
    for day in days:
        times = [item["time"] or "" for item in day["items"]]
        assert times == sorted(times)
    texts = [item["what"] for day in days for item in day["items"]]
    for begins in ("Check in: ", "Check out", "Pick up: ", "Hand back: ", "Sample Assurance"):
        assert sum(what.startswith(begins) for what in texts) == 1
    assert {item["booking"] for day in days for item in day["items"]} == {one.reference for one in trip}


async def test_arrival_on_the_next_day_says_so(ana: Bookings, world: SampleWorld) -> None:
    offer = next(one for one in await flights(world, max_stops=0) if one.segments[-1].day_offset == 1)
    fly = await ana.book(offer.id, "k", thread_id="t")
    home = offer.segments[-1]
    day = itinerary([fly])[-1]
    assert day["day"] == home.departs.day.isoformat()
    assert f"lands {home.arrives.at:%H:%M} (+1)" in day["items"][-1]["what"]
    assert "(+" not in itinerary([fly])[0]["items"][0]["what"]


async def test_cancelled_booking_is_not_in_the_itinerary(ana: Bookings, trip: list[Booking]) -> None:
    cancelled = await ana.cancel(trip[0].reference, "gone")
    days = itinerary([cancelled, *trip[1:]])
    assert cancelled.reference not in json.dumps(days)


async def test_text_has_a_line_for_each_entry(trip: list[Booking]) -> None:
    days = itinerary(trip)
    lines = itinerary_text(trip).splitlines()
    assert len(lines) == len(days) + sum(len(day["items"]) for day in days)
    assert lines[0] == "2026-12-10 Thursday"


async def test_repeated_hour_has_its_utc_offset(trip: list[Booking]) -> None:
    do = next(booking for booking in trip if booking.kind == "activity")
    # At 2 in the morning of 1 November 2026, New York's clocks go back to 1.
    late = {**do.offer, "starts": {"at": "2026-11-01T03:30:00Z", "zone": "America/New_York"}, "minutes": 150}
    (event,) = events(calendar([do.model_copy(update={"offer": late})])).values()
    assert event.decoded("dtend").astimezone(UTC) == datetime(2026, 11, 1, 6, tzinfo=UTC)
