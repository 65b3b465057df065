"""Connect legs to journeys from one airport to another on one day, with time to change."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import chain

from config.errors import UnknownOfferError
from travel.sample.flights.network import Airline, Path, carriers, routes
from travel.sample.flights.timetable import Leg, legs
from travel.sample.ids import read_date
from travel.sample.places.airports import atlas

CHANGE_AT_HOME, CHANGE_ABROAD = 45, 75
"""Minutes needed to change: within one country, and where a border is crossed."""
_LONGEST_WAIT, _LONGEST_NIGHT = timedelta(hours=8), timedelta(hours=26)
_PER_ROUTE = 6
_KEPT = 200
"""Searches of one direction whose journeys are kept in memory, because people ask again in other words."""


@dataclass(frozen=True)
class Journey:
    """One direction: legs in the order flown."""

    legs: tuple[Leg, ...]

    @cached_property
    def minutes(self) -> int:
        """From door to door, waits included."""
        return round((self.legs[-1].arrives - self.legs[0].departs).total_seconds() / 60)

    @cached_property
    def longest(self) -> Leg:
        """The leg that takes longest; its airline sells the ticket."""
        return max(self.legs, key=lambda leg: leg.minutes)

    @cached_property
    def code(self) -> str:
        """Date, airports and flights, as in `261203-LHR-BA117-JFK`."""
        parts = [f"{self.legs[0].day:%y%m%d}", self.legs[0].origin]
        for leg in self.legs:
            parts += [leg.flight_number, leg.destination]
        return "-".join(parts)


@lru_cache(_KEPT)
def journeys(seed: str, origin: str, destination: str, day: date, most_stops: int = 3) -> tuple[Journey, ...]:
    """Return everything nonstop, and the quickest few of each way over hubs, that leaves on `day`."""
    found: list[Journey] = []
    # Between far corners of the world only airlines that know nothing of each other make a way.
    for any_airlines in (False, True):
        for path in routes(seed, origin, destination, most_stops, any_airlines=any_airlines):
            starts = ((leg,) for airline in carriers(seed, *path[:2]) for leg in legs(seed, airline, *path[:2], day))
            options = (Journey(flown) for start in starts for flown in _onwards(seed, start, path[2:], any_airlines))
            found += nsmallest(_PER_ROUTE, options, key=_quickness) if len(path) > 2 else options
        if found:
            break
    return tuple(found)


def find(seed: str, code: str) -> Journey:
    """Return the journey that a `Journey.code` names. Raises UnknownOfferError when this world has no such flights."""
    when, here, *rest = code.split("-")
    flown: tuple[Leg, ...] = ()
    for flight, there in zip(rest[::2], rest[1::2], strict=True):
        options = (
            _next(seed, flown[-1], airline, there) if flown else legs(seed, airline, here, there, read_date(when))
            for airline in carriers(seed, here, there)
        )
        leg = next((leg for leg in chain.from_iterable(options) if leg.flight_number == flight), None)
        if leg is None:
            raise UnknownOfferError("These flights are no longer flown. Search again.")
        flown, here = (*flown, leg), there
    return Journey(flown)


def _onwards(seed: str, flown: tuple[Leg, ...], rest: Path, any_airlines: bool) -> Iterator[tuple[Leg, ...]]:
    if not rest:
        yield flown
        return
    for airline in carriers(seed, flown[-1].destination, rest[0]):
        if any_airlines or all(airline.connects_with(leg.airline) for leg in flown):
            for leg in _next(seed, flown[-1], airline, rest[0])[:2]:
                yield from _onwards(seed, (*flown, leg), rest[1:], any_airlines)


def _next(seed: str, before: Leg, airline: Airline, destination: str) -> list[Leg]:
    """Return legs that can be reached from `before`, each flight number once; the next day's only if need be."""
    hub, airports = before.destination, atlas().airports
    at_home = len({airports[code].country for code in (before.origin, hub, destination)}) == 1
    ready = before.arrives + timedelta(minutes=CHANGE_AT_HOME if at_home else CHANGE_ABROAD)
    found: dict[str, Leg] = {}
    for days in range(-1, 3):
        for leg in legs(seed, airline, hub, destination, before.arrives.date() + timedelta(days)):
            if ready <= leg.departs <= before.arrives + _LONGEST_NIGHT:
                found.setdefault(leg.flight_number, leg)
    soon = [leg for leg in found.values() if leg.departs <= before.arrives + _LONGEST_WAIT]
    return soon or list(found.values())


def _quickness(journey: Journey) -> tuple[int, datetime, tuple[str, ...]]:
    return journey.minutes, journey.legs[0].departs, tuple(leg.flight_number for leg in journey.legs)
