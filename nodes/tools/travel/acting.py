"""Travel tools that act: hold, book, change, cancel, bags and seats (S9.3). Each runs only when it was approved.

The key of an act is made of thread, message and call, so that a call that is run again after a crash acts once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from memory.records.notes import note_id
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.making import tool_of
from nodes.tools.memory.known_notes import MemoryRuntime, call_id
from nodes.tools.toolbox import Describe
from nodes.tools.travel.arguments import (
    BagArguments,
    BookArguments,
    BookingArguments,
    ChangeArguments,
    OfferArguments,
    SeatArguments,
)  # fmt: skip
from nodes.tools.travel.known import offer_faults, with_needs
from nodes.tools.travel.shown import shown_booking
from prompts import reply
from travel.booking.ledger import Bookings, check_requests, with_seats
from travel.booking.pricing import total_price
from travel.booking.record import Booking, title_of
from travel.desk import TravelDesk
from travel.flights import FlightOffer
from travel.provider import AnyOffer, SeatChoice

Write = tuple[BaseTool, Describe]


def acting_tools(services: Services, desk: TravelDesk) -> dict[str, Write]:
    """The six tools by name, each with what its approval shows."""

    def key(runtime: MemoryRuntime) -> str:
        latest = latest_user_message(runtime.state["messages"])
        run = Run.of(runtime, services)
        return note_id("act", run.thread_id, (latest.id or "") if latest else "", call_id(runtime))

    def ledger(run: Run) -> Bookings:
        return desk.bookings(run.memory)

    async def hold_offer(runtime: MemoryRuntime, offer_id: str) -> str:
        run = Run.of(runtime, services)
        return _told(await ledger(run).hold(offer_id, key(runtime), thread_id=run.thread_id))

    async def book_offer(runtime: MemoryRuntime, **given: Any) -> str:
        run, asked = Run.of(runtime, services), BookArguments(**given)
        offer = await desk.provider.offer(asked.offer_id, late=True)
        return _told(
            await ledger(run).book(
                asked.offer_id,
                key(runtime),
                thread_id=run.thread_id,
                seats=_seats(asked.seats),
                extra_bags=asked.extra_bags,
                requests=await with_needs(run, offer, asked.requests),
            )
        )

    async def change_booking(runtime: MemoryRuntime, booking: str, new_offer_id: str) -> str:
        return _told(await ledger(Run.of(runtime, services)).change(booking, new_offer_id, key(runtime)))

    async def cancel_booking(runtime: MemoryRuntime, booking: str) -> str:
        return _told(await ledger(Run.of(runtime, services)).cancel(booking, key(runtime)))

    async def add_bags(runtime: MemoryRuntime, booking: str, bags: int) -> str:
        return _told(await ledger(Run.of(runtime, services)).add_bags(booking, bags, key(runtime)))

    async def choose_seats(runtime: MemoryRuntime, booking: str, seats: list[Any]) -> str:
        return _told(await ledger(Run.of(runtime, services)).choose_seats(booking, _seats(seats), key(runtime)))

    shown = _Described(desk)
    return {
        "hold_offer": (tool_of(hold_offer, OfferArguments), shown.hold),
        "book_offer": (tool_of(book_offer, BookArguments), shown.book),
        "change_booking": (tool_of(change_booking, ChangeArguments), shown.change),
        "cancel_booking": (tool_of(cancel_booking, BookingArguments), shown.cancel),
        "add_bags": (tool_of(add_bags, BagArguments), shown.bags),
        "choose_seats": (tool_of(choose_seats, SeatArguments), shown.seats),
    }


class _Part:
    """A sentence of an approval, by its name in `replies.toml` and what it is filled with."""

    def __init__(self, name: str, **values: object) -> None:
        self.name, self.values = name, {key: str(value) for key, value in values.items()}


def _said(run: Run, source: str, *parts: _Part | str) -> str:
    """The sentences in the traveller's language; what the provider says is passed on as it is."""
    told = [one if isinstance(one, str) else reply(f"approve_{one.name}", run.language, **one.values) for one in parts]
    return " ".join([*told, f"({source})"])


