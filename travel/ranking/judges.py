"""The functions that judge an offer by a wish, for each kind of offer and family of wishes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from text import fold
from travel.flights import FlightOffer, Seat, SeatMap
from travel.money import Money, convert
from travel.offers import ActivityOffer, CarOffer, HotelOffer
from travel.provider import AnyOffer
from travel.ranking.wishes import Wish

OfferT = TypeVar("OfferT")
Judges = Mapping[str, Callable[[Wish, OfferT], bool | None]]

TIGHT, LONG_WAIT = 60, 180
"""Minutes below which a layover is tight, and above which it is long."""
CENTRAL_KM = 1.5
"""Largest distance of a central hotel from the centre."""
_DAYPARTS = {"morning": (5, 12), "afternoon": (12, 17), "evening": (17, 22), "night": (22, 29)}
_LATE_START = 10
ON_SEAT_MAPS = frozenset({"side", "place", "legroom"})
"""Families of wishes that need a seat map."""


def fits(wish: Wish, offer: AnyOffer) -> bool | None:
    """Return whether the offer has what the wish names; None if that is unknown or the family does not apply."""
    judge = _JUDGES[offer.kind].get(wish.family)
    return judge(wish, offer) if judge else None


def has_seat_map(offer: FlightOffer) -> bool:
    """Return True if seats can be chosen before check-in."""
    return offer.fare.rules.seat_choice != "at check-in"


def seat_fits(wish: Wish, offer: FlightOffer, number: int, maps: Sequence[SeatMap] | None) -> bool | None:
    """Return whether a seat on segment `number` satisfies the wish; None if that is unknown."""
    if wish.family not in ON_SEAT_MAPS:
        return (offer.segments[number].cabin == wish.value) == wish.wanted
    if not has_seat_map(offer) or maps is None:
        return None
    seat_map = next((each for each in maps if each.segment == number), None)
    return None if seat_map is None else any(_matches(wish, seat) == wish.wanted for seat in seat_map.free())


def dollars(money: Money) -> Decimal:
    """Return an amount in US dollars, by the bundled rates. Raises InvalidInputError for an unknown currency."""
    return convert(money, "USD").result.decimal


def _matches(wish: Wish, seat: Seat) -> bool:
    if wish.family == "legroom":
        return seat.extra_legroom
    return wish.value == (seat.position if wish.family == "side" else seat.part)


def _bags(wish: Wish, offer: FlightOffer) -> bool:
    """Judge bags: a wish for no checked bags needs a carry-on, and more checked bags than wanted are fine."""
    rules, wanted = offer.fare.rules, int(wish.value)
    return rules.checked_bags >= wanted if wanted else rules.carry_on_bags >= 1


def _wait(wish: Wish, offer: FlightOffer) -> bool | None:
    waits = [minutes for way in offer.slices for _, minutes in way.layovers]
    if not waits:
        return None if wish.wanted else False
    side, _, minutes = wish.value.partition("/")
    if side in ("least", "most"):
        return min(waits) >= int(minutes) if side == "least" else max(waits) <= int(minutes)
    return min(waits) < TIGHT if side == "short" else max(waits) > LONG_WAIT


def _daypart(wish: Wish, offer: FlightOffer) -> bool:
    part, _, which = wish.value.partition("/")
    first, last = _DAYPARTS[part]
    hours = [(way.arrives if which else way.departs).at.hour for way in offer.slices]
    there = [first <= hour < last or first <= hour + 24 < last for hour in hours]
    return all(there) if wish.wanted else any(there)


def _hours(wish: Wish, offer: FlightOffer) -> bool:
    which, side, minute = wish.value.split("/")
    moments = [(way.departs if which == "departs" else way.arrives).at for way in offer.slices]
    minutes = [60 * moment.hour + moment.minute for moment in moments]
    return max(minutes) <= int(minute) if side == "before" else min(minutes) >= int(minute)


def _airline(wish: Wish, offer: FlightOffer) -> bool:
    flown = {segment.airline for segment in offer.segments}
    return wish.value == offer.airline if wish.wanted else wish.value in flown


def _floor(wish: Wish, offer: HotelOffer) -> bool:
    if wish.value == "ground":
        return offer.floor == 1
    return offer.high_floor if wish.value == "high" else 3 * offer.floor <= offer.floors


def _house(wish: Wish, offer: HotelOffer) -> bool:
    named = fold(wish.value)
    return named in (fold(offer.chain or ""), fold(offer.brand or "")) or named in fold(offer.name)


def _amenity(wish: Wish, offer: HotelOffer) -> bool | None:
    """Judge an amenity; for "quiet courtyard", its absence means unknown, as the hotel may still be quiet."""
    return True if wish.value in offer.amenities else None if wish.value == "quiet courtyard" else False


def _within(wish: Wish, prices: Iterable[Money]) -> bool:
    """Return whether all `prices` are within the budget of a wish, as in "night/EUR/12000"."""
    _, currency, most = wish.value.split("/")
    return all(convert(price, currency).result.amount <= int(most) for price in prices)


_FLIGHT: Judges[FlightOffer] = {
    "bags": _bags,
    "wait": _wait,
    "daypart": _daypart,
    "hours": _hours,
    "airline": _airline,
    "stops": lambda wish, offer: offer.stops <= int(wish.value),
    "overnight": lambda _, offer: any(segment.overnight for segment in offer.segments),
    "alliance": lambda wish, offer: offer.alliance == wish.value,
    "changeable": lambda _, offer: offer.fare.rules.changeable,
    "refundable": lambda _, offer: offer.fare.rules.refundable,
    "budget": lambda wish, offer: _within(wish, [price.each for price in offer.prices]),
    "loyalty": lambda wish, offer: offer.earns_in(wish.value),
}
_HOTEL: Judges[HotelOffer] = {
    "floor": _floor,
    "house": _house,
    "amenity": _amenity,
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
    "chain": lambda wish, offer: (offer.chain is not None) == (wish.value == "yes"),
    "bed": lambda wish, offer: offer.bed == wish.value,
    "central": lambda _, offer: offer.centre_km <= CENTRAL_KM,
    "area": lambda wish, offer: fold(wish.value) in fold(offer.neighborhood),
    "breakfast": lambda _, offer: offer.breakfast,
    "stars": lambda wish, offer: offer.stars >= int(wish.value),
    "budget": lambda wish, offer: _within(wish, [offer.per_night]),
    "loyalty": lambda wish, offer: offer.earns_in(wish.value),
}
_CAR: Judges[CarOffer] = {
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
    "gear": lambda wish, offer: offer.automatic == (wish.value == "automatic"),
    "category": lambda wish, offer: offer.category in wish.value.split(","),
    "company": lambda wish, offer: fold(wish.value) == fold(offer.company),
    "collision": lambda _, offer: offer.collision_cover,
    "excess": lambda _, offer: offer.excess.amount == 0,
    "budget": lambda wish, offer: _within(wish, [offer.per_day]),
}
_ACTIVITY: Judges[ActivityOffer] = {
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
    "interest": lambda wish, offer: offer.interest in wish.value.split(","),
    "stepfree": lambda _, offer: offer.step_free,
    "daypart": lambda _, offer: offer.starts.at.hour >= _LATE_START,
}
_JUDGES: Mapping[str, Judges[Any]] = {
    "flight": _FLIGHT, "hotel": _HOTEL, "car": _CAR, "activity": _ACTIVITY, "insurance": {},
}  # fmt: skip
