"""Prices of seats and bags, and the cost of cancelling or changing a booking by its rules."""

from datetime import datetime, timedelta

from config.errors import InvalidInputError
from memory.records.notes import Record
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.money import Money
from travel.offers import InsuranceOffer
from travel.provider import AnyOffer
from travel.summary import summary
from travel.tables import Language, worded

MOST_BAGS = 9
_GRACE_AHEAD = timedelta(days=7)


def extras_price(offer: AnyOffer, *, seats: int = 0, bags: int = 0) -> Money:
    """Return the price of chosen seats and extra bags. Raises InvalidInputError if the offer does not allow them."""
    price = offer.price * 0
    if not isinstance(offer, FlightOffer):
        if seats or bags:
            what = "Seats can be chosen on" if seats else "Bags can be added to"
            raise InvalidInputError(f"{what} flights only. Leave them out.")
        return price
    fare = offer.fare
    if seats and fare.rules.seat_choice == "at check-in":
        raise InvalidInputError(f"The fare {fare.name} gives seats at check-in. Leave them out, or take another.")
    if not 0 <= bags <= MOST_BAGS:
        raise InvalidInputError(f"{bags} extra bags are asked for; 1 to {MOST_BAGS} can be had in all.")
    price = price + fare.rules.seat_fee * seats if seats else price
    return price + fare.rules.bag_fee * (bags * len(offer.slices)) if bags else price


class Refund(Record):
    """The refund for cancelling now, the amount that is kept, and the rule behind it."""

    amount: Money
    kept: Money
    rule: str


def refund(booking: Booking, now: datetime, language: Language = "en") -> Refund:
    """Return the refund for cancelling `booking` at `now` (UTC), with the rule in `language`."""
    paid = booking.paid
    fee, name, values = _kept(booking, now)
    rule = worded(name, language, **values)
    if booking.forfeited and booking.forfeited.amount > fee.amount:
        fee, rule = booking.forfeited, worded("forfeited", language, rule=rule)
    kept = min(fee, paid, key=lambda money: money.amount)
    return Refund(amount=paid - kept, kept=kept, rule=rule)


def _kept(booking: Booking, now: datetime) -> tuple[Money, str, dict[str, object]]:
    """Return the amount that is kept, and the name and values of the text that gives the rule."""
    offer, paid = booking.offered, booking.paid
    ahead = summary(offer).begins - now
    if booking.status == "held":
        return paid, "held", {}
    match offer:
        case FlightOffer(fare=fare):
            rules, paid_at = fare.rules, booking.receipts[0].at if booking.receipts else booking.created_at
            if ahead <= timedelta(0):
                return paid, "flight_left", {}
            if now < paid_at + timedelta(hours=rules.grace_hours) and ahead >= _GRACE_AHEAD:
                return paid * 0, "grace", {"hours": rules.grace_hours}
            if not rules.refundable or rules.refund_fee is None:
                return paid, "fare_keeps_all", {"fare": fare.name}
            return rules.refund_fee * offer.party.seats, "fare_keeps", {"fare": fare.name, "fee": rules.refund_fee}
        case InsuranceOffer():
            return (paid * 0, "cover_ahead", {}) if ahead > timedelta(0) else (paid, "cover_begun", {})
    until = offer.free_cancellation_until
    if until and now < until.utc:
        return paid * 0, "free_until", {"until": until}
    return paid, "free_over" if until else "not_refundable", {}


def change_cost(booking: Booking, to: AnyOffer) -> tuple[Money, Money]:
    """Return the fee for exchanging a booked flight for the offer `to`, and its price difference, at least zero.

    Raises:
        InvalidInputError: if it can't be exchanged.
    """
    offer = booking.offered
    if not isinstance(to, FlightOffer):
        raise InvalidInputError("A flight can only be changed to a flight. Book the other offer by itself.")
    if not isinstance(offer, FlightOffer):
        raise InvalidInputError("Only flights are changed. Cancel this booking and book the other offer instead.")
    rules = offer.fare.rules
    if not rules.changeable or rules.change_fee is None:
        raise InvalidInputError(f"The fare {offer.fare.name} can't be changed. Cancel it, or keep it.")
    if to.party != offer.party:
        raise InvalidInputError("The new flight is for other travellers. Search for the same number of people.")
    difference = max(to.price - booking.price, booking.price * 0, key=lambda money: money.amount)
    return rules.change_fee * offer.party.seats, difference
