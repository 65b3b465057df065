"""What is asked of a search: place, days, people and wishes of the running trip."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from models.offline.dialogue.trip import Trip
from models.offline.travel.offers import MORE
from models.offline.travel.request import Kind
from models.offline.travel.trip_context import TripContext

_DAWN = 6
"""Hour of landing before which the night before is slept at the destination too."""


def place_of(context: TripContext, name: str) -> str:
    """The place as it was meant, where the traveller was asked which one; else by its name."""
    return context.plan.codes.get(name.casefold(), name)


def arguments(context: TripContext, kind: Kind) -> dict[str, Any] | None:
    """What to pass to the search for `kind`, or None while a day is missing."""
    trip, plan = context.trip, context.plan
    if not (trip.destination and trip.start):
        return None
    place, people = place_of(context, trip.destination), trip.people or 1
    start, end = stay(context)
    limit: dict[str, Any] = {"limit": MORE} if context.ask.other and kind == context.before.kind else {}
    wishes: Mapping[str, Any] = plan.wishes.get(kind, {})
    if kind == "flight":
        return {**_flight(context, place), **wishes, **limit}
    if not end:
        return None
    match kind:
        case "hotel":
            guests, rooms = beds(trip)
            more = {"rooms": rooms} if rooms > 1 else {}
            return {"city": place, "check_in": start, "check_out": end, "guests": guests, **more, **wishes, **limit}
        case "car":
            return {"city": place, "pick_up": start, "drop_off": end, **limit}
        case "activity":
            return {"city": place, "first_day": start, "last_day": end, "people": people, **limit}
    young = (trip.children or 0) + (trip.infants or 0)
    party = {"adults": max(1, people - young), **({"children": young} if young else {})}
    return {"destination": place, "start": start, "end": end, **party}


def beds(trip: Trip) -> tuple[int, int]:
    """Guests who need a bed, and the rooms for them: two to a room, and one child more in that of two adults."""
    guests = max(1, (trip.people or 1) - (trip.infants or 0))
    grown = max(1, guests - (trip.children or 0))
    return guests, max((grown + 1) // 2, (guests + 1) // 2 if guests > 3 or not trip.children else 1)


def _flight(context: TripContext, place: str) -> dict[str, Any]:
    trip = context.trip
    assert trip.start is not None
    people, young = trip.people or 1, (trip.children or 0) + (trip.infants or 0)
    given: dict[str, Any] = {
        "origin": place_of(context, trip.starts_from(context.home) or ""),
        "destination": place,
        "departing": trip.start.isoformat(),
    }
    if trip.end and not trip.one_way:
        given["returning"] = trip.end.isoformat()
    given["adults"] = max(1, people - young)
    given |= {name: count for name in ("children", "infants") if (count := getattr(trip, name))}
    if context.around:
        given["flexible_days"] = context.around
    cabin = preferred_cabin(context)
    return {**given, **({"cabin": cabin} if cabin else {})}


def preferred_cabin(context: TripContext) -> str | None:
    """The cabin that the traveller always takes, by memory; it need not be asked for."""
    from models.offline.languages import language_of

    for memory in context.dialogue.briefing.memories:
        if memory.topic == "cabin" and not memory.condition:
            language = language_of(memory.text)
            if language.polarity(memory.text) >= 0 and (cabin := language.read_offer_request(memory.text).cabin):
                return cabin
    return None


def _first_night(arrives: str) -> str:
    """The day of the first night for a landing at `arrives`: before dawn it is the night that began the day before."""
    day, _, time = arrives.partition(" ")
    early = time[:2].isdigit() and int(time[:2]) < _DAWN
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat() if early else day


def stay(context: TripContext) -> tuple[str, str | None]:
    """The nights at the destination: from the day on which the booked flight lands to that on which it leaves."""
    trip = context.trip
    assert trip.start is not None
    start, end = trip.start.isoformat(), trip.end.isoformat() if trip.end else None
    for offer in context.plan.taken:
        there, back = offer.get("outbound"), offer.get("inbound")
        if isinstance(there, dict):
            start = _first_night(str(there.get("arrives", start)))
        if isinstance(back, dict):
            end = str(back.get("departs", end))[:10]
    return start, end
