"""Judge the conditions of wishes: an overnight segment, a Friday, summer, children along."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from text import fold
from text.numbers import MONTHS, WEEKDAYS
from travel.flights import FlightOffer, Segment
from travel.offers import CarOffer, HotelOffer
from travel.provider import AnyOffer
from travel.summary import summary

LONG_HAUL, SHORT_HAUL = 6 * 60, 3 * 60
"""Minutes of one segment, from which on it is long and up to which it is short."""
_SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2)}
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
    if condition.startswith("with:") or condition in ("familytrip", "solo"):
        return _company(condition == "solo", offer)
    told = summary(offer)
    if (on_day := _on_day(condition, told.first_day)) is not None:
        return on_day
    # It names where the offer leads; what else it may name is not known here.
    return True if fold(condition) == fold(told.city) else None


def _company(alone: bool, offer: AnyOffer) -> bool | None:
    """Judge company: a lone traveller has none; who travels along with several can't be told."""
    if isinstance(offer, HotelOffer | CarOffer):
        return None
    several = summary(offer).travellers > 1
    return not several if alone else None if several else False


def _on_day(condition: str, day: date) -> bool | None:
    if condition in ("weekend", "weekday"):
        return (day.weekday() >= 5) == (condition == "weekend")
    if condition in WEEKDAYS:
        return WEEKDAYS[day.weekday()] == condition
    if condition in MONTHS:
        return MONTHS[day.month - 1] == condition
    return day.month in _SEASONS[condition] if condition in _SEASONS else None
