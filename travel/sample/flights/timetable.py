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


@lru_cache(8_000)
def legs(seed: str, airline: Airline, origin: str, destination: str, day: date) -> tuple[Leg, ...]:
    """Return what the airline flies on this route that day, by departure; the same every week."""
    start, end = atlas().airports[origin], atlas().airports[destination]
    km, smaller, ends = kilometres(origin, destination), min(start.size, end.size), sorted((origin, destination))
    route = Chance(seed, "route", airline.code, *ends)
    aircraft = aircraft_for(km, smaller, low_cost=airline.kind == "low", chance=route)
    # The way back has the number after that of the way there, as is the custom.
    number = _first_number(km, route) + (origin == ends[1])
    minutes, daily = _flying_minutes(start, end, km, aircraft), _daily(km, start.size + end.size, route)
    found = []
    for index in range(daily):
        chance = Chance(seed, "departure", airline.code, origin, destination, index)
        clock, resting = _clock(km, index, daily, chance), chance.below(14)
        # The first flight is daily, so that no pair is cut off on any day; the others may rest on one.
        if index == 0 or day.weekday() != resting:
            departs = datetime.combine(day, clock, ZoneInfo(start.zone)).astimezone(UTC)
            arrives, flight = departs + timedelta(minutes=minutes), f"{airline.code}{number + 2 * index}"
            found.append(Leg(airline, origin, destination, day, departs, arrives, minutes, aircraft, flight))
    return tuple(sorted(found, key=lambda leg: (leg.departs, leg.flight_number)))


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


def _flying_minutes(start: Airport, end: Airport, km: int, aircraft: Aircraft) -> int:
    """Return the minutes from gate to gate, fewer eastwards on long ways, where the wind helps."""
    east = (end.longitude - start.longitude + 180) % 360 - 180
    wind = _TAILWIND * max(-1.0, min(1.0, east / 60)) if km > _SHORT_KM else 0.0
    minutes = _GROUND_MINUTES + 60 * km / aircraft.speed * (1 - wind)
    return 5 * round(minutes / 5)
