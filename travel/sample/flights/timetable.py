"""The timetable: the flights of each route and day, and the journeys that connect them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple
from zoneinfo import ZoneInfo

from config.errors import UnknownOfferError
from travel.sample.chance import Chance
from travel.sample.counter import read_date
from travel.sample.flights.fleet import Aircraft, aircraft_for
from travel.sample.flights.network import Airline, Path, carriers, routes
from travel.sample.places.airports import Airport, atlas, kilometres

CHANGE_AT_HOME, CHANGE_ABROAD = 45, 75
"""Least minutes between connecting flights: within one country, and on international journeys."""
_LONGEST_WAIT, _LONGEST_NIGHT = timedelta(hours=8), timedelta(hours=26)
_PER_ROUTE = 6
_SHORT_KM, _MEDIUM_KM = 1500, 4500
_GROUND_MINUTES = 35
_TAILWIND = 0.05
_FIRST, _LAST = 6 * 60, 21 * 60 + 30
"""First and last departure of short and medium flights, in minutes after midnight."""


class Leg(NamedTuple):
    """One flight on one day. `departs` and `arrives` are in UTC; `day` is the local date of departure."""

    airline: Airline
    origin: str
    destination: str
    day: date
    departs: datetime
    arrives: datetime
    minutes: int
    """From gate to gate."""
    aircraft: Aircraft
    flight_number: str
    """As printed, as in "TP1351"."""


@lru_cache(8_000)
def legs(seed: str, airline: Airline, origin: str, destination: str, day: date) -> tuple[Leg, ...]:
    """Return the airline's flights on this route and day, by departure; the timetable is the same every week."""
    start, end = atlas().airports[origin], atlas().airports[destination]
    km, smaller, ends = kilometres(origin, destination), min(start.size, end.size), sorted((origin, destination))
    route = Chance(seed, "route", airline.code, *ends)
    aircraft = aircraft_for(km, smaller, low_cost=airline.kind == "low", chance=route)
    low, high = (1, 190) if km > _MEDIUM_KM else (200, 440) if km > _SHORT_KM else (450, 4400)
    # By convention, the flight number of the return is the next one.
    number = 2 * route.between(low, high) + 1 + (origin == ends[1])
    minutes, daily = _flying_minutes(start, end, km, aircraft), _daily(km, start.size + end.size, route)
    flights = []
    for index in range(daily):
        chance = Chance(seed, "departure", airline.code, origin, destination, index)
        clock, day_off = _clock(km, index, daily, chance), chance.below(14)
        # The first flight is daily, so that every route is served each day; the others may skip one weekday.
        if index == 0 or day.weekday() != day_off:
            departs = datetime.combine(day, clock, ZoneInfo(start.zone)).astimezone(UTC)
            arrives, flight = departs + timedelta(minutes=minutes), f"{airline.code}{number + 2 * index}"
            flights.append(Leg(airline, origin, destination, day, departs, arrives, minutes, aircraft, flight))
    return tuple(sorted(flights, key=lambda leg: (leg.departs, leg.flight_number)))


def _daily(km: int, sizes: int, chance: Chance) -> int:
    """Return the daily departures between airports whose sizes sum up to `sizes`."""
    busy = max(0, sizes - 4)
    if km <= _SHORT_KM:
        return 1 + busy + chance.below(2)
    if km <= _MEDIUM_KM:
        return 1 + busy // 2
    return 1 + (busy >= 5) * chance.below(2)


def _clock(km: int, index: int, daily: int, chance: Chance) -> time:
    if km > _MEDIUM_KM:
        # Long flights leave late in the morning or late in the evening.
        minute = 60 * (9, 21)[(index + chance.below(2)) % 2] + chance.below(170)
    else:
        minute = _FIRST + int((_LAST - _FIRST) * (index + chance.unit()) / daily)
    return time(*divmod(minute - minute % 5, 60))


def _flying_minutes(start: Airport, end: Airport, km: int, aircraft: Aircraft) -> int:
    """Return the minutes from gate to gate; long flights eastwards are faster, because of the wind."""
    east = (end.longitude - start.longitude + 180) % 360 - 180
    wind = _TAILWIND * max(-1.0, min(1.0, east / 60)) if km > _SHORT_KM else 0.0
    minutes = _GROUND_MINUTES + 60 * km / aircraft.speed * (1 - wind)
    return 5 * round(minutes / 5)


@dataclass(frozen=True)
class Journey:
    """One direction: its legs in order."""

    legs: tuple[Leg, ...]

    @cached_property
    def minutes(self) -> int:
        """Duration, including layovers."""
        return round((self.legs[-1].arrives - self.legs[0].departs).total_seconds() / 60)

    @cached_property
    def longest(self) -> Leg:
        """The leg that takes longest; its airline sells the ticket."""
        return max(self.legs, key=lambda leg: leg.minutes)

    @cached_property
    def code(self) -> str:
        """Identifier of date, airports and flights, as in `261203-LHR-BA117-JFK`."""
        parts = [f"{self.legs[0].day:%y%m%d}", self.legs[0].origin]
        for leg in self.legs:
            parts += [leg.flight_number, leg.destination]
        return "-".join(parts)


@lru_cache(200)  # conversations repeat searches
def journeys(seed: str, origin: str, destination: str, day: date, most_stops: int = 3) -> tuple[Journey, ...]:
    """Return all nonstop journeys, and the fastest few on each path over hubs, that depart on `day`."""
    found: list[Journey] = []
    # Some remote places can only be reached with airlines that do not connect with each other.
    for any_airlines in (False, True):
        for path in routes(seed, origin, destination, most_stops, any_airlines=any_airlines):
            starts = ((leg,) for airline in carriers(seed, *path[:2]) for leg in legs(seed, airline, *path[:2], day))
            options = [Journey(flown) for start in starts for flown in _connect(seed, start, path[2:], any_airlines)]
            options.sort(key=lambda option: (option.minutes, option.legs[0].departs, option.code))
            found += options[:_PER_ROUTE] if len(path) > 2 else options
        if found:
            break
    return tuple(found)


@lru_cache(1000)
def find(seed: str, code: str) -> Journey:
    """Return the journey of a `Journey.code`. Raises UnknownOfferError if this world has no such flights."""
    when, start, *rest = code.split("-")
    flown: tuple[Leg, ...] = ()
    for flight, end in zip(rest[::2], rest[1::2], strict=True):
        options = (
            _next(seed, flown[-1], airline, end) if flown else legs(seed, airline, start, end, read_date(when))
            for airline in carriers(seed, start, end)
        )
        leg = next((leg for leg in chain.from_iterable(options) if leg.flight_number == flight), None)
        if leg is None:
            raise UnknownOfferError("These flights are no longer flown. Search again.")
        flown, start = (*flown, leg), end
    return Journey(flown)


def _connect(seed: str, flown: tuple[Leg, ...], rest: Path, any_airlines: bool) -> Iterator[tuple[Leg, ...]]:
    """Yield `flown` extended by connecting flights to each airport of `rest`."""
    if not rest:
        yield flown
        return
    for airline in carriers(seed, flown[-1].destination, rest[0]):
        if any_airlines or all(airline.connects_with(leg.airline) for leg in flown):
            for leg in _next(seed, flown[-1], airline, rest[0])[:2]:
                yield from _connect(seed, (*flown, leg), rest[1:], any_airlines)


def _next(seed: str, before: Leg, airline: Airline, destination: str) -> list[Leg]:
    """Return legs that connect from `before`, one per flight number; with a long wait only if there are no others."""
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
