"""What an offer costs with seats and bags, after what the traveller's status gives for free."""

from __future__ import annotations

from collections.abc import Sequence

from config.errors import InvalidInputError
from travel.flights import FlightOffer
from travel.loyalty import Benefits
from travel.money import Money
from travel.provider import AnyOffer, SeatChoice

MOST_BAGS = 9


def total_price(offer: AnyOffer, seats: Sequence[SeatChoice], bags: int, known: Benefits | None) -> Money:
    """Return the price of `offer` with these seats and extra bags. Raises InvalidInputError where they can't be had."""
    return offer.price + seat_price(offer, seats, known) + bag_price(offer, bags, known)


def seat_price(offer: AnyOffer, seats: Sequence[SeatChoice], known: Benefits | None, *, had: int = 0) -> Money:
    """Return what these seats cost, of which `had` are paid already. Raises InvalidInputError if none can be."""
    none = Money(amount=0, currency=offer.price.currency)
    if not seats:
        return none
    if not isinstance(offer, FlightOffer):
        raise InvalidInputError("Seats can be chosen on flights only. Leave them out.")
    if known and known.free_seats:
        return none
    rules = offer.fare.rules
    if rules.seat_choice == "at check-in":
        raise InvalidInputError(f"The fare {offer.fare.name} gives seats at check-in. Leave them out, or take another.")
    return rules.seat_fee * (len(seats) - had)


def bag_price(offer: AnyOffer, bags: int, known: Benefits | None, *, had: int = 0) -> Money:
    """Return what `bags` more checked bags cost, beside the `had` ones. Raises InvalidInputError for too many."""
    none = Money(amount=0, currency=offer.price.currency)
    if not bags:
        return none
    if not isinstance(offer, FlightOffer):
        raise InvalidInputError("Bags can be added to flights only. Leave them out.")
    if bags < 0 or had + bags > MOST_BAGS:
        raise InvalidInputError(f"{had + bags} extra bags are asked for; 1 to {MOST_BAGS} can be had in all.")
    free = max(0, (known.free_bags if known else 0) - had)
    return offer.fare.rules.bag_fee * (max(0, bags - free) * len(offer.slices))
