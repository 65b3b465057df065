"""Bookings day by day, in the local time of each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.local_time import LocalTime, day_offset
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer

_Line = tuple[date, str, str]
"""The day, the time of day there (empty when it has none), and what happens."""


def itinerary(bookings: Sequence[Booking]) -> list[dict[str, Any]]:
    """Return the days on which something happens, the first one first, as plain JSON values.

    As in `{"day": "2026-12-03", "weekday": "Thursday", "items": [{"time": "18:40", "what": …, "booking": "TC-7F3K9Q",
    "status": "booked"}]}`. Times are local; what lands on another day says so, as in "07:10 (+1)". Cancelled
    bookings are left out.
    """
    lines = [(line, booking) for booking in bookings if booking.status != "cancelled" for line in _lines(booking)]
    days: dict[date, list[dict[str, Any]]] = {}
    for (day, time, what), booking in sorted(lines, key=lambda pair: (*pair[0], pair[1].id)):
        entry = {"time": time or None, "what": what, "booking": booking.reference, "status": booking.status}
        days.setdefault(day, []).append(entry)
    return [{"day": day.isoformat(), "weekday": f"{day:%A}", "items": items} for day, items in days.items()]


def itinerary_text(bookings: Sequence[Booking]) -> str:
    """Return the same for people to read: a line for each day, and one for each thing on it."""
    said: list[str] = []
    for day in itinerary(bookings):
        said.append(f"{day['day']} {day['weekday']}")
        for item in day["items"]:
            held = " (held)" if item["status"] == "held" else ""
            said.append(f"  {item['time'] or '':5}  {item['what']}  [{item['booking']}]{held}")
    return "\n".join(said)


def _lines(booking: Booking) -> Iterator[_Line]:
    match booking.offered:
        case FlightOffer() as offer:
            yield from _flights(booking, offer)
        case HotelOffer() as offer:
            room = f"{offer.name}, {offer.neighborhood}, {offer.city}"
            nights = f"{offer.nights} night{'s' if offer.nights > 1 else ''}"
            yield _at(offer.check_in, f"Check in: {room}, {offer.room} {offer.bed}, {nights}")
            yield _at(offer.check_out, f"Check out until then: {offer.name}")
        case CarOffer() as offer:
            yield _at(offer.pick_up, f"Pick up: {offer.company} {offer.model}, {offer.place}, {offer.city}")
            yield _at(offer.drop_off, f"Hand back: {offer.company} {offer.model}, {offer.place}")
        case ActivityOffer() as offer:
            until = offer.starts.after(offer.minutes, offer.starts.zone)
            yield _at(offer.starts, f"{offer.title}, {offer.neighborhood}, {offer.city}, until {_clock(until)}")
        case InsuranceOffer() as offer:
            yield offer.starts, "", f"{offer.company} {offer.product} starts; it ends on {offer.ends}"


def _flights(booking: Booking, offer: FlightOffer) -> Iterator[_Line]:
    for number, segment in enumerate(offer.segments):
        seats = [choice.seat for choice in booking.seats if choice.segment == number]
        offset = day_offset(segment.departs, segment.arrives)
        later = f" ({offset:+d})" if offset else ""
        seat = f", seat {', '.join(seats)}" if seats else ""
        yield _at(
            segment.departs,
            f"{segment.flight_number} {segment.origin_city} ({segment.origin}) - {segment.destination_city} "
            f"({segment.destination}), lands {_clock(segment.arrives)}{later}{seat}",
        )


def _at(moment: LocalTime, what: str) -> _Line:
    return moment.day, _clock(moment), what


def _clock(moment: LocalTime) -> str:
    return f"{moment.at:%H:%M}"
