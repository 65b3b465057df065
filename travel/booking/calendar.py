"""Bookings as an iCalendar file (RFC 5545): local times with their zones, and ids that stay when a booking changes."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from travel.booking.record import Booking, Status
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer

_STATUS: dict[Status, str] = {"booked": "CONFIRMED", "held": "TENTATIVE", "cancelled": "CANCELLED"}
_DOMAIN = "bookings.travel-concierge"


class _Event(NamedTuple):
    """One entry; `start` and `end` are moments, or dates of which the last is not in it any more."""

    title: str
    start: LocalTime | date
    end: LocalTime | date
    place: str
    busy: bool = True


def calendar(bookings: Sequence[Booking]) -> str:
    """Return an .ics file with an event for each flight, stay, car, activity and cover; cancelled ones say so."""
    # Loaded late: a run that exports nothing does not need it.
    from icalendar import Calendar, Event

    made = Calendar()
    made.add("prodid", "-//travel-concierge//bookings//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    for booking in bookings:
        for number, entry in enumerate(_events(booking)):
            event = Event()
            for name, value in _properties(booking, number, entry).items():
                event.add(name, value)
            made.add_component(event)
    made.add_missing_timezones()  # in any order
    made.subcomponents.sort(key=lambda part: (part.name != "VTIMEZONE", str(part.get("tzid", ""))))
    return str(made.to_ical(), "utf-8")


def _properties(booking: Booking, number: int, event: _Event) -> dict[str, Any]:
    return {
        "uid": f"{booking.id}-{number}@{_DOMAIN}", "sequence": max(0, len(booking.keys) - 1),
        "dtstamp": booking.receipts[-1].at if booking.receipts else booking.created_at,
        "summary": event.title, "dtstart": _stamp(event.start), "dtend": _stamp(event.end), "location": event.place,
        "description": _description(booking), "status": _STATUS[booking.status],
        "transp": "OPAQUE" if event.busy else "TRANSPARENT",
    }  # fmt: skip


def _stamp(moment: LocalTime | date) -> datetime | date:
    if not isinstance(moment, LocalTime):
        return moment
    local = moment.utc.astimezone(ZoneInfo(moment.zone))
    # Of an hour that comes twice, a local time means the first (RFC 5545, 3.3.5).
    return moment.utc if local.fold else local


def _description(booking: Booking) -> str:
    said = [f"Booking {booking.reference} ({booking.status})", booking.title, f"Paid: {booking.paid}"]
    said += [f"Requests: {', '.join(booking.requests)}"] if booking.requests else []
    return "\n".join([*said, f"Source: {booking.source}"])


def _events(booking: Booking) -> Iterator[_Event]:
    match booking.offered:
        case FlightOffer() as offer:
            for number, segment in enumerate(offer.segments):
                seats = f", seat {seats}" if (seats := booking.seats_on(number)) else ""
                title = f"{segment.flight_number} {segment.origin} - {segment.destination}{seats}"
                yield _Event(title, segment.departs, segment.arrives, f"{segment.origin}, {segment.origin_city}")
        case HotelOffer() as offer:
            where = f"{offer.name}, {offer.neighborhood}, {offer.city}"
            yield _Event(offer.name, offer.check_in, offer.check_out, where, busy=False)
        case CarOffer() as offer:
            what, where = f"{offer.company} {offer.model}", f"{offer.place}, {offer.city}"
            yield _Event(what, offer.pick_up, offer.drop_off, where, busy=False)
        case ActivityOffer() as offer:
            yield _Event(offer.title, offer.starts, offer.ends, f"{offer.neighborhood}, {offer.city}")
        case InsuranceOffer() as offer:
            after = offer.ends + timedelta(days=1)
            yield _Event(f"{offer.company} {offer.product}", offer.starts, after, "", busy=False)
