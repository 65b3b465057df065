"""Defines the travel tools that act: hold, book, change, cancel, bags and seats. Each call needs approval."""

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


async def book_offer(call: Call, arguments: BookArguments) -> dict[str, Any]:
    """Book an offer, with the needs in the traveller's notes as requests."""
    offer = await call.provider.offer(arguments.offer_id, late=True)
    booking = await call.ledger.book(
        arguments.offer_id,
        call.key,
        thread_id=call.run.thread_id,
        seats=_seats(arguments.seats),
        extra_bags=arguments.extra_bags,
        requests=await with_needs(call, offer, arguments.requests),
    )
    return shown_booking(booking, call.language)


async def change_booking(call: Call, booking: Reference, new_offer_id: str) -> dict[str, Any]:
    """Change a booked flight to another offer."""
    return shown_booking(await call.ledger.change(booking, new_offer_id, call.key), call.language)


async def cancel_booking(call: Call, booking: Reference) -> dict[str, Any]:
    """Cancel a booking or a hold."""
    return shown_booking(await call.ledger.cancel(booking, call.key), call.language)


async def add_bags(call: Call, booking: Reference, bags: Bags) -> dict[str, Any]:
    """Add checked bags to a booked flight."""
    return shown_booking(await call.ledger.add_bags(booking, bags, call.key), call.language)


async def choose_seats(call: Call, arguments: SeatArguments) -> dict[str, Any]:
    """Choose seats on a booked flight."""
    seats = _seats(arguments.seats)
    return shown_booking(await call.ledger.choose_seats(arguments.booking, seats, call.key), call.language)


def _sentence(call: Call, name: str, **values: object) -> str:
    """Return a sentence for an approval, by its name in `replies.toml`, in the traveller's language."""
    return reply(f"approve_{name}", call.language, **values)


def _card(call: Call, source: str, *texts: str, offer: AnyOffer | None = None) -> str:
    """Return the text of an approval: the sentences, the terms of the offer, and the source."""
    terms = terms_of(offer, call.language) if offer else ()
    card = "\n".join([" ".join(texts), *terms, f"({labelled(source, call.language)})"])
    return with_days_in_words(card, call.language)


async def _hold(call: Call, arguments: Mapping[str, Any]) -> str:
    offer = await call.provider.offer(arguments["offer_id"])
    text = _sentence(call, "hold", what=summary(offer, call.language).title, price=offer.price)
    return _card(call, offer.source, text, offer=offer)


async def _book(call: Call, arguments: Mapping[str, Any]) -> str:
    ledger, order = call.ledger, BookArguments(**arguments)
    check_requests(order.requests)
    held = [one for one in await ledger.all() if one.status == "held" and one.offer["id"] == order.offer_id]
    offer = await call.provider.offer(order.offer_id, late=bool(held))
    programme, seats = await ledger.programme(offer), _seats(order.seats)
    price = offer.price + extras_price(offer, seats=len(seats), bags=order.extra_bags)
    requests = await with_needs(call, offer, order.requests)
    texts = [_sentence(call, "book", what=summary(offer, call.language).title, price=price)]
    texts += [_sentence(call, "seats", seats=_named(call, offer, seats))] if seats else []
    texts += [_sentence(call, "extra_bags", count=order.extra_bags)] if order.extra_bags else []
    texts += [_sentence(call, "requests", requests=worded("comma", call.language).join(requests))] if requests else []
    texts += [_sentence(call, "earns", programme=programme)] if programme else []
    texts += await offer_faults(call, offer)
    return _card(call, offer.source, *texts, offer=offer)


async def _change(call: Call, arguments: Mapping[str, Any]) -> str:
    booking = await _upcoming(call, arguments)
    offer = await call.provider.offer(arguments["new_offer_id"])
    fee, difference = change_cost(booking, offer)
    texts = [
        _sentence(call, "change", **_what(call, booking), new=summary(offer, call.language).title),
        _sentence(call, "change_cost", fee=fee, difference=difference, total=fee + difference),
    ]
    if booking.seats:
        texts.append(_sentence(call, "seats_lost", seats=_named(call, booking.offered, booking.seats)))
    texts += await offer_faults(call, offer)
    return _card(call, offer.source, *texts, offer=offer)


async def _cancel(call: Call, arguments: Mapping[str, Any]) -> str:
    booking = await _upcoming(call, arguments)
    refund = call.ledger.refund(booking, call.language)
    text = _sentence(call, "cancel", **_what(call, booking), back=refund.amount, kept=refund.kept)
    return _card(call, booking.source, text, refund.rule)


async def _bags(call: Call, arguments: Mapping[str, Any]) -> str:
    booking = await _upcoming(call, arguments)
    price = call.ledger.bag_price(booking, arguments["bags"])
    text = _sentence(call, "bags", **_what(call, booking), count=arguments["bags"], price=price)
    return _card(call, booking.source, text)


async def _new_seats(call: Call, arguments: Mapping[str, Any]) -> str:
    booking, seats = await _upcoming(call, arguments), _seats(SeatArguments(**arguments).seats)
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
"""The tools, each with the function that describes its calls for approval: what, at which price, what is refunded."""


async def _upcoming(call: Call, arguments: Mapping[str, Any]) -> Booking:
    """Return the booking that the arguments name. Raises InvalidInputError if it has already begun."""
    booking = await call.ledger.find(arguments["booking"])
    call.ledger.check_ahead(booking)
    return booking


def _seats(arguments: Sequence[SeatArgument]) -> list[SeatChoice]:
    return [SeatChoice(segment=argument.segment, seat=argument.seat) for argument in arguments]


def _what(call: Call, booking: Booking) -> dict[str, str]:
    return {"reference": booking.reference, "what": summary(booking.offered, call.language).title}


def _named(call: Call, offer: AnyOffer, seats: Sequence[SeatChoice]) -> str:
    """Return seats in words, such as "12A on TP1351, 14C on TP1352"."""
    segments = dict(enumerate(offer.segments)) if isinstance(offer, FlightOffer) else {}
    return worded("comma", call.language).join(
        worded("seat_on", call.language, seat=one.seat, flight=segments[one.segment].flight_number)
        if one.segment in segments
        else one.seat
        for one in seats
    )
