"""Lists what is booked, and gives it as a calendar."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.responses import Response

from app.json_records import Record, booking_record, unbooked
from app.page.routes.asked import Asked, route
from config.errors import NotFoundError
from travel.booking.calendar import calendar
from travel.summary import summary

if TYPE_CHECKING:
    from travel.booking.record import Booking


async def list_trips(asked: Asked) -> Record:
    """Return bookings by the day they start, and the journeys that none of them belongs to."""
    every: list[Booking] = []
    booked: list[Booking] = []
    if asked.concierge.graph.services.travel:
        every = await asked.concierge.bookings(asked.user_id).all(cancelled=True)
        booked = every if asked.has("all") else await asked.concierge.bookings(asked.user_id).all()
    now = datetime.now(UTC)
    return {
        "bookings": [{**booking_record(one, now), "title": _title(one, asked)} for one in booked],
        "trips": unbooked(await asked.memory.trips(), every),
    }


async def all_trips(asked: Asked) -> Response:
    """Return everything that is booked as a calendar."""
    return await _calendar(await asked.concierge.bookings(asked.user_id).all())


async def one_trip(asked: Asked) -> Response:
    """Return one booking as a calendar, by its reference or id."""
    every = await asked.concierge.bookings(asked.user_id).all(cancelled=True)
    return await _calendar([one for one in every if asked.key in (one.reference, one.id)])


def _title(booking: Booking, asked: Asked) -> str:
    """Return what was booked in one line, in the language that is asked for."""
    return summary(booking.offered, "ja" if asked.text("language") == "ja" else "en").title


async def _calendar(bookings: Sequence[Booking]) -> Response:
    if not bookings:
        raise NotFoundError("Nothing is booked under this name, so there is no calendar.")
    text = await asyncio.to_thread(calendar, bookings)
    headers = {"Content-Disposition": 'attachment; filename="trips.ics"'}
    return Response(text, media_type="text/calendar", headers=headers)


ROUTES = [
    route("GET", "/trips", list_trips),
    route("GET", "/trips/calendar.ics", all_trips),
    route("GET", "/trips/{key}/calendar.ics", one_trip),
]
