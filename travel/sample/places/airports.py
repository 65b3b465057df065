"""Airports of the world, the cities that people fly to, and both as places. Loaded once, when first asked for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from travel.tables import Listed, read_rows

_EARTH_KM = 6371.0088


class City(NamedTuple):
    """A listed city: one of those with a name in both languages, neighbourhoods, hotels and scheduled flights.

    A town of `towns.txt` is one too, whose airports belong to other places.
    """

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
    """A city with all its airports, or one airport, and how likely it is meant: by its `size`, 0 to 5.

    Attributes:
        code: IATA code of the city, as in LON, or of the airport, as in LHR.
        region: State or province, as in "Oregon"; empty where it has the name of the place.
        country: Two letters of ISO 3166.
        airports: IATA codes, the main one first.
        zone: IANA time zone.
        city: Code of the listed city that it is, or is an airport of; empty for all others.
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
        """Return where one may stay, from the centre outwards."""
        return atlas().cities[self.city].neighborhoods if self.city else _ANYWHERE


@dataclass(frozen=True, slots=True)
class Airport(Place):
    """A real airport (airportsdata) and its `town`; 5 is the size of the largest cities' main ones, 0 of airstrips."""

    town: str
    latitude: float
    longitude: float


class Atlas(NamedTuple):
    """All airports by code, all listed cities by code, and the airports of these."""

    airports: Mapping[str, Airport]
    cities: Mapping[str, City]
    listed: tuple[Airport, ...]


@cache
def atlas() -> Atlas:
    """Return the one atlas; the first call takes a tenth of a second."""
    import airportsdata

    cities = {city.code: city for city in read_rows("cities", City)}
    # Osaka's airports serve Kyoto too and belong to the city that is listed first.
    homes = {code: city for city in reversed(cities.values()) for code in city.airports}
    cities |= {town.code: town for town in read_rows("towns", City)}
    airports, rows = {}, airportsdata.load("IATA")
    whole = {row["city"] for row in rows.values()}
    for code, row in rows.items():
        home, head = homes.get(code), row["city"].partition("/")[0].strip()
        if home:
            town, region, size = home.name, home.region, max(1, home.size - min(3, home.airports.index(code)))
        else:
            town = row["city"] if head in whole else head  # "Toulouse/Blagnac"; there is another Bristol
            region, size = row["subd"], int("International" in row["name"])
        if row["tz"]:
            name, where = row["name"], (row["country"], (code,), row["tz"], size, home.code if home else "")
            airports[code] = Airport(code, name, beside(name, region), *where, town, row["lat"], row["lon"])
    return Atlas(airports, cities, tuple(airport for airport in airports.values() if airport.city))


def beside(name: str, region: str) -> str:
    """Return what is told of a region beside a name: nothing where they are the same."""
    return "" if region == name else region


@lru_cache(200_000)
def kilometres(one: str, other: str) -> int:
    """Return the great-circle distance of two airports (haversine)."""
    a, b = (atlas().airports[code] for code in sorted((one, other)))
    phi, psi = math.radians(a.latitude), math.radians(b.latitude)
    across = math.radians(b.longitude - a.longitude)
    chord = math.sin((psi - phi) / 2) ** 2 + math.cos(phi) * math.cos(psi) * math.sin(across / 2) ** 2
    return round(2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(chord))))
