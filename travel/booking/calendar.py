"""Bookings as an iCalendar file (RFC 5545): local times with their zones, and ids that stay when a booking changes."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from travel.booking.record import Booking, Status
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer

_STATUS: dict[Status, str] = {"booked": "CONFIRMED", "held": "TENTATIVE", "cancelled": "CANCELLED"}
_DOMAIN = "bookings.travel-concierge"


def calendar(bookings: Sequence[Booking]) -> str:
    """Return an .ics file with an event for each flight, stay, car, activity and cover; cancelled ones say so."""
    # Loaded late: a run that exports nothing does not need it.
    from icalendar import Calendar, Event

    made = Calendar()
    made.add("prodid", "-//travel-concierge//bookings//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    for booking in bookings:
        for number, (title, start, end, place) in enumerate(_events(booking)):
            properties: dict[str, Any] = {
                "uid": f"{booking.id}-{number}@{_DOMAIN}", "sequence": max(0, len(booking.keys) - 1),
                "dtstamp": booking.receipts[-1].at if booking.receipts else booking.created_at,
                "summary": title, "dtstart": _stamp(start), "dtend": _stamp(end), "location": place,
                "description": _description(booking), "status": _STATUS[booking.status],
                "transp": "OPAQUE" if booking.kind in ("flight", "activity") else "TRANSPARENT",
            }  # fmt: skip
            event = Event()
            for name, value in properties.items():
                event.add(name, value)
            made.add_component(event)
    made.add_missing_timezones()  # in any order
    made.subcomponents.sort(key=lambda part: (part.name != "VTIMEZONE", str(part.get("tzid", ""))))
    return str(made.to_ical(), "utf-8")


def _stamp(moment: LocalTime | date) -> date:
    if not isinstance(moment, LocalTime):
        return moment
    # Of an hour that comes twice, a local time means the first (RFC 5545, 3.3.5).
    return moment.utc if moment.at.fold else moment.at


def _description(booking: Booking) -> str:
    said = [f"Booking {booking.reference} ({booking.status})", booking.title, f"Paid: {booking.paid}"]
    said += [f"Requests: {', '.join(booking.requests)}"] if booking.requests else []
    return "\n".join([*said, f"Source: {booking.source}"])


def _events(booking: Booking) -> Iterator[tuple[str, LocalTime | date, LocalTime | date, str]]:
    """Yield title, start, end and place of each event; an end that is a date is not in it any more."""
    match booking.offered:
        case FlightOffer() as offer:
            for number, segment in enumerate(offer.segments):
                seats = f", seat {seats}" if (seats := booking.seats_on(number)) else ""
                title = f"{segment.flight_number} {segment.origin} - {segment.destination}{seats}"
                yield title, segment.departs, segment.arrives, f"{segment.origin}, {segment.origin_city}"
        case HotelOffer() as offer:
            yield offer.name, offer.check_in, offer.check_out, f"{offer.name}, {offer.neighborhood}, {offer.city}"
        case CarOffer() as offer:
            yield f"{offer.company} {offer.model}", offer.pick_up, offer.drop_off, f"{offer.place}, {offer.city}"
        case ActivityOffer() as offer:
            yield offer.title, offer.starts, offer.ends, f"{offer.neighborhood}, {offer.city}"
        case InsuranceOffer() as offer:
            yield f"{offer.company} {offer.product}", offer.starts, offer.ends + timedelta(days=1), ""
