"""The route network: the airlines with their hubs, and the routes over these hubs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial
from heapq import nsmallest
from itertools import chain, pairwise, product
from typing import Literal, NamedTuple

from travel.sample.chance import Chance
from travel.sample.flights.fleet import fleet
from travel.sample.places.airports import Airport, atlas, kilometres
from travel.tables import Listed, read_rows


class Airline(NamedTuple):
    """An airline. Its name is only a label; a feeder serves small airports and connects with all other airlines."""

    code: str
    name: str
    alliance: str
    country: str
    kind: Literal["full", "low", "feeder"]
    hubs: Listed[str]

    def connects_with(self, other: Airline) -> bool:
        """Return True if one ticket may contain flights of both."""
        allied = self.alliance == other.alliance != ""
        return self == other or allied or "feeder" in (self.kind, other.kind)


_airlines = cache(partial(read_rows, "airlines", Airline))


@cache
def _based_at(hub: str) -> tuple[Airline, ...]:
    """Return the airlines that have this hub."""
    return tuple(airline for airline in _airlines() if hub in airline.hubs)


SHORTEST_KM = 120
"""Shortest distance of a flight."""
_GATEWAYS = 2
_ROUTES = 8
_MAX_NEIGHBOURS = 10
_SMALL_HUB = 0.02
_LOW_COST_KM = 3200
_TRUNK_KM = 14_500
_FAR_KM = 4500
"""Above this distance, only the first two airports of a city are served, and mostly from large hubs."""
Path = tuple[str, ...]

# Up to so many kilometres: the probability that an airline serves an airport of size 1 to 5 from its hub.
_ABROAD: tuple[tuple[int, tuple[float, ...]], ...] = (
    (2500, (0.2, 0.5, 0.75, 0.92, 1.0)),
    (4500, (0.05, 0.25, 0.5, 0.8, 0.95)),
    (9500, (0.0, 0.06, 0.25, 0.6, 0.9)),
    (14500, (0.0, 0.0, 0.06, 0.3, 0.7)),
    (20_000, (0.0, 0.0, 0.0, 0.0, 0.35)),
)
_AT_HOME = (0.5, 0.75, 0.9, 0.97, 1.0)
_LOW_COST = (0.3, 0.45, 0.6, 0.75, 0.8)
_HUB_WEIGHT = {5: 1.0, 4: 0.7, 3: 0.3, 2: 0.1, 1: 0.0}
"""Factor of that probability above `_FAR_KM`, by the size of the hub."""


@lru_cache(200_000)
def carriers(seed: str, one: str, other: str) -> tuple[Airline, ...]:
    """Return the airlines that fly nonstop between two airports, in both directions."""
    if one > other:
        return carriers(seed, other, one)
    km, places = kilometres(one, other), atlas().airports
    if not SHORTEST_KM <= km <= max(aircraft.reach for aircraft in fleet().values()):
        return ()
    if not (places[one].city and places[other].city):
        return _feeders(places[one], places[other])
    ends = ((places[one], places[other]), (places[other], places[one]))
    based = (airline for hub, end in ends for airline in _based_at(hub.code) if _serves(seed, airline, hub, end, km))
    assured = (_assured(hub, end, km) for hub, end in ends)
    return tuple(dict.fromkeys(chain(based, *assured)))


def routes(seed: str, origin: str, destination: str, most_stops: int = 3, *, any_airlines: bool = False) -> list[Path]:
    """Return the paths from one airport to another: nonstop if it is flown, then over hubs, the shortest first.

    Paths have as few stops as possible. The airlines of a path must sell tickets together, unless `any_airlines`.
    """
    chosen = list(_paths(seed, origin, destination, 0))
    km = kilometres(origin, destination)
    limit = (1.35 * km + 900) if chosen else (1.6 * km + 2500)
    for stops in range(1, most_stops + 1):
        at_least, over_hubs = not chosen, 0
        for effort, path in sorted((_effort(path), path) for path in _paths(seed, origin, destination, stops)):
            if over_hubs == _ROUTES or (effort > limit and over_hubs >= at_least):
                break
            if any_airlines or _sold_together(seed, path):
                chosen.append(path)
                over_hubs += 1
        if chosen:
            break
    return chosen


def _paths(seed: str, origin: str, destination: str, stops: int) -> Iterator[Path]:
    """Yield paths with `stops` stops, all at hubs; with two or more, only the hubs with the shortest detours."""
    if stops == 0 and carriers(seed, origin, destination):
        yield (origin, destination)
    elif stops == 1:
        for hub in _neighbours(seed, origin) & _neighbours(seed, destination):
            yield (origin, hub, destination)
    elif stops > 1:
        for first, last in product(_towards(seed, origin, destination), _towards(seed, destination, origin)):
            for between in _paths(seed, first, last, stops - 2):
                path = (origin, *between, destination)
                if len(set(path)) == len(path):
                    yield path


@cache
def _neighbours(seed: str, code: str) -> frozenset[str]:
    """Return the hubs with nonstop flights to an airport; for a small airport, only its gateways."""
    hubs = (hub for airline in _airlines() for hub in airline.hubs) if atlas().airports[code].city else gateways(code)
    return frozenset(hub for hub in set(hubs) if hub != code and carriers(seed, code, hub))


def _towards(seed: str, start: str, goal: str) -> list[str]:
    """Return the neighbours of `start` with the shortest detours on the way to `goal`, best first."""
    lengths = ((kilometres(start, hub) + kilometres(hub, goal), hub) for hub in _neighbours(seed, start) if hub != goal)
    return [hub for _, hub in nsmallest(_MAX_NEIGHBOURS, lengths)]


def _sold_together(seed: str, path: Path) -> bool:
    """Return True if airlines that connect with each other fly all legs of the path."""
    reach = carriers(seed, path[0], path[1])
    for leg in pairwise(path[1:]):
        reach = tuple(airline for airline in carriers(seed, *leg) if any(airline.connects_with(by) for by in reach))
    return bool(reach)


def _serves(seed: str, airline: Airline, hub: Airport, other: Airport, km: int) -> bool:
    index = other.size - 1
    if airline.kind == "low":
        probability = _LOW_COST[index] if km <= _LOW_COST_KM else 0.0
    elif km > _FAR_KM and other.code not in atlas().cities[other.city].airports[:2]:
        probability = 0.0
    elif hub.country == other.country:
        probability = _AT_HOME[index]
    else:
        probability = next(row for up_to, row in _ABROAD if km <= up_to)[index]
        if km > _FAR_KM:
            probability *= _HUB_WEIGHT[hub.size]
    return Chance(seed, "serves", airline.code, *sorted((hub.code, other.code))).unit() < probability


def _assured(hub: Airport, other: Airport, km: int) -> tuple[Airline, ...]:
    """Return an airline that always flies, between large hubs and to gateways, so that every place can be reached."""
    trunk = hub.size == 5 and other.size >= 4 and _based_at(other.code) and km <= _TRUNK_KM
    if not (trunk or hub.code in gateways(other.code)):
        return ()
    return tuple(airline for airline in _based_at(hub.code) if airline.kind == "full")[:1]


def _feeders(one: Airport, other: Airport) -> tuple[Airline, ...]:
    small, gateway = (other, one) if one.city else (one, other)
    if gateway.code not in gateways(small.code):
        return ()
    own = [airline for airline in _based_at(gateway.code) if airline.country == small.country]
    return tuple(own[:1] or [airline for airline in _airlines() if airline.code == "9S"])


def _effort(path: Path) -> float:
    """Return the length in kilometres, plus a share of it for hubs below the largest size."""
    flown = sum(kilometres(start, end) for start, end in pairwise(path))
    hubs = [atlas().airports[hub].size for hub in path[1:-1]]
    return flown * (1 + _SMALL_HUB * sum(5 - size for size in hubs))


@cache
def gateways(code: str) -> tuple[str, ...]:
    """Return the airports with guaranteed flights to an airport: the nearest hubs or larger airports."""
    here, listed = atlas().airports[code], atlas().listed
    if here.city:
        return _nearest(code, {hub for airline in _airlines() if airline.kind == "full" for hub in airline.hubs})
    home = _nearest(code, (each.code for each in listed if each.country == here.country and each.size >= 2))
    return home or _nearest(code, (each.code for each in listed if each.size >= 3))


def _nearest(code: str, options: Iterable[str]) -> tuple[str, ...]:
    distances = ((kilometres(code, option), option) for option in options if option != code)
    return tuple(option for _, option in nsmallest(_GATEWAYS, (pair for pair in distances if pair[0] >= SHORTEST_KM)))
