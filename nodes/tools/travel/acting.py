"""Defines the travel tools that act: hold, book, change, cancel, bags and seats. Each runs only when approved."""

from collections.abc import Mapping, Sequence
from typing import Any

from nodes.tools.call import Call, Carry
from nodes.tools.toolbox import Describe
from nodes.tools.travel.arguments import Bags, BookArguments, Reference, SeatArgument, SeatArguments
from nodes.tools.travel.known import offer_faults, with_needs
from nodes.tools.travel.shown import shown_booking
from nodes.tools.travel.terms import terms_of, with_days_in_words
from prompts import reply
from travel.booking.ledger import check_requests
from travel.booking.pricing import change_cost, extras_price
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.provider import AnyOffer, SeatChoice
from travel.summary import summary
from travel.tables import labelled, worded


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
        requests=await with_needs(call, offer, asked.requests),
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


def _sentence(call: Call, name: str, **values: object) -> str:
    """Return a sentence of an approval, by its name in `replies.toml`, in the traveller's language."""
    return reply(f"approve_{name}", call.language, **values)


def _card(call: Call, source: str, *told: str, offer: AnyOffer | None = None) -> str:
    """Return sentences, and below them the terms of what is to be had. What the provider says is passed on as it is."""
    terms = terms_of(offer, call.language) if offer else ()
    card = "\n".join([" ".join(told), *terms, f"({labelled(source, call.language)})"])
    return with_days_in_words(card, call.language)


async def _hold(call: Call, given: Mapping[str, Any]) -> str:
    offer = await call.provider.offer(given["offer_id"])
    told = _sentence(call, "hold", what=summary(offer, call.language).title, price=offer.price)
    return _card(call, offer.source, told, offer=offer)


async def _book(call: Call, given: Mapping[str, Any]) -> str:
    ledger, asked = call.ledger, BookArguments(**given)
    check_requests(asked.requests)
    held = [one for one in await ledger.all() if one.status == "held" and one.offer["id"] == asked.offer_id]
    offer = await call.provider.offer(asked.offer_id, late=bool(held))
    programme, seats = await ledger.programme(offer), _seats(asked.seats)
    price = offer.price + extras_price(offer, seats=len(seats), bags=asked.extra_bags)
    requests = await with_needs(call, offer, asked.requests)
    told = [_sentence(call, "book", what=summary(offer, call.language).title, price=price)]
    told += [_sentence(call, "seats", seats=_named(call, offer, seats))] if seats else []
    told += [_sentence(call, "extra_bags", count=asked.extra_bags)] if asked.extra_bags else []
    told += [_sentence(call, "requests", requests=worded("comma", call.language).join(requests))] if requests else []
    told += [_sentence(call, "earns", programme=programme)] if programme else []
    told += await offer_faults(call, offer)
    return _card(call, offer.source, *told, offer=offer)


async def _change(call: Call, given: Mapping[str, Any]) -> str:
    booking = await _ahead(call, given)
    offer = await call.provider.offer(given["new_offer_id"])
    fee, dearer = change_cost(booking, offer)
    told = [
        _sentence(call, "change", **_what(call, booking), new=summary(offer, call.language).title),
        _sentence(call, "change_cost", fee=fee, difference=dearer, total=fee + dearer),
    ]
    told += [_sentence(call, "seats_lost", seats=_named(call, booking.offered, booking.seats))] if booking.seats else []
    told += await offer_faults(call, offer)
    return _card(call, offer.source, *told, offer=offer)


async def _cancel(call: Call, given: Mapping[str, Any]) -> str:
    booking = await _ahead(call, given)
    back = call.ledger.refund(booking, call.language)
    told = _sentence(call, "cancel", **_what(call, booking), back=back.amount, kept=back.kept)
    return _card(call, booking.source, told, back.rule)


async def _bags(call: Call, given: Mapping[str, Any]) -> str:
    booking = await _ahead(call, given)
    price = call.ledger.bag_price(booking, given["bags"])
    told = _sentence(call, "bags", **_what(call, booking), count=given["bags"], price=price)
    return _card(call, booking.source, told)


async def _new_seats(call: Call, given: Mapping[str, Any]) -> str:
    booking, seats = await _ahead(call, given), _seats(SeatArguments(**given).seats)
    price = call.ledger.seat_price(booking, seats)
    names = _named(call, booking.offered, booking.with_seats(seats))
    return _card(call, booking.source, _sentence(call, "new_seats", **_what(call, booking), seats=names, price=price))


ACTS: Mapping[Carry, Describe] = {
    hold_offer: _hold,
    book_offer: _book,
    change_booking: _change,
    cancel_booking: _cancel,
    add_bags: _bags,
    choose_seats: _new_seats,
}
"""The tools, each with what its approval shows: what, for how much, and what can be had back."""


async def _ahead(call: Call, given: Mapping[str, Any]) -> Booking:
    """Return the booking that is meant. Raises InvalidInputError when it has begun."""
    booking = await call.ledger.find(given["booking"])
    call.ledger.check_ahead(booking)
    return booking


def _seats(given: Sequence[SeatArgument]) -> list[SeatChoice]:
    return [SeatChoice(segment=one.segment, seat=one.seat) for one in given]


def _what(call: Call, booking: Booking) -> dict[str, str]:
    return {"reference": booking.reference, "what": summary(booking.offered, call.language).title}


def _named(call: Call, offer: AnyOffer, seats: Sequence[SeatChoice]) -> str:
    """As in "12A on TP1351, 14C on TP1352"."""
    flown = dict(enumerate(offer.segments)) if isinstance(offer, FlightOffer) else {}
    return worded("comma", call.language).join(
        worded("seat_on", call.language, seat=one.seat, flight=flown[one.segment].flight_number)
        if one.segment in flown
        else one.seat
        for one in seats
    )
