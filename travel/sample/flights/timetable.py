"""The timetable: the departures of each route and day, in the local time of the origin."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from travel.sample.chance import Chance
from travel.sample.flights.fleet import Aircraft, aircraft_for
from travel.sample.flights.network import Airline
from travel.sample.places.airports import Airport, atlas, kilometres

_SHORT_KM, _MEDIUM_KM = 1500, 4500
_GROUND_MINUTES = 35
_TAILWIND = 0.05
_KEPT = 8_000
"""Routes and days whose departures are kept in memory."""
_FIRST, _LAST = 6 * 60, 21 * 60 + 30
"""Minutes of the day between which short flights leave."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One flight on one day. `departs` and `arrives` are in UTC; `day` is the date where it leaves."""

    airline: Airline
    origin: str
    destination: str
    day: date
    departs: datetime
    arrives: datetime
    minutes: int
    """From door to door."""
    aircraft: Aircraft
    flight_number: str
    """As printed, as in "TP1351"."""


@dataclass(frozen=True, slots=True)
class _Departure:
    number: int
    clock: time
    minutes: int
    aircraft: Aircraft
    weekdays: frozenset[int]


class Timetable:
    """The departures of the world that `seed` makes; the same every week."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._pattern = lru_cache(_KEPT)(self._make_pattern)
        self.legs = lru_cache(_KEPT)(self._legs)

    def _legs(self, airline: Airline, origin: str, destination: str, day: date) -> tuple[Leg, ...]:
        """Return what the airline flies on this route that day, by departure."""
        zone = ZoneInfo(atlas().airports[origin].zone)
        legs = []
        for each in self._pattern(airline, origin, destination):
            if day.weekday() in each.weekdays:
                departs = datetime.combine(day, each.clock, zone).astimezone(UTC)
                arrives = departs + timedelta(minutes=each.minutes)
                number = f"{airline.code}{each.number}"
                legs.append(
                    Leg(airline, origin, destination, day, departs, arrives, each.minutes, each.aircraft, number)
                )
        return tuple(sorted(legs, key=lambda leg: (leg.departs, leg.flight_number)))

    def _make_pattern(self, airline: Airline, origin: str, destination: str) -> tuple[_Departure, ...]:
        one, other = sorted((origin, destination))
        start, end = atlas().airports[origin], atlas().airports[destination]
        km, smaller = kilometres(origin, destination), min(start.size, end.size)
        route = Chance(self._seed, "route", airline.code, one, other)
        aircraft = aircraft_for(km, smaller, low_cost=airline.kind == "low", chance=route)
        # The way back has the number after that of the way there, as is the custom.
        number = _first_number(km, route) + (origin == other)
        minutes = flying_minutes(start, end, km, aircraft)
        daily = _daily(km, start.size + end.size, route)
        departures = []
        for index in range(daily):
            chance = Chance(self._seed, "departure", airline.code, origin, destination, index)
            clock = _clock(km, index, daily, chance)
            departures.append(_Departure(number + 2 * index, clock, minutes, aircraft, _weekdays(index, chance)))
        return tuple(departures)


def _first_number(km: int, chance: Chance) -> int:
    low, high = (1, 190) if km > _MEDIUM_KM else (200, 440) if km > _SHORT_KM else (450, 4400)
    return 2 * chance.between(low, high) + 1


def _daily(km: int, sizes: int, chance: Chance) -> int:
    """Return departures a day between airports whose sizes sum up to `sizes`."""
    busy = max(0, sizes - 4)
    if km <= _SHORT_KM:
        return 1 + busy + chance.below(2)
    if km <= _MEDIUM_KM:
        return 1 + busy // 2
    return 1 + (busy >= 5) * chance.below(2)


def _clock(km: int, index: int, daily: int, chance: Chance) -> time:
    if km > _MEDIUM_KM:
        # Long flights leave late in the morning or late in the evening.
        hour = (9, 21)[(index + chance.below(2)) % 2] * 60
        minute = hour + chance.below(170)
    else:
        minute = _FIRST + int((_LAST - _FIRST) * (index + chance.unit()) / daily)
    minute -= minute % 5
    return time(minute // 60, minute % 60)


def _weekdays(index: int, chance: Chance) -> frozenset[int]:
    """Return the first flight is daily, so that no pair is cut off on any day; the others may rest on one."""
    resting = chance.below(14)
    return frozenset(day for day in range(7) if index == 0 or day != resting)


def flying_minutes(start: Airport, end: Airport, km: int, aircraft: Aircraft) -> int:
    """Return the minutes from gate to gate, fewer eastwards on long ways, where the wind helps."""
    east = (end.longitude - start.longitude + 180) % 360 - 180
    wind = _TAILWIND * max(-1.0, min(1.0, east / 60)) if km > _SHORT_KM else 0.0
    minutes = _GROUND_MINUTES + 60 * km / aircraft.speed * (1 - wind)
    return 5 * round(minutes / 5)
