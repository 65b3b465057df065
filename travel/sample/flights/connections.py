"""Connect legs to journeys from one airport to another on one day, with time to change."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from heapq import nsmallest

from travel.sample.flights.network import Airline, Network, Path
from travel.sample.flights.timetable import Leg, Timetable
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


def change_minutes(origin: str, hub: str, destination: str) -> int:
    """Return minutes that a change at `hub` takes at least."""
    airports = atlas().airports
    return (
        CHANGE_AT_HOME if len({airports[code].country for code in (origin, hub, destination)}) == 1 else CHANGE_ABROAD
    )


class Planner:
    """Journeys in the world that `seed` makes."""

    def __init__(self, seed: str) -> None:
        self.network = Network(seed)
        self.timetable = Timetable(seed)
        self.journeys = lru_cache(_KEPT)(self._journeys)

    def _journeys(self, origin: str, destination: str, day: date, most_stops: int = 3) -> tuple[Journey, ...]:
        """Return everything nonstop, and the quickest few of each way over hubs, that leaves on `day`."""
        found: list[Journey] = []
        # Between far corners of the world only airlines that know nothing of each other make a way.
        for any_airlines in (False, True):
            for path in self.network.routes(origin, destination, most_stops, any_airlines=any_airlines):
                options = (Journey(legs) for legs in self._along(path, day, any_airlines=any_airlines))
                found += nsmallest(_PER_ROUTE, options, key=_quickness) if len(path) > 2 else options
            if found:
                break
        return tuple(found)

    def find(self, code: str, airline_of: dict[str, Airline]) -> Journey | None:
        """Return the journey that a `Journey.code` names; None when this world has no such flights."""
        when, first, *rest = code.split("-")
        day = read_date(when)
        legs: list[Leg] = []
        here = first
        for flight, there in zip(rest[::2], rest[1::2], strict=True):
            airline = airline_of.get(flight[:2])
            if airline is None:
                return None
            options = self._next(legs[-1], airline, there) if legs else self._legs(airline, here, there, day)
            found = next((leg for leg in options if leg.flight_number == flight), None)
            if found is None:
                return None
            legs.append(found)
            here = there
        return Journey(tuple(legs))

    def _along(self, path: Path, day: date, *, any_airlines: bool) -> Iterator[tuple[Leg, ...]]:
        for airline in self.network.carriers(path[0], path[1]):
            for leg in self._legs(airline, path[0], path[1], day):
                yield from self._onwards((leg,), path[2:], any_airlines=any_airlines)

    def _onwards(self, legs: tuple[Leg, ...], rest: Path, *, any_airlines: bool) -> Iterator[tuple[Leg, ...]]:
        if not rest:
            yield legs
            return
        for airline in self.network.carriers(legs[-1].destination, rest[0]):
            if any_airlines or all(airline.connects_with(leg.airline) for leg in legs):
                for leg in self._next(legs[-1], airline, rest[0])[:2]:
                    yield from self._onwards((*legs, leg), rest[1:], any_airlines=any_airlines)

    def _next(self, before: Leg, airline: Airline, destination: str) -> list[Leg]:
        """Return legs that can be reached from `before`, each flight number once; the next day's only if need be."""
        ready = before.arrives + timedelta(minutes=change_minutes(before.origin, before.destination, destination))
        legs = [
            leg
            for days in range(-1, 3)
            for leg in self._legs(airline, before.destination, destination, before.arrives.date() + timedelta(days))
            if ready <= leg.departs <= before.arrives + _LONGEST_NIGHT
        ]
        firsts = {leg.flight_number: leg for leg in sorted(legs, key=lambda leg: leg.departs, reverse=True)}
        reached = sorted(firsts.values(), key=lambda leg: (leg.departs, leg.flight_number))
        soon = [leg for leg in reached if leg.departs <= before.arrives + _LONGEST_WAIT]
        return soon or reached

    def _legs(self, airline: Airline, origin: str, destination: str, day: date) -> tuple[Leg, ...]:
        if airline not in self.network.carriers(origin, destination):
            return ()
        return self.timetable.legs(airline, origin, destination, day)


def _quickness(journey: Journey) -> tuple[int, datetime, tuple[str, ...]]:
    return journey.minutes, journey.legs[0].departs, tuple(leg.flight_number for leg in journey.legs)
