"""Routes that list bookings and trips, and export bookings as a calendar."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field
from starlette.responses import Response

from app.json_records import Record, booking_record, trips_without_booking
from app.page.routes.routing import RequestContext, route
from config.errors import NotFoundError
from travel.booking.itinerary import calendar
from travel.booking.record import Booking
from travel.summary import summary


@route("GET", "/trips")
async def list_trips(
    ctx: RequestContext, everything: Annotated[bool, Field(alias="all")] = False, language: Literal["en", "ja"] = "en"
) -> Record:
    """Return bookings by start date, cancelled and lapsed ones only with `all`, and the trips without a booking."""
    all_bookings: list[Booking] = []
    listed: list[Booking] = []
    if ctx.concierge.graph.services.travel:
        ledger = ctx.concierge.bookings(ctx.user_id)
        all_bookings, listed = await ledger.all(cancelled=True), await ledger.all(cancelled=everything)
    now = datetime.now(UTC)
    return {
        "bookings": [{**booking_record(each, now), "title": summary(each.offered, language).title} for each in listed],
        "trips": trips_without_booking(await ctx.memory.trips(), all_bookings),
    }


@route("GET", "/trips/calendar.ics")
async def all_trips(ctx: RequestContext) -> Response:
    """Return all current bookings and holds as a calendar."""
    return await _calendar_response(await ctx.concierge.bookings(ctx.user_id).all())


@route("GET", "/trips/{key}/calendar.ics")
async def one_trip(ctx: RequestContext) -> Response:
    """Return one booking as a calendar, by its reference or id."""
    all_bookings = await ctx.concierge.bookings(ctx.user_id).all(cancelled=True)
    return await _calendar_response([booking for booking in all_bookings if ctx.key in (booking.reference, booking.id)])


async def _calendar_response(bookings: list[Booking]) -> Response:
    if not bookings:
        raise NotFoundError("Nothing is booked under this name, so there is no calendar.")
    text = await asyncio.to_thread(calendar, bookings)
    headers = {"Content-Disposition": 'attachment; filename="trips.ics"'}
    return Response(text, media_type="text/calendar", headers=headers)
