"""Choose varied options for one direction, and combine options of two directions into returns."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from travel.sample.flights.connections import Journey

CLOSES = timedelta(minutes=60)
"""Nothing is sold that leaves sooner."""
_ALIKE = 4
"""Most journeys of one airline over the same airports."""
_BACKS = 3
"""Ways back that are offered with one way there."""


@dataclass(frozen=True, slots=True)
class Option:
    """A journey with seats left; the smaller the effort, the better (cents and minutes)."""

    journey: Journey
    effort: float
    left: int


def varied(options: Iterable[Option], most: int) -> Iterator[Option]:
    """Yield the first `most`, of which few are alike."""
    alike: Tally[tuple[str, ...]] = Tally()
    given = 0
    for option in options:
        legs = option.journey.legs
        way = (option.journey.longest.airline.code, *(leg.destination for leg in legs), legs[0].origin)
        alike[way] += 1
        if alike[way] <= _ALIKE and given < most:
            given += 1
            yield option


def returns(there: Sequence[Option], back: Sequence[Option]) -> Iterator[tuple[float, tuple[Option, ...]]]:
    """Yield ways there, each with a few ways back: of the same airline or alliance, or else the best of any other."""
    for out in there:
        seller, lands = out.journey.longest.airline, out.journey.legs[-1].arrives
        later = [option for option in back if option.journey.legs[0].departs >= lands + CLOSES]
        own = [option for option in later if option.journey.longest.airline == seller]
        fitting = [option for option in later if option.journey.longest.airline.connects_with(seller)]
        backs = {option.journey.code: option for option in (*own[:2], *(fitting or later)[:_BACKS])}
        for option in list(backs.values())[:_BACKS]:
            yield out.effort + option.effort, (out, option)
