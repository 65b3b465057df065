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

_MOST_SEATS = 12
"""Free seats listed of each position."""

Answer = dict[str, Any]
PolicyTopic = Literal["all", "cancelling", "changing", "approval", "payment"]
"""One is asked for: a tool without arguments would not be handed the run's context."""


async def offer_details(call: Call, offer_id: str) -> Answer:
    """Show one offer."""
    offer = await call.provider.offer(offer_id)
    return {"source": offer.source, **shown_offer(offer)}


async def seat_map(call: Call, offer_id: str) -> Answer:
    """Show the free seats of a flight."""
    maps = await call.provider.seat_map(offer_id)
    return {"source": call.provider.name, "segments": [_seats(one) for one in maps]}


async def list_bookings(call: Call, include_cancelled: bool = False) -> Answer:
    """List what is booked."""
    found = await call.ledger.all(cancelled=include_cancelled)
    return {"source": call.provider.name, "bookings": [shown_booking(one, call.language) for one in found]}


async def show_itinerary(call: Call, booking: str | None = None) -> Answer:
    """Show what happens on which day."""
    return {"source": call.provider.name, "itinerary": itinerary(await _meant(call, booking))}


async def export_calendar(call: Call, booking: str | None = None) -> Answer:
    """Write what is booked as a calendar."""
    found = await _meant(call, booking)
    return {"source": call.provider.name, "events": len(found), "ics": calendar(found)}


async def check_documents(call: Call, destination: str, start: date, end: date) -> Answer:
    """Check the traveller's passport against the rules of a destination."""
    country, profile = await call.provider.country(destination), await call.run.profile()
    return documents.check_documents(profile, country, start=start, end=end, today=call.run.now.date()).dump()


async def convert_money(_: Call, amount: Amount, source: str, target: str) -> Answer:
    """Convert an amount of money."""
    found = convert(Money.of(str(amount), source), target)
    told = {"given": str(found.given), "result": str(found.result), "rate": str(found.rate)}
    return {**told, "day": found.day.isoformat(), "source": found.source}


async def booking_policy(call: Call, topic: PolicyTopic = "all") -> Answer:
    """Tell the rules of booking."""
    return {"topic": topic, "policy": reply("booking_policy", call.language)}


READS: tuple[Carry, ...] = (
    offer_details, seat_map, list_bookings, show_itinerary, export_calendar, check_documents, convert_money,
    booking_policy,
)  # fmt: skip


async def _meant(call: Call, name: str | None) -> list[Booking]:
    return [await call.ledger.find(name)] if name else await call.ledger.all()


def _seats(found: SeatMap) -> Answer:
    free = {position: found.free(position) for position in ("window", "aisle", "middle")}
    listed = {
        position: [f"{seat.id}{' (legroom)' if seat.extra_legroom else ''}" for seat in seats[:_MOST_SEATS]]
        for position, seats in free.items()
    }
    counts = {position: len(seats) for position, seats in free.items()}
    return {"segment": found.segment, "flight": found.flight_number, "free": listed, "free_in_all": counts}
