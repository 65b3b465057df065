"""Judge an offer by a traveller's wishes: which it meets, which it misses, and which can't be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from travel.flights import FlightOffer, SeatMap, Segment
from travel.loyalty import fits_programme
from travel.money import Money, convert
from travel.offers import ActivityOffer, CarOffer, HotelOffer
from travel.provider import AnyOffer
from travel.ranking.fit_conditions import holds
from travel.ranking.fit_flights import flight_fits, is_seated, seat_fits
from travel.ranking.fit_stays import activity_fits, car_fits, hotel_fits
from travel.ranking.names import fold
from travel.ranking.wish import ONE_OF, Wish

Verdict = Literal["met", "missed", "unknown"]
CHEAP = Decimal("1.2")
"""Up to so many times the lowest price is a low price."""
_ALTERNATIVES = frozenset({"airline", "alliance", "house", "area", "company"})
"""Who likes two of these takes either."""
_BONUS = frozenset({"interest", "loyalty"})
"""Good to have, and nothing amiss without."""


@dataclass(frozen=True, slots=True)
class Field:
    """What an offer is seen among: the lowest price in dollars, the neighbourhoods on offer, and seat maps.

    `seats` are by the itinerary of a flight offer: they are the same for all its fares.
    """

    lowest: Decimal
    areas: frozenset[str] = frozenset()
    seats: Mapping[str, Sequence[SeatMap]] = field(default_factory=dict)


def field_of(offers: Sequence[AnyOffer], seats: Mapping[str, Sequence[SeatMap]]) -> Field:
    """Return what each of `offers` is seen among. There must be one at least."""
    areas = {fold(offer.neighborhood) for offer in offers if isinstance(offer, HotelOffer)}
    return Field(min(dollars(offer.price) for offer in offers), frozenset(areas), seats)


def dollars(money: Money) -> Decimal:
    """Return an amount in dollars, by the table that ships. Raises InvalidInputError for an unknown currency."""
    return convert(money, "USD").result.decimal


def verdicts(offer: AnyOffer, wishes: Iterable[Wish], among: Field) -> list[tuple[Wish, Verdict]]:
    """Return each wish that matters to `offer`, in the order given, with how the offer stands to it."""
    asked = [wish for wish in wishes if wish.kind == offer.kind]
    found: list[tuple[Wish, Verdict]] = []
    for wish in asked:
        verdict = _verdict(wish, offer, asked, among)
        if verdict is not None:
            found.append((wish, verdict))
    met = {_alternative(wish) for wish, verdict in found if verdict == "met" and wish.wanted}
    return [
        (wish, verdict)
        for wish, verdict in found
        if verdict == "met" or wish.hard or not wish.wanted or _alternative(wish) not in met
    ]


def _alternative(wish: Wish) -> tuple[str, str]:
    """Return a key that is the same for wishes of which one is enough, such as two airlines that are both liked."""
    if wish.family in _ALTERNATIVES:
        return wish.family, ""
    return wish.family, (wish.note_id or "") if wish.family in ONE_OF else wish.value


def _verdict(wish: Wish, offer: AnyOffer, asked: Sequence[Wish], among: Field) -> Verdict | None:
    """Return None where it does not matter to the offer."""
    if isinstance(offer, FlightOffer) and is_seated(wish):
        return _seated(wish, offer, asked, among)
    held = holds(wish.conditions, offer)
    if held is False or (not wish.conditions and _is_overruled(wish, offer, asked)):
        return None
    fits = _fits(wish, offer, among)
    if fits == "apart":
        return None
    if fits is None or held is None:
        return "unknown"
    return _said(wish, fits)


def _said(wish: Wish, fits: bool) -> Verdict | None:
    if wish.family in _BONUS and not fits:
        return None
    return "met" if fits == wish.wanted else "missed"


def _fits(wish: Wish, offer: AnyOffer, among: Field) -> bool | Literal["apart"] | None:
    match wish.family:
        case "price":
            return _price(wish, offer, among)
        case "budget":
            return _within(wish, offer)
        case "loyalty":
            return fits_programme(wish.value, offer)
        case "area" if not any(fold(wish.value) in area for area in among.areas):
            return "apart"  # a quarter of another city
        case "wait" if wish.wanted and isinstance(offer, FlightOffer) and not offer.stops:
            return "apart"
    match offer:
        case FlightOffer():
            return flight_fits(wish, offer)
        case HotelOffer():
            return hotel_fits(wish, offer)
        case CarOffer():
            return car_fits(wish, offer)
        case ActivityOffer():
            return activity_fits(wish, offer)
        case _:
            return None


def _price(wish: Wish, offer: AnyOffer, among: Field) -> bool:
    if wish.value == "mid" and isinstance(offer, HotelOffer):
        return 3 <= offer.stars <= 4
    return dollars(offer.price) <= among.lowest * CHEAP


def _within(wish: Wish, offer: AnyOffer) -> bool | None:
    each, currency, amount = wish.value.split("/")
    most = Money(amount=int(amount), currency=currency)
    match offer:
        case HotelOffer() if each == "night":
            paid = convert(offer.per_night, currency).result.amount
        case CarOffer() if each == "day":
            paid = convert(offer.per_day, currency).result.amount
        case FlightOffer() if each == "person":
            paid = max(convert(price.each, currency).result.amount for price in offer.prices)
        case _:
            return None
    return paid <= most.amount


def _is_overruled(wish: Wish, offer: AnyOffer, asked: Sequence[Wish], segment: Segment | None = None) -> bool:
    """Return True where a wish of the same family holds under a condition that is met: it is meant instead."""
    return any(
        one.family == wish.family and one.conditions and one.wanted and holds(one.conditions, offer, segment) is True
        for one in asked
    )


def _seated(wish: Wish, offer: FlightOffer, asked: Sequence[Wish], among: Field) -> Verdict | None:
    """Judge a wish for seats: it is met when each segment on which it holds has one."""
    found: list[bool | None] = []
    for number, segment in enumerate(offer.segments):
        held = holds(wish.conditions, offer, segment)
        if held is False or (not wish.conditions and _is_overruled(wish, offer, asked, segment)):
            continue
        found.append(seat_fits(wish, offer, number, among.seats.get(offer.itinerary)) if held else None)
    if not found:
        return None
    return "missed" if False in found else "unknown" if None in found else "met"
