"""Airports of the world, and listed cities, both as places. Loaded once, at first use."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from travel.tables import Listed, read_rows

_EARTH_KM = 6371.0088


class City(NamedTuple):
    """A city of `cities.txt`, or a town of `towns.txt`, whose airports belong to other places."""

    code: str
    name: str
    country: str
    region: str
    size: int
    airports: Listed[str]
    name_ja: str
    aliases: Listed[str]
    neighborhoods: Listed[str]


_ANYWHERE = ("Centre", "Old Town", "Station Quarter", "Riverside")


@dataclass(frozen=True, slots=True)
class Place:
    """A city with all its airports, or one airport. The larger its `size`, 0 to 5, the likelier a name means it.

    Attributes:
        code: IATA code of the city, as in LON, or of the airport, as in LHR.
        region: State or province, as in "Oregon"; empty if it has the same name as the place.
        country: ISO 3166 code of two letters.
        airports: IATA codes, the main one first.
        zone: IANA time zone.
        city: Code of the listed city that it is, or that it is an airport of; empty for other places.
    """

    code: str
    name: str
    region: str
    country: str
    airports: tuple[str, ...]
    zone: str
    size: int
    city: str

    def __str__(self) -> str:
        """Format the place as in `Portland, Maine, US (PWM)`."""
        return f"{', '.join(part for part in (self.name, self.region, self.country) if part)} ({self.code})"

    @property
    def neighborhoods(self) -> tuple[str, ...]:
        """The neighbourhoods of its city, from the centre outwards."""
        return atlas().cities[self.city].neighborhoods if self.city else _ANYWHERE


@dataclass(frozen=True, slots=True)
class Airport(Place):
    """A real airport (airportsdata). Its size is 5 for main airports of the largest cities, and 0 for airstrips."""

    town: str
    latitude: float
    longitude: float


class Atlas(NamedTuple):
    """All airports by code, all listed cities by code, and the airports of listed cities."""

    airports: Mapping[str, Airport]
    cities: Mapping[str, City]
    listed: tuple[Airport, ...]


@cache
def atlas() -> Atlas:
    """Return the atlas; the first call takes a tenth of a second."""
    import airportsdata

    cities = {city.code: city for city in read_rows("cities", City)}
    # An airport of several cities, such as Osaka's, which serves Kyoto too, belongs to the first of them in the table.
    homes = {code: city for city in reversed(cities.values()) for code in city.airports}
    cities |= {town.code: town for town in read_rows("towns", City)}
    airports, rows = {}, airportsdata.load("IATA")
    city_names = {row["city"] for row in rows.values()}
    for code, row in rows.items():
        home, head = homes.get(code), row["city"].partition("/")[0].strip()
        if home:
            town, region, size = home.name, home.region, max(1, home.size - min(3, home.airports.index(code)))
        else:
            # "Toulouse/Blagnac" becomes "Toulouse", unless there is another city of that name.
            town = row["city"] if head in city_names else head
            region, size = row["subd"], int("International" in row["name"])
        if row["tz"]:
            name, where = row["name"], (row["country"], (code,), row["tz"], size, home.code if home else "")
            airports[code] = Airport(code, name, region_label(name, region), *where, town, row["lat"], row["lon"])
    return Atlas(airports, cities, tuple(airport for airport in airports.values() if airport.city))


def region_label(name: str, region: str) -> str:
    """Return the region to show after a place's name; empty if they are the same."""
    return "" if region == name else region


@lru_cache(200_000)
def kilometres(one: str, other: str) -> int:
    """Return the great-circle distance of two airports (haversine)."""
    a, b = (atlas().airports[code] for code in sorted((one, other)))
    phi, psi = math.radians(a.latitude), math.radians(b.latitude)
    across = math.radians(b.longitude - a.longitude)
    chord = math.sin((psi - phi) / 2) ** 2 + math.cos(phi) * math.cos(psi) * math.sin(across / 2) ** 2
    return round(2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(chord))))
