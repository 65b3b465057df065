"""Travel tools that read (S9.2): offers, seats, bookings, documents, money, the calendar and the rules."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.tools import BaseTool

from nodes.services import Run, Services
from nodes.tools.making import tool_of
from nodes.tools.memory.known_notes import MemoryRuntime
from nodes.tools.travel.arguments import (
    ConvertArguments,
    DocumentArguments,
    ListBookings,
    OfferArguments,
    PolicyArguments,
    SomeBooking,
)  # fmt: skip
from nodes.tools.travel.shown import shown_booking, shown_offer
from prompts import reply
from travel.booking.calendar import calendar
from travel.booking.documents import check_documents as checked_documents
from travel.booking.itinerary import itinerary
from travel.booking.record import Booking
from travel.desk import TravelDesk
from travel.flights import SeatMap
from travel.money import Money, convert

_MOST_SEATS = 12
"""Free seats listed of each position."""


def reading_tools(services: Services, desk: TravelDesk) -> list[BaseTool]:
    """The eight tools that read."""

    async def offer_details(runtime: MemoryRuntime, offer_id: str) -> str:  # noqa: ARG001 - a tool is handed it
        offer = await desk.provider.offer(offer_id)
        return _told({"source": offer.source, **shown_offer(offer)})

    async def seat_map(runtime: MemoryRuntime, offer_id: str) -> str:  # noqa: ARG001 - a tool is handed it
        maps = await desk.provider.seat_map(offer_id)
        return _told({"source": desk.provider.name, "segments": [_seats(one) for one in maps]})

    async def list_bookings(runtime: MemoryRuntime, include_cancelled: bool) -> str:
        found = await desk.bookings(Run.of(runtime, services).memory).all(cancelled=include_cancelled)
        return _told({"source": desk.provider.name, "bookings": [shown_booking(one) for one in found]})

    async def show_itinerary(runtime: MemoryRuntime, booking: str | None) -> str:
        return _told({"source": desk.provider.name, "itinerary": itinerary(await _meant(runtime, booking))})

    async def export_calendar(runtime: MemoryRuntime, booking: str | None) -> str:
        found = await _meant(runtime, booking)
        return _told({"source": desk.provider.name, "events": len(found), "ics": calendar(found)})

    async def check_documents(runtime: MemoryRuntime, **given: Any) -> str:
        asked = DocumentArguments(**given)
        place = await desk.provider.place(asked.destination)
        profile = await Run.of(runtime, services).profile()
        found = checked_documents(
            profile, place.country, start=asked.start, end=asked.end, today=services.clock().date()
        )
        return _told(found.dump())

    async def convert_money(runtime: MemoryRuntime, amount: float, source: str, target: str) -> str:  # noqa: ARG001
        found = convert(Money.of(str(amount), source), target)
        told = {"given": str(found.given), "result": str(found.result), "rate": str(found.rate)}
        return _told({**told, "day": found.day.isoformat(), "source": found.source})

    async def booking_policy(runtime: MemoryRuntime, topic: str) -> str:
        language = Run.of(runtime, services).language
        return _told({"topic": topic, "policy": reply("booking_policy", language)})

    async def _meant(runtime: MemoryRuntime, name: str | None) -> list[Booking]:
        ledger = desk.bookings(Run.of(runtime, services).memory)
        return [await ledger.find(name)] if name else await ledger.all()

    tools = (
        (offer_details, OfferArguments),
        (seat_map, OfferArguments),
        (list_bookings, ListBookings),
        (show_itinerary, SomeBooking),
        (export_calendar, SomeBooking),
        (check_documents, DocumentArguments),
        (convert_money, ConvertArguments),
        (booking_policy, PolicyArguments),
    )
    return [tool_of(function, arguments) for function, arguments in tools]


def _seats(found: SeatMap) -> dict[str, Any]:
    free = {position: found.free(position) for position in ("window", "aisle", "middle")}
    listed = {
        position: [f"{seat.id}{' (legroom)' if seat.extra_legroom else ''}" for seat in seats[:_MOST_SEATS]]
        for position, seats in free.items()
    }
    counts = {position: len(seats) for position, seats in free.items()}
    return {"segment": found.segment, "flight": found.flight_number, "free": listed, "free_in_all": counts}


def _told(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
