"""Judge an offer by wishes, under their conditions: which it meets, which it misses, and which can't be told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from text import fold
from text.numbers import MONTHS, WEEKDAYS
from travel.flights import FlightOffer, SeatMap, Segment
from travel.offers import CarOffer, HotelOffer
from travel.provider import AnyOffer
from travel.ranking.judges import ON_SEAT_MAPS, dollars, fits, seat_fits
from travel.ranking.wishes import ONE_OF, Wish
from travel.summary import summary

LONG_HAUL, SHORT_HAUL = 6 * 60, 3 * 60
"""Minutes of one segment, from which on it is long and up to which it is short."""
_SEASONS = ("winter", "spring", "summer", "autumn")
_OF_DAYS = frozenset({*WEEKDAYS, *MONTHS, *_SEASONS, "weekend", "weekday"})
_OF_SEGMENTS: dict[str, Callable[[Segment], bool]] = {
    "overnight": lambda segment: segment.overnight,
    "daytime": lambda segment: not segment.overnight,
    "longhaul": lambda segment: segment.minutes >= LONG_HAUL,
    "shorthaul": lambda segment: segment.minutes <= SHORT_HAUL,
}
_CHILDREN = frozenset({"with:child", "with:son", "with:daughter", "with:baby", "familytrip"})


def holds(conditions: Iterable[str], offer: AnyOffer, segment: Segment | None = None) -> bool | None:
    """Return True when all of `conditions` are met, False when one is not; None when it can't be told from the offer.

    Of a flight, `segment` is the one looked at; without it one segment that meets a condition is enough.
    """
    found = [_one(condition, offer, segment) for condition in conditions]
    if False in found:
        return False
    return None if None in found else True


def _one(condition: str, offer: AnyOffer, segment: Segment | None) -> bool | None:
    if condition in _OF_SEGMENTS:
        if not isinstance(offer, FlightOffer):
            return None
        looked_at = (segment,) if segment else offer.segments
        return any(_OF_SEGMENTS[condition](one) for one in looked_at)
    if condition in _CHILDREN and isinstance(offer, FlightOffer):
        return offer.party.children + offer.party.infants > 0
    told = summary(offer)
    if condition.startswith("with:") or condition in ("familytrip", "solo"):
        if isinstance(offer, HotelOffer | CarOffer):
            return None
        # A lone traveller has no company; who travels along with several can't be told.
        is_alone = told.travellers == 1
        return is_alone if condition == "solo" else False if is_alone else None
    if condition in _OF_DAYS:
        day, part = told.first_day, "weekend" if told.first_day.weekday() >= 5 else "weekday"
        return condition in (part, WEEKDAYS[day.weekday()], MONTHS[day.month - 1], _SEASONS[day.month % 12 // 3])
    # It names where the offer leads; what else it may name is not known here.
    return True if fold(condition) == fold(told.city) else None


Verdict = Literal["met", "missed", "unknown"]
CHEAP = Decimal("1.2")
"""Up to so many times the lowest price is a low price."""
_ALTERNATIVES = frozenset({"airline", "alliance", "house", "area", "company"})
"""Who likes two of these takes either."""
_OF_EACH_SEGMENT = ON_SEAT_MAPS | {"cabin"}
_BONUS = frozenset({"interest", "loyalty"})
"""Good to have, and nothing amiss without."""


@dataclass(frozen=True, slots=True)
class Field:
    """What an offer is seen among: the lowest price in dollars, the neighbourhoods on offer, and seat maps.

    `seats` are by the itinerary of a flight offer: they are the same for all its fares.
    """

    lowest: Decimal
    areas: frozenset[str]
    seats: Mapping[str, Sequence[SeatMap]]


def verdicts(offer: AnyOffer, wishes: Iterable[Wish], among: Field) -> list[tuple[Wish, Verdict]]:
    """Return each wish that matters to `offer`, in the order given, with how the offer stands to it."""
    asked = [wish for wish in wishes if wish.kind == offer.kind]
    judged = [(wish, _verdict(wish, offer, asked, among)) for wish in asked]
    found = [(wish, verdict) for wish, verdict in judged if verdict]
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
    if isinstance(offer, FlightOffer) and wish.family in _OF_EACH_SEGMENT:
        return _seated(wish, offer, asked, among)
    held = _held(wish, offer, asked)
    if held is False or _is_elsewhere(wish, offer, among):
        return None
    fit = _is_cheap(wish, offer, among) if wish.family == "price" else fits(wish, offer)
    if fit is None or held is None:
        return "unknown"
    if wish.family in _BONUS and not fit:
        return None
    return "met" if fit == wish.wanted else "missed"


def _is_elsewhere(wish: Wish, offer: AnyOffer, among: Field) -> bool:
    """Return True for a quarter of another city, and for a wait where nobody changes."""
    if wish.family == "area":
        return not any(fold(wish.value) in area for area in among.areas)
    return wish.family == "wait" and wish.wanted and isinstance(offer, FlightOffer) and not offer.stops


def _is_cheap(wish: Wish, offer: AnyOffer, among: Field) -> bool:
    if wish.value == "mid" and isinstance(offer, HotelOffer):
        return 3 <= offer.stars <= 4
    return dollars(offer.price) <= among.lowest * CHEAP


def _held(wish: Wish, offer: AnyOffer, asked: Sequence[Wish], segment: Segment | None = None) -> bool | None:
    """Return whether a wish counts here; of one family, a wish under a condition that is met is meant instead."""
    if wish.conditions:
        return holds(wish.conditions, offer, segment)
    rivals = (one for one in asked if one.family == wish.family and one.conditions and one.wanted)
    return not any(holds(one.conditions, offer, segment) for one in rivals)


def _seated(wish: Wish, offer: FlightOffer, asked: Sequence[Wish], among: Field) -> Verdict | None:
    """Judge a wish for seats: it is met when each segment on which it holds has one."""
    held = [(number, _held(wish, offer, asked, segment)) for number, segment in enumerate(offer.segments)]
    maps = among.seats.get(offer.itinerary)
    found = [seat_fits(wish, offer, number, maps) if counts else None for number, counts in held if counts is not False]
    if not found:
        return None
    return "missed" if False in found else "unknown" if None in found else "met"
