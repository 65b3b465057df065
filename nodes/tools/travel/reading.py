"""Defines the travel tools that read: offers, seats, bookings, documents, money, the calendar and the rules."""

from datetime import date
from typing import Any, Literal

from nodes.tools.call import Call, Carry
from nodes.tools.travel.arguments import Amount
from nodes.tools.travel.shown import shown_booking, shown_offer
from prompts import reply
from travel.booking import documents
from travel.booking.itinerary import calendar, itinerary
from travel.booking.record import Booking
from travel.flights import SeatMap
from travel.money import Money, convert

_MAX_SEATS = 12
"""Maximum number of free seats listed per position."""

Answer = dict[str, Any]
PolicyTopic = Literal["all", "cancelling", "changing", "approval", "payment"]
"""The argument of `booking_policy`: a tool without any does not get the run's context."""


async def offer_details(call: Call, offer_id: str) -> Answer:
    """Show one offer."""
    offer = await call.provider.offer(offer_id)
    return {"source": offer.source, **shown_offer(offer)}


async def seat_map(call: Call, offer_id: str) -> Answer:
    """Show the free seats of a flight."""
    maps = await call.provider.seat_map(offer_id)
    return {"source": call.provider.name, "segments": [_seats(one) for one in maps]}


async def list_bookings(call: Call, include_cancelled: bool = False) -> Answer:
    """List the bookings."""
    bookings = await call.ledger.all(cancelled=include_cancelled)
    return {"source": call.provider.name, "bookings": [shown_booking(one, call.language) for one in bookings]}


async def show_itinerary(call: Call, booking: str | None = None) -> Answer:
    """Show the itinerary by day."""
    return {"source": call.provider.name, "itinerary": itinerary(await _bookings(call, booking))}


async def export_calendar(call: Call, booking: str | None = None) -> Answer:
    """Export the bookings as a calendar (iCalendar)."""
    bookings = await _bookings(call, booking)
    return {"source": call.provider.name, "events": len(bookings), "ics": calendar(bookings)}


async def check_documents(call: Call, destination: str, start: date, end: date) -> Answer:
    """Check the traveller's passport against the rules of a destination."""
    country, profile = await call.provider.country(destination), await call.run.profile()
    return documents.check_documents(profile, country, start=start, end=end, today=call.run.now.date()).dump()


async def convert_money(_: Call, amount: Amount, source: str, target: str) -> Answer:
    """Convert an amount of money."""
    converted = convert(Money.of(str(amount), source), target)
    amounts = {"given": str(converted.given), "result": str(converted.result), "rate": str(converted.rate)}
    return {**amounts, "day": converted.day.isoformat(), "source": converted.source}


async def booking_policy(call: Call, topic: PolicyTopic = "all") -> Answer:
    """Show the booking rules."""
    return {"topic": topic, "policy": reply("booking_policy", call.language)}


READS: tuple[Carry, ...] = (
    offer_details, seat_map, list_bookings, show_itinerary, export_calendar, check_documents, convert_money,
    booking_policy,
)  # fmt: skip


async def _bookings(call: Call, name: str | None) -> list[Booking]:
    return [await call.ledger.find(name)] if name else await call.ledger.all()


def _seats(seat_map: SeatMap) -> Answer:
    free = {position: seat_map.free(position) for position in ("window", "aisle", "middle")}
    listed = {
        position: [f"{seat.id}{' (legroom)' if seat.extra_legroom else ''}" for seat in seats[:_MAX_SEATS]]
        for position, seats in free.items()
    }
    counts = {position: len(seats) for position, seats in free.items()}
    return {"segment": seat_map.segment, "flight": seat_map.flight_number, "free": listed, "free_in_all": counts}
