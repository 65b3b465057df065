"""Defines the travel tools that act: hold, book, change, cancel, bags and seats. Each runs only when approved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from nodes.services import Run, Services
from nodes.tools.toolbox import Describe
from nodes.tools.travel.arguments import (
    BagArguments,
    BookArguments,
    BookingArguments,
    ChangeArguments,
    OfferArguments,
    SeatArguments,
)  # fmt: skip
from nodes.tools.travel.call import Call, travel_tool
from nodes.tools.travel.known import offer_faults, with_needs
from nodes.tools.travel.shown import shown_booking
from nodes.tools.travel.terms import terms_of
from prompts import reply
from travel.booking.ledger import Bookings, check_requests, with_seats
from travel.booking.pricing import total_price
from travel.desk import TravelDesk
from travel.flights import FlightOffer
from travel.provider import AnyOffer, SeatChoice
from travel.summary import summary

Write = tuple[BaseTool, Describe]


def acting_tools(services: Services, desk: TravelDesk) -> dict[str, Write]:
    """Return the six tools by name, each with what its approval shows."""
    shown = _Described(desk)
    return {
        "hold_offer": (travel_tool(hold_offer, OfferArguments, services, desk), shown.hold),
        "book_offer": (travel_tool(book_offer, BookArguments, services, desk), shown.book),
        "change_booking": (travel_tool(change_booking, ChangeArguments, services, desk), shown.change),
        "cancel_booking": (travel_tool(cancel_booking, BookingArguments, services, desk), shown.cancel),
        "add_bags": (travel_tool(add_bags, BagArguments, services, desk), shown.bags),
        "choose_seats": (travel_tool(choose_seats, SeatArguments, services, desk), shown.seats),
    }


async def hold_offer(call: Call, asked: OfferArguments) -> dict[str, Any]:
    """Hold an offer for a while."""
    return shown_booking(await call.ledger.hold(asked.offer_id, call.key, thread_id=call.run.thread_id))


async def book_offer(call: Call, asked: BookArguments) -> dict[str, Any]:
    """Book an offer, with what the traveller can't do without."""
    offer = await call.provider.offer(asked.offer_id, late=True)
    booking = await call.ledger.book(
        asked.offer_id,
        call.key,
        thread_id=call.run.thread_id,
        seats=_seats(asked.seats),
        extra_bags=asked.extra_bags,
        requests=await with_needs(call.run, offer, asked.requests),
    )
    return shown_booking(booking)


async def change_booking(call: Call, asked: ChangeArguments) -> dict[str, Any]:
    """Put another flight in the place of a booked one."""
    return shown_booking(await call.ledger.change(asked.booking, asked.new_offer_id, call.key))


async def cancel_booking(call: Call, asked: BookingArguments) -> dict[str, Any]:
    """Cancel a booking or a hold."""
    return shown_booking(await call.ledger.cancel(asked.booking, call.key))


async def add_bags(call: Call, asked: BagArguments) -> dict[str, Any]:
    """Add checked bags to a booked flight."""
    return shown_booking(await call.ledger.add_bags(asked.booking, asked.bags, call.key))


async def choose_seats(call: Call, asked: SeatArguments) -> dict[str, Any]:
    """Choose seats on a booked flight."""
    return shown_booking(await call.ledger.choose_seats(asked.booking, _seats(asked.seats), call.key))


class _Part:
    """A sentence of an approval, by its name in `replies.toml` and what it is filled with."""

    def __init__(self, name: str, **values: object) -> None:
        self.name, self.values = name, {key: str(value) for key, value in values.items()}


def _said(run: Run, source: str, *parts: _Part | str, offer: AnyOffer | None = None) -> str:
    """Return the sentences in the traveller's language, and below them the terms of what is to be had.

    What the provider says is passed on as it is.
    """
    told = [one if isinstance(one, str) else reply(f"approve_{one.name}", run.language, **one.values) for one in parts]
    return "\n".join([" ".join(told), *(terms_of(offer, run.language) if offer else ()), f"({source})"])


class _Described:
    """What an approval shows of each act: what, for how much, and what can be had back."""

    def __init__(self, desk: TravelDesk) -> None:
        self._desk = desk

    async def hold(self, run: Run, given: Mapping[str, Any]) -> str:
        offer = await self._desk.provider.offer(given["offer_id"])
        return _said(run, offer.source, _Part("hold", what=summary(offer).title, price=offer.price), offer=offer)

    async def book(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, asked = self._ledger(run), BookArguments(**given)
        check_requests(asked.requests)
        held = [one for one in await ledger.all() if one.status == "held" and one.offer["id"] == asked.offer_id]
        offer = await self._desk.provider.offer(asked.offer_id, late=bool(held))
        known = await ledger.benefits(offer)
        price = total_price(offer, _seats(asked.seats), asked.extra_bags, known)
        parts: list[_Part | str] = [_Part("book", what=summary(offer).title, price=price)]
        parts += [_Part("seats", seats=_named(offer, _seats(asked.seats)))] if asked.seats else []
        parts += [_Part("extra_bags", count=asked.extra_bags)] if asked.extra_bags else []
        requests = await with_needs(run, offer, asked.requests)
        parts += [_Part("requests", requests=", ".join(requests))] if requests else []
        parts += [_Part("earns", programme=known.programme)] if known else []
        parts += await offer_faults(run, offer, self._desk.clock().date())
        return _said(run, offer.source, *parts, offer=offer)

    async def change(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger = self._ledger(run)
        booking = await ledger.find(given["booking"])
        offer = await self._desk.provider.offer(given["new_offer_id"])
        ledger.check_ahead(booking)
        cost = ledger.change_cost(booking, offer)
        parts: list[_Part | str] = [
            _Part("change", reference=booking.reference, what=booking.title, new=summary(offer).title),
            _Part("change_cost", fee=cost.fee, difference=cost.difference, total=cost.total),
        ]
        if booking.seats:
            parts.append(_Part("seats_lost", seats=_named(booking.offered, booking.seats)))
        parts += await offer_faults(run, offer, self._desk.clock().date())
        return _said(run, offer.source, *parts, offer=offer)

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
