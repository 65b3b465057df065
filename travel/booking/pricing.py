"""Prices with seats and bags, and what cancelling or changing a booking costs by its fare rules."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from config.errors import InvalidInputError
from memory.records.notes import Record
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.money import Money
from travel.offers import ActivityOffer, CarOffer, HotelOffer
from travel.provider import AnyOffer, SeatChoice
from travel.summary import summary
from travel.tables import Language, worded

MOST_BAGS = 9
_GRACE_AHEAD = timedelta(days=7)


def total_price(offer: AnyOffer, seats: Sequence[SeatChoice], bags: int) -> Money:
    """Return the price of `offer` with these seats and extra bags. Raises InvalidInputError where they can't be had."""
    return offer.price + seat_price(offer, seats) + bag_price(offer, bags)


def seat_price(offer: AnyOffer, seats: Sequence[SeatChoice], *, had: int = 0) -> Money:
    """Return what these seats cost, of which `had` are paid already. Raises InvalidInputError if none can be."""
    if not seats:
        return offer.price * 0
    if not isinstance(offer, FlightOffer):
        raise InvalidInputError("Seats can be chosen on flights only. Leave them out.")
    rules = offer.fare.rules
    if rules.seat_choice == "at check-in":
        raise InvalidInputError(f"The fare {offer.fare.name} gives seats at check-in. Leave them out, or take another.")
    return rules.seat_fee * (len(seats) - had)


def bag_price(offer: AnyOffer, bags: int, *, had: int = 0) -> Money:
    """Return what `bags` more checked bags cost, beside the `had` ones. Raises InvalidInputError for too many."""
    if not bags:
        return offer.price * 0
    if not isinstance(offer, FlightOffer):
        raise InvalidInputError("Bags can be added to flights only. Leave them out.")
    if bags < 0 or had + bags > MOST_BAGS:
        raise InvalidInputError(f"{had + bags} extra bags are asked for; 1 to {MOST_BAGS} can be had in all.")
    return offer.fare.rules.bag_fee * (bags * len(offer.slices))


class Refund(Record):
    """What cancelling would pay back now, what is kept, and the rule that says so."""

    amount: Money
    kept: Money
    rule: str


class ChangeCost(Record):
    """What changing to another offer costs: the fee, and the difference in price (never paid back below zero)."""

    fee: Money
    difference: Money

    @property
    def total(self) -> Money:
        """What is to be paid."""
        return self.fee + self.difference


def refund(booking: Booking, now: datetime, language: Language = "en") -> Refund:
    """Return what cancelling `booking` would pay back at `now` (UTC), with the rule in `language`."""
    paid = booking.paid
    if booking.status == "held":
        return Refund(amount=paid * 0, kept=paid * 0, rule=worded("held", language))
    fee, rule = _kept(booking, now, language)
    if booking.forfeited and booking.forfeited.amount > fee.amount:
        fee, rule = booking.forfeited, worded("forfeited", language, rule=rule)
    kept = min(fee, paid, key=lambda money: money.amount)
    return Refund(amount=paid - kept, kept=kept, rule=rule)


def _kept(booking: Booking, now: datetime, language: Language) -> tuple[Money, str]:
    offer, paid = booking.offered, booking.paid
    match offer:
        case FlightOffer():
            return _kept_of_flight(offer, booking, now, language)
        case HotelOffer() | CarOffer() | ActivityOffer():
            until = offer.free_cancellation_until
            if until is not None and now < until.utc:
                return paid * 0, worded("free_until", language, until=until)
            return paid, worded("free_over" if until else "not_refundable", language)
    is_ahead = now < summary(offer).begins
    return paid * (not is_ahead), worded("cover_ahead" if is_ahead else "cover_begun", language)


def _kept_of_flight(offer: FlightOffer, booking: Booking, now: datetime, language: Language) -> tuple[Money, str]:
    rules, leaves, paid = offer.fare.rules, offer.outbound.departs.utc, booking.paid
    if now >= leaves:
        return paid, worded("flight_left", language)
    paid_at = booking.receipts[0].at if booking.receipts else booking.created_at
    if now < paid_at + timedelta(hours=rules.grace_hours) and leaves - now >= _GRACE_AHEAD:
        return paid * 0, worded("grace", language, hours=rules.grace_hours)
    if not rules.refundable or rules.refund_fee is None:
        return paid, worded("fare_keeps_all", language, fare=offer.fare.name)
    told = worded("fare_keeps", language, fare=offer.fare.name, fee=rules.refund_fee)
    return rules.refund_fee * offer.party.seats, told


def change_cost(booking: Booking, to: AnyOffer) -> ChangeCost:
    """Return what exchanging a booked flight for the offer `to` costs. Raises InvalidInputError where it can't be."""
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
    dearer = max(to.price - booking.price, booking.price * 0, key=lambda money: money.amount)
    return ChangeCost(fee=rules.change_fee * offer.party.seats, difference=dearer)