class _Described:
    """What an approval shows of each act: what, for how much, and what can be had back."""

    def __init__(self, desk: TravelDesk) -> None:
        self._desk = desk

    async def hold(self, run: Run, given: Mapping[str, Any]) -> str:
        offer = await self._desk.provider.offer(given["offer_id"])
        return _said(run, offer.source, _Part("hold", what=title_of(offer), price=offer.price))

    async def book(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, asked = self._ledger(run), BookArguments(**given)
        check_requests(asked.requests)
        held = [one for one in await ledger.all() if one.status == "held" and one.offer["id"] == asked.offer_id]
        offer = await self._desk.provider.offer(asked.offer_id, late=bool(held))
        known = await ledger.benefits(offer)
        price = total_price(offer, _seats(asked.seats), asked.extra_bags, known)
        parts: list[_Part | str] = [_Part("book", what=title_of(offer), price=price)]
        parts += [_Part("seats", seats=_named(offer, _seats(asked.seats)))] if asked.seats else []
        parts += [_Part("extra_bags", count=asked.extra_bags)] if asked.extra_bags else []
        requests = await with_needs(run, offer, asked.requests)
        parts += [_Part("requests", requests=", ".join(requests))] if requests else []
        parts += [_Part("earns", programme=known.programme)] if known else []
        parts += await offer_faults(run, offer, self._desk.provider, self._desk.clock().date())
        return _said(run, offer.source, *parts)

    async def change(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger = self._ledger(run)
        booking = await ledger.find(given["booking"])
        offer = await self._desk.provider.offer(given["new_offer_id"])
        ledger.check_ahead(booking)
        cost = ledger.change_cost(booking, offer)
        parts: list[_Part | str] = [
            _Part("change", reference=booking.reference, what=booking.title, new=title_of(offer)),
            _Part("change_cost", fee=cost.fee, difference=cost.difference, total=cost.total),
        ]
        if booking.seats:
            parts.append(_Part("seats_lost", seats=_named(booking.offered, booking.seats)))
        parts += await offer_faults(run, offer, self._desk.provider, self._desk.clock().date())
        return _said(run, offer.source, *parts)

    async def cancel(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger = self._ledger(run)
        booking = await ledger.find(given["booking"])
        ledger.check_ahead(booking)
        back = ledger.refund(booking)
        cancelled = _Part("cancel", reference=booking.reference, what=booking.title, back=back.amount, kept=back.kept)
        return _said(run, booking.source, cancelled, back.rule)

    async def bags(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger = self._ledger(run)
        booking = await ledger.find(given["booking"])
        ledger.check_ahead(booking)
        price = await ledger.bag_price(booking, given["bags"])
        count, reference = given["bags"], booking.reference
        return _said(
            run, booking.source, _Part("bags", count=count, reference=reference, what=booking.title, price=price)
        )

    async def seats(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, asked = self._ledger(run), SeatArguments(**given)
        booking = await ledger.find(asked.booking)
        ledger.check_ahead(booking)
        seats = _seats(asked.seats)
        price = await ledger.seat_price(booking, seats)
        names = _named(booking.offered, with_seats(booking, seats))
        reference, what = booking.reference, booking.title
        return _said(run, booking.source, _Part("new_seats", seats=names, reference=reference, what=what, price=price))

    def _ledger(self, run: Run) -> Bookings:
        return self._desk.bookings(run.memory)


def _seats(given: list[Any]) -> list[SeatChoice]:
    return [SeatChoice(segment=one.segment, seat=one.seat) for one in given]


def _named(offer: AnyOffer, seats: Sequence[SeatChoice]) -> str:
    """As in "12A on TP1351, 14C on TP1352"."""
    flights = [one.flight_number for one in offer.segments] if isinstance(offer, FlightOffer) else []
    on = {at: f" on {flight}" for at, flight in enumerate(flights)}
    return ", ".join(f"{one.seat}{on.get(one.segment, '')}" for one in seats)


def _told(booking: Booking) -> str:
    return json.dumps(shown_booking(booking), ensure_ascii=False)
