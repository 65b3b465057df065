"""Defines the travel tools that act: hold, book, change, cancel, bags and seats. Each runs only when approved."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool

from nodes.services import Run, Services
from nodes.tools.call import Call, Carry, call_tool
from nodes.tools.toolbox import Describe
from nodes.tools.travel.arguments import Bags, BookArguments, Reference, SeatArgument, SeatArguments
from nodes.tools.travel.known import offer_faults, with_needs
from nodes.tools.travel.shown import shown_booking
from nodes.tools.travel.terms import terms_of, with_days_in_words
from prompts import reply
from travel.booking.ledger import Bookings, check_requests
from travel.booking.pricing import change_cost, total_price
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.provider import AnyOffer, SeatChoice
from travel.summary import summary
from travel.tables import labelled, worded

Write = tuple[BaseTool, Describe]


def acting_tools(services: Services) -> dict[str, Write]:
    """Return the six tools by name, each with what its approval shows."""
    shown = _Described(services)
    told = (shown.hold, shown.book, shown.change, shown.cancel, shown.bags, shown.seats)
    tools = [call_tool(act, services) for act in ACTS]
    return {tool.name: (tool, describe) for tool, describe in zip(tools, told, strict=True)}


async def hold_offer(call: Call, offer_id: str) -> dict[str, Any]:
    """Hold an offer for a while."""
    return shown_booking(await call.ledger.hold(offer_id, call.key, thread_id=call.run.thread_id), call.language)


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
    return shown_booking(booking, call.language)


async def change_booking(call: Call, booking: Reference, new_offer_id: str) -> dict[str, Any]:
    """Put another flight in the place of a booked one."""
    return shown_booking(await call.ledger.change(booking, new_offer_id, call.key), call.language)


async def cancel_booking(call: Call, booking: Reference) -> dict[str, Any]:
    """Cancel a booking or a hold."""
    return shown_booking(await call.ledger.cancel(booking, call.key), call.language)


async def add_bags(call: Call, booking: Reference, bags: Bags) -> dict[str, Any]:
    """Add checked bags to a booked flight."""
    return shown_booking(await call.ledger.add_bags(booking, bags, call.key), call.language)


async def choose_seats(call: Call, asked: SeatArguments) -> dict[str, Any]:
    """Choose seats on a booked flight."""
    return shown_booking(await call.ledger.choose_seats(asked.booking, _seats(asked.seats), call.key), call.language)


ACTS: tuple[Carry, ...] = (hold_offer, book_offer, change_booking, cancel_booking, add_bags, choose_seats)


def _told(run: Run, name: str, **values: object) -> str:
    """Return a sentence of an approval, by its name in `replies.toml`, in the traveller's language."""
    return reply(f"approve_{name}", run.language, **{key: str(value) for key, value in values.items()})


def _card(run: Run, source: str, *told: str, offer: AnyOffer | None = None) -> str:
    """Return sentences, and below them the terms of what is to be had. What the provider says is passed on as it is."""
    terms = terms_of(offer, run.language) if offer else ()
    card = "\n".join([" ".join(told), *terms, f"({labelled(source, run.language)})"])
    return with_days_in_words(card, run.language)


class _Described:
    """What an approval shows of each act: what, for how much, and what can be had back."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def hold(self, run: Run, given: Mapping[str, Any]) -> str:
        offer = await self._services.seller.offer(given["offer_id"])
        told = _told(run, "hold", what=summary(offer, run.language).title, price=offer.price)
        return _card(run, offer.source, told, offer=offer)

    async def book(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, asked = self._services.bookings(run.memory), BookArguments(**given)
        check_requests(asked.requests)
        held = [one for one in await ledger.all() if one.status == "held" and one.offer["id"] == asked.offer_id]
        offer = await self._services.seller.offer(asked.offer_id, late=bool(held))
        programme, seats = await ledger.programme(offer), _seats(asked.seats)
        price = total_price(offer, seats, asked.extra_bags)
        requests = await with_needs(run, offer, asked.requests)
        told = [_told(run, "book", what=summary(offer, run.language).title, price=price)]
        told += [_told(run, "seats", seats=_named(run, offer, seats))] if seats else []
        told += [_told(run, "extra_bags", count=asked.extra_bags)] if asked.extra_bags else []
        told += [_told(run, "requests", requests=worded("comma", run.language).join(requests))] if requests else []
        told += [_told(run, "earns", programme=programme)] if programme else []
        told += await offer_faults(run, offer, self._services.clock().date())
        return _card(run, offer.source, *told, offer=offer)

    async def change(self, run: Run, given: Mapping[str, Any]) -> str:
        _, booking = await self._booking(run, given)
        offer = await self._services.seller.offer(given["new_offer_id"])
        cost = change_cost(booking, offer)
        told = [
            _told(run, "change", **_what(run, booking), new=summary(offer, run.language).title),
            _told(run, "change_cost", fee=cost.fee, difference=cost.difference, total=cost.total),
        ]
        told += [_told(run, "seats_lost", seats=_named(run, booking.offered, booking.seats))] if booking.seats else []
        told += await offer_faults(run, offer, self._services.clock().date())
        return _card(run, offer.source, *told, offer=offer)

    async def cancel(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, booking = await self._booking(run, given)
        back = ledger.refund(booking, run.language)
        what = _what(run, booking)
        return _card(run, booking.source, _told(run, "cancel", **what, back=back.amount, kept=back.kept), back.rule)

    async def bags(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, booking = await self._booking(run, given)
        price = ledger.bag_price(booking, given["bags"])
        what = _what(run, booking)
        return _card(run, booking.source, _told(run, "bags", **what, count=given["bags"], price=price))

    async def seats(self, run: Run, given: Mapping[str, Any]) -> str:
        ledger, booking = await self._booking(run, given)
        seats = _seats(SeatArguments(**given).seats)
        price, names = ledger.seat_price(booking, seats), _named(run, booking.offered, booking.with_seats(seats))
        what = _what(run, booking)
        return _card(run, booking.source, _told(run, "new_seats", **what, seats=names, price=price))

    async def _booking(self, run: Run, given: Mapping[str, Any]) -> tuple[Bookings, Booking]:
        """Return the ledger, and the booking that is meant. Raises InvalidInputError when it has begun."""
        ledger = self._services.bookings(run.memory)
        booking = await ledger.find(given["booking"])
        ledger.check_ahead(booking)
        return ledger, booking


def _seats(given: Sequence[SeatArgument]) -> list[SeatChoice]:
    return [SeatChoice(segment=one.segment, seat=one.seat) for one in given]


def _what(run: Run, booking: Booking) -> dict[str, str]:
    return {"reference": booking.reference, "what": summary(booking.offered, run.language).title}


def _named(run: Run, offer: AnyOffer, seats: Sequence[SeatChoice]) -> str:
    """As in "12A on TP1351, 14C on TP1352"."""
    flown = dict(enumerate(offer.segments)) if isinstance(offer, FlightOffer) else {}
    return worded("comma", run.language).join(
        worded("seat_on", run.language, seat=one.seat, flight=flown[one.segment].flight_number)
        if one.segment in flown
        else one.seat
        for one in seats
    )
