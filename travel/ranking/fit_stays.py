"""Whether a room, a car or an activity is what somebody wishes."""

from __future__ import annotations

from collections.abc import Callable

from travel.offers import ActivityOffer, CarOffer, HotelOffer
from travel.ranking.names import fold
from travel.ranking.wish import Wish

CENTRAL_KM = 1.5
"""So far from the centre is still central."""
_LATE_START = 10


def hotel_fits(wish: Wish, offer: HotelOffer) -> bool | None:
    """Return whether the room is what is wished; None when it can't be told."""
    judge = _HOTEL.get(wish.family)
    return judge(wish.value, offer) if judge else None


def car_fits(wish: Wish, offer: CarOffer) -> bool | None:
    """Return whether the car is what is wished; None when it can't be told."""
    judge = _CAR.get(wish.family)
    return judge(wish.value, offer) if judge else None


def activity_fits(wish: Wish, offer: ActivityOffer) -> bool | None:
    """Return whether the activity is what is wished; None when it can't be told."""
    if wish.family == "interest":
        return offer.interest in wish.value.split(",")
    judge = _ACTIVITY.get(wish.family)
    return judge(wish.value, offer) if judge else None


def _floor(value: str, offer: HotelOffer) -> bool:
    if value == "ground":
        return offer.floor == 1
    return offer.high_floor if value == "high" else 3 * offer.floor <= offer.floors


def _house(value: str, offer: HotelOffer) -> bool:
    names = [name for name in (offer.chain, offer.brand) if name]
    return any(fold(value) == fold(name) for name in names) or fold(value) in fold(offer.name)


def _amenity(value: str, offer: HotelOffer) -> bool | None:
    """Judge an amenity; a hotel that does not name a quiet courtyard may be quiet all the same."""
    return True if value in offer.amenities else None if value == "quiet courtyard" else False


def _hotel_chain(value: str, offer: HotelOffer) -> bool:
    return (offer.chain is not None) == (value == "yes")


_HOTEL: dict[str, Callable[[str, HotelOffer], bool | None]] = {
    "floor": _floor,
    "house": _house,
    "amenity": _amenity,
    "chain": _hotel_chain,
    "bed": lambda value, offer: offer.bed == value,
    "central": lambda _, offer: offer.centre_km <= CENTRAL_KM,
    "area": lambda value, offer: fold(value) in fold(offer.neighborhood),
    "breakfast": lambda _, offer: offer.breakfast,
    "stars": lambda value, offer: offer.stars >= int(value),
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
}
_CAR: dict[str, Callable[[str, CarOffer], bool | None]] = {
    "gear": lambda value, offer: offer.automatic == (value == "automatic"),
    "category": lambda value, offer: offer.category in value.split(","),
    "company": lambda value, offer: fold(value) == fold(offer.company),
    "collision": lambda _, offer: offer.collision_cover,
    "excess": lambda _, offer: offer.excess.amount == 0,
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
}
_ACTIVITY: dict[str, Callable[[str, ActivityOffer], bool | None]] = {
    "stepfree": lambda _, offer: offer.step_free,
    "daypart": lambda _, offer: offer.starts.at.hour >= _LATE_START,
    "refundable": lambda _, offer: offer.free_cancellation_until is not None,
}
