"""Bookings day by day, in the local time of each place."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from text.numbers import WEEKDAYS, WEEKDAYS_JA
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.summary import said
from travel.tables import Language, worded


def itinerary(bookings: Sequence[Booking], language: Language = "en") -> list[dict[str, Any]]:
    """Return the days on which something happens, the first one first, as plain JSON values.

    As in `{"day": "2026-12-03", "weekday": "Thursday", "items": [{"time": "18:40", "what": …, "booking": "TC-7F3K9Q",
    "status": "booked"}]}`. Times are local; what lands on another day says so, as in "07:10 (+1)". Cancelled
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
    """Return the same for people to read: a line for each day, and one for each thing on it."""
    said: list[str] = []
    for day in itinerary(bookings, language):
        said.append(f"{day['day']} {day['weekday']}")
        for item in day["items"]:
            held = worded("day_held", language) if item["status"] == "held" else ""
            said.append(f"  {item['time'] or '':5}  {item['what']}  [{item['booking']}]{held}")
    return "\n".join(said)


def _weekday(day: date, language: Language) -> str:
    at = day.weekday()
    return f"{WEEKDAYS_JA[at]}曜日" if language == "ja" else WEEKDAYS[at].capitalize()


def _lines(booking: Booking, language: Language) -> Iterator[tuple[date, str, str]]:
    """Yield the day, the time of day there (empty when it has none), and what happens."""
    offer = booking.offered

    def at(moment: LocalTime, name: str, **values: object) -> tuple[date, str, str]:
        return moment.day, f"{moment.at:%H:%M}", said(name, offer, language, **values)

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
            yield offer.starts, "", said("day_insurance", offer, language)
