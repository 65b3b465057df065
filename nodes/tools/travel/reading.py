"""Defines the travel tools that read: offers, seats, bookings, documents, money, the calendar and the rules."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool

from nodes.services import Services
from nodes.tools.travel.arguments import (
    ConvertArguments,
    DocumentArguments,
    ListBookings,
    OfferArguments,
    PolicyArguments,
    SomeBooking,
)  # fmt: skip
from nodes.tools.travel.call import Call, travel_tool
from nodes.tools.travel.shown import shown_booking, shown_offer
from prompts import reply
from travel.booking import documents
from travel.booking.calendar import calendar
from travel.booking.itinerary import itinerary
from travel.booking.record import Booking
from travel.desk import TravelDesk
from travel.flights import SeatMap
from travel.money import Money, convert

_MOST_SEATS = 12
"""Free seats listed of each position."""

Answer = dict[str, Any]


def reading_tools(services: Services, desk: TravelDesk) -> list[BaseTool]:
    """Return the eight tools that read."""
    return [
        travel_tool(offer_details, OfferArguments, services, desk),
        travel_tool(seat_map, OfferArguments, services, desk),
        travel_tool(list_bookings, ListBookings, services, desk),
        travel_tool(show_itinerary, SomeBooking, services, desk),
        travel_tool(export_calendar, SomeBooking, services, desk),
        travel_tool(check_documents, DocumentArguments, services, desk),
        travel_tool(convert_money, ConvertArguments, services, desk),
        travel_tool(booking_policy, PolicyArguments, services, desk),
    ]


async def offer_details(call: Call, asked: OfferArguments) -> Answer:
    """Show one offer."""
    offer = await call.provider.offer(asked.offer_id)
    return {"source": offer.source, **shown_offer(offer)}


async def seat_map(call: Call, asked: OfferArguments) -> Answer:
    """Show the free seats of a flight."""
    maps = await call.provider.seat_map(asked.offer_id)
    return {"source": call.provider.name, "segments": [_seats(one) for one in maps]}


async def list_bookings(call: Call, asked: ListBookings) -> Answer:
    """List what is booked."""
    found = await call.ledger.all(cancelled=asked.include_cancelled)
    return {"source": call.provider.name, "bookings": [shown_booking(one) for one in found]}


async def show_itinerary(call: Call, asked: SomeBooking) -> Answer:
    """Show what happens on which day."""
    return {"source": call.provider.name, "itinerary": itinerary(await _meant(call, asked.booking))}


async def export_calendar(call: Call, asked: SomeBooking) -> Answer:
    """Write what is booked as a calendar."""
    found = await _meant(call, asked.booking)
    return {"source": call.provider.name, "events": len(found), "ics": calendar(found)}


async def check_documents(call: Call, asked: DocumentArguments) -> Answer:
    """Check the traveller's passport against the rules of a destination."""
    country, profile = await call.provider.country(asked.destination), await call.run.profile()
    found = documents.check_documents(profile, country, start=asked.start, end=asked.end, today=call.today)
    return found.dump()


async def convert_money(_: Call, asked: ConvertArguments) -> Answer:
    """Convert an amount of money."""
    found = convert(Money.of(str(asked.amount), asked.source), asked.target)
    told = {"given": str(found.given), "result": str(found.result), "rate": str(found.rate)}
    return {**told, "day": found.day.isoformat(), "source": found.source}


async def booking_policy(call: Call, asked: PolicyArguments) -> Answer:
    """Tell the rules of booking."""
    return {"topic": asked.topic, "policy": reply("booking_policy", call.run.language)}


async def _meant(call: Call, name: str | None) -> list[Booking]:
    return [await call.ledger.find(name)] if name else await call.ledger.all()


def _seats(found: SeatMap) -> dict[str, Any]:
    free = {position: found.free(position) for position in ("window", "aisle", "middle")}
    listed = {
        position: [f"{seat.id}{' (legroom)' if seat.extra_legroom else ''}" for seat in seats[:_MOST_SEATS]]
        for position, seats in free.items()
    }
    counts = {position: len(seats) for position, seats in free.items()}
    return {"segment": found.segment, "flight": found.flight_number, "free": listed, "free_in_all": counts}
