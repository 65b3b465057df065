"""Bookings day by day, in the local time of each place."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from text.numbers import WEEKDAYS, WEEKDAYS_JA
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.tables import Language, labelled, worded

_Line = tuple[date, str, str]
"""The day, the time of day there (empty when it has none), and what happens."""


def itinerary(bookings: Sequence[Booking], language: Language = "en") -> list[dict[str, Any]]:
    """Return the days on which something happens, the first one first, as plain JSON values.

    As in `{"day": "2026-12-03", "weekday": "Thursday", "items": [{"time": "18:40", "what": …, "booking": "TC-7F3K9Q",
    "status": "booked"}]}`. Times are local; what lands on another day says so, as in "07:10 (+1)". Cancelled
    bookings are left out.
    """
    planned = [booking for booking in bookings if booking.status != "cancelled"]
    lines = [(line, booking) for booking in planned for line in _lines(booking, language)]
    days: dict[date, list[dict[str, Any]]] = {}
    for (day, time, what), booking in sorted(lines, key=lambda pair: (*pair[0], pair[1].id)):
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


def _lines(booking: Booking, language: Language) -> Iterator[_Line]:
    def at(moment: LocalTime, text: str, **values: object) -> _Line:
        return moment.day, _clock(moment), worded(text, language, **values)

    match booking.offered:
        case FlightOffer() as offer:
            for number, segment in enumerate(offer.segments):
                seats = ", ".join(choice.seat for choice in booking.seats if choice.segment == number)
                later = f" ({segment.day_offset:+d})" if segment.day_offset else ""
                names = {name: getattr(segment, name) for name in _NAMED}
                lands = f"{_clock(segment.arrives)}{later}"
                day, time, what = at(segment.departs, "day_flight", **names, flight=segment.flight_number, lands=lands)
                yield day, time, what + (worded("day_seat", language, seats=seats) if seats else "")
        case HotelOffer() as offer:
            nights = worded("nights" if offer.nights > 1 else "night", language, count=offer.nights)
            where = {"name": offer.name, "area": offer.neighborhood, "city": offer.city, "nights": nights}
            room = {"room": worded(offer.room, language), "bed": worded(offer.bed, language)}
            yield at(offer.check_in, "day_check_in", **where, **room)
            yield at(offer.check_out, "day_check_out", name=offer.name)
        case CarOffer() as offer:
            car = {"name": f"{offer.company} {offer.model}", "place": labelled(offer.place, language)}
            yield at(offer.pick_up, "day_pick_up", **car, city=offer.city)
            yield at(offer.drop_off, "day_hand_back", **car)
        case ActivityOffer() as offer:
            until = _clock(offer.ends)
            where = {"name": offer.title, "area": offer.neighborhood, "city": offer.city}
            yield at(offer.starts, "day_activity", **where, until=until)
        case InsuranceOffer() as offer:
            name = f"{offer.company} {offer.product}"
            yield offer.starts, "", worded("day_insurance", language, name=name, last=offer.ends)


_NAMED = ("origin_city", "origin", "destination_city", "destination")


def _clock(moment: LocalTime) -> str:
    return f"{moment.at:%H:%M}"
