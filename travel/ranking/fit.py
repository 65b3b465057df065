"""Judge an offer by wishes and their conditions: which it meets, which it misses, and which are unknown."""

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
"""Minutes of one segment: the least of a long-haul flight, the most of a short-haul flight."""
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
    """Return True if all `conditions` are met, False if one is not, and None if the offer does not say.

    For flights, conditions on segments apply to `segment`, or to any segment of the offer if it is None.
    """
    results = [_holds(condition, offer, segment) for condition in conditions]
    if False in results:
        return False
    return None if None in results else True


def _holds(condition: str, offer: AnyOffer, segment: Segment | None) -> bool | None:
    if condition in _OF_SEGMENTS:
        if not isinstance(offer, FlightOffer):
            return None
        segments = (segment,) if segment else offer.segments
        return any(_OF_SEGMENTS[condition](each) for each in segments)
    if condition in _CHILDREN and isinstance(offer, FlightOffer):
        return offer.party.children + offer.party.infants > 0
    brief = summary(offer)
    if condition.startswith("with:") or condition in ("familytrip", "solo"):
        if isinstance(offer, HotelOffer | CarOffer):
            return None
        # A single traveller has no companions; an offer for several does not say who they are.
        is_alone = brief.travellers == 1
        return is_alone if condition == "solo" else False if is_alone else None
    if condition in _OF_DAYS:
        day, part = brief.first_day, "weekend" if brief.first_day.weekday() >= 5 else "weekday"
        return condition in (part, WEEKDAYS[day.weekday()], MONTHS[day.month - 1], _SEASONS[day.month % 12 // 3])
    # Any other condition may be the name of the destination; if it is not, its meaning is unknown here.
    return True if fold(condition) == fold(brief.city) else None


Verdict = Literal["met", "missed", "unknown"]
CHEAP = Decimal("1.2")
"""A price is low up to this multiple of the lowest price."""
_ALTERNATIVES = frozenset({"airline", "alliance", "house", "area", "company"})
"""Of several wishes in one of these families, an offer needs to meet only one."""
_OF_EACH_SEGMENT = ON_SEAT_MAPS | {"cabin"}
_BONUS = frozenset({"interest", "loyalty"})
"""An offer that lacks one of these does not miss the wish."""


@dataclass(frozen=True, slots=True)
class Field:
    """The offers to compare with: their lowest price in dollars, their neighbourhoods, and their seat maps.

    `seats` has the seat maps by `FlightOffer.itinerary`; all fares of an itinerary share them.
    """

    lowest: Decimal
    areas: frozenset[str]
    seats: Mapping[str, Sequence[SeatMap]]


def verdicts(offer: AnyOffer, wishes: Iterable[Wish], among: Field) -> list[tuple[Wish, Verdict]]:
    """Return each wish that is relevant to `offer`, in the order of `wishes`, with its verdict."""
    same_kind = [wish for wish in wishes if wish.kind == offer.kind]
    judged = [(wish, _verdict(wish, offer, same_kind, among)) for wish in same_kind]
    relevant = [(wish, verdict) for wish, verdict in judged if verdict]
    met = {_alternative(wish) for wish, verdict in relevant if verdict == "met" and wish.wanted}
    return [
        (wish, verdict)
        for wish, verdict in relevant
        if verdict == "met" or wish.hard or not wish.wanted or _alternative(wish) not in met
    ]


def _alternative(wish: Wish) -> tuple[str, str]:
    """Return a key that is equal for alternative wishes, such as two preferred airlines."""
    if wish.family in _ALTERNATIVES:
        return wish.family, ""
    return wish.family, (wish.note_id or "") if wish.family in ONE_OF else wish.value


def _verdict(wish: Wish, offer: AnyOffer, wishes: Sequence[Wish], among: Field) -> Verdict | None:
    """Return the verdict, or None if the wish is not relevant to the offer."""
    if isinstance(offer, FlightOffer) and wish.family in _OF_EACH_SEGMENT:
        return _seat_verdict(wish, offer, wishes, among)
    applies = _applies(wish, offer, wishes)
    if applies is False or _is_elsewhere(wish, offer, among):
        return None
    fit = _is_cheap(wish, offer, among) if wish.family == "price" else fits(wish, offer)
    if fit is None or applies is None:
        return "unknown"
    if wish.family in _BONUS and not fit:
        return None
    return "met" if fit == wish.wanted else "missed"


def _is_elsewhere(wish: Wish, offer: AnyOffer, among: Field) -> bool:
    """Return True for an area that none of the hotels is in, and for a layover on a nonstop flight."""
    if wish.family == "area":
        return not any(fold(wish.value) in area for area in among.areas)
    return wish.family == "wait" and wish.wanted and isinstance(offer, FlightOffer) and not offer.stops


def _is_cheap(wish: Wish, offer: AnyOffer, among: Field) -> bool:
    if wish.value == "mid" and isinstance(offer, HotelOffer):
        return 3 <= offer.stars <= 4
    return dollars(offer.price) <= among.lowest * CHEAP


def _applies(wish: Wish, offer: AnyOffer, wishes: Sequence[Wish], segment: Segment | None = None) -> bool | None:
    """Return whether a wish applies: one whose conditions are met overrides a general one of the same family."""
    if wish.conditions:
        return holds(wish.conditions, offer, segment)
    rivals = (other for other in wishes if other.family == wish.family and other.conditions and other.wanted)
    return not any(holds(other.conditions, offer, segment) for other in rivals)


def _seat_verdict(wish: Wish, offer: FlightOffer, wishes: Sequence[Wish], among: Field) -> Verdict | None:
    """Judge a wish for seats: it is met if every segment to which it applies has such a seat."""
    applied = [(number, _applies(wish, offer, wishes, segment)) for number, segment in enumerate(offer.segments)]
    maps = among.seats.get(offer.itinerary)
    results = [seat_fits(wish, offer, number, maps) if yes else None for number, yes in applied if yes is not False]
    if not results:
        return None
    return "missed" if False in results else "unknown" if None in results else "met"
