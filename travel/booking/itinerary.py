"""Itineraries of bookings, in local time: as JSON, as text, and as an iCalendar file (RFC 5545)."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from text.numbers import WEEKDAYS, WEEKDAYS_JA
from travel.booking.record import Booking, Status
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.summary import offer_text
from travel.tables import Language, worded

_STATUS: dict[Status, str] = {"booked": "CONFIRMED", "held": "TENTATIVE", "cancelled": "CANCELLED"}


def itinerary(bookings: Sequence[Booking], language: Language = "en") -> list[dict[str, Any]]:
    """Return the days with items, in order, as plain JSON values.

    As in `{"day": "2026-12-03", "weekday": "Thursday", "items": [{"time": "18:40", "what": …, "booking": "TC-7F3K9Q",
    "status": "booked"}]}`. Times are local; an arrival on another day is marked, as in "07:10 (+1)". Cancelled
    bookings are left out.
    """
    planned = [booking for booking in bookings if booking.status != "cancelled"]
    lines = [(*line, booking) for booking in planned for line in _lines(booking, language)]
    days: dict[date, list[dict[str, Any]]] = {}
    for day, time, what, booking in sorted(lines, key=lambda line: (*line[:3], line[3].id)):
        entry = {"time": time or None, "what": what, "booking": booking.reference, "status": booking.status}
        days.setdefault(day, []).append(entry)
    return [{"day": day.isoformat(), "weekday": _weekday(day, language), "items": items} for day, items in days.items()]


def itinerary_text(bookings: Sequence[Booking], language: Language = "en") -> str:
    """Format the itinerary as text: one line for each day, and one for each item."""
    lines: list[str] = []
    for day in itinerary(bookings, language):
        lines.append(f"{day['day']} {day['weekday']}")
        for item in day["items"]:
            held = worded("day_held", language) if item["status"] == "held" else ""
            lines.append(f"  {item['time'] or '':5}  {item['what']}  [{item['booking']}]{held}")
    return "\n".join(lines)


def _weekday(day: date, language: Language) -> str:
    number = day.weekday()
    return f"{WEEKDAYS_JA[number]}曜日" if language == "ja" else WEEKDAYS[number].capitalize()


def _lines(booking: Booking, language: Language) -> Iterator[tuple[date, str, str]]:
    """Yield the local day, the local time (empty if there is none), and the text of each item."""
    offer = booking.offered

    def at(moment: LocalTime, name: str, **values: object) -> tuple[date, str, str]:
        return moment.day, f"{moment.at:%H:%M}", offer_text(name, offer, language, **values)

    match offer:
        case FlightOffer():
            for number, segment in enumerate(offer.segments):
                seat = worded("day_seat", language, seats=seats) if (seats := booking.seats_on(number)) else ""
                later = f" ({segment.day_offset:+d})" if segment.day_offset else ""
                yield at(segment.departs, "day_flight", segment=segment, later=later, seat=seat)
        case HotelOffer():
            nights = worded("nights" if offer.nights > 1 else "night", language, count=offer.nights)
            yield at(offer.check_in, "day_check_in", nights=nights)
            yield at(offer.check_out, "day_check_out")
        case CarOffer():
            yield at(offer.pick_up, "day_pick_up")
            yield at(offer.drop_off, "day_hand_back")
        case ActivityOffer():
            yield at(offer.starts, "day_activity")
        case InsuranceOffer():
            yield offer.starts, "", offer_text("day_insurance", offer, language)


def calendar(bookings: Sequence[Booking]) -> str:
    """Return an .ics file with an event for each flight, stay, car, activity and cover, including cancelled ones."""
    # Imported here because only exports need it.
    from icalendar import Calendar, Event

    ics = Calendar()
    ics.add("prodid", "-//travel-concierge//bookings//EN")
    ics.add("version", "2.0")
    ics.add("method", "PUBLISH")
    for booking in bookings:
        for number, (title, start, end, place) in enumerate(_events(booking)):
            properties: dict[str, Any] = {
                "uid": f"{booking.id}-{number}@bookings.travel-concierge", "sequence": max(0, len(booking.keys) - 1),
                "dtstamp": booking.receipts[-1].at if booking.receipts else booking.created_at,
                "summary": title, "dtstart": _stamp(start), "dtend": _stamp(end), "location": place,
                "description": _description(booking), "status": _STATUS[booking.status],
                "transp": "OPAQUE" if booking.kind in ("flight", "activity") else "TRANSPARENT",
            }  # fmt: skip
            event = Event()
            for name, value in properties.items():
                event.add(name, value)
            ics.add_component(event)
    ics.add_missing_timezones()  # in no fixed order
    ics.subcomponents.sort(key=lambda part: (part.name != "VTIMEZONE", str(part.get("tzid", ""))))
    return str(ics.to_ical(), "utf-8")


def _stamp(moment: LocalTime | date) -> date:
    if not isinstance(moment, LocalTime):
        return moment
    # When clocks are set back, an hour occurs twice; a local time then means the first one (RFC 5545, 3.3.5).
    return moment.utc if moment.at.fold else moment.at


def _description(booking: Booking) -> str:
    lines = [f"Booking {booking.reference} ({booking.status})", booking.title, f"Paid: {booking.paid}"]
    lines += [f"Requests: {', '.join(booking.requests)}"] if booking.requests else []
    return "\n".join([*lines, f"Source: {booking.source}"])


def _events(booking: Booking) -> Iterator[tuple[str, LocalTime | date, LocalTime | date, str]]:
    """Yield title, start, end and place of each event; an end that is a date is exclusive."""
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
