"""Find the towns that one can stay in, by name and by code."""

from __future__ import annotations

from dataclasses import dataclass

from config.errors import UnknownOfferError
from travel.places import Place
from travel.sample.places.airports import atlas
from travel.sample.places.gazetteer import fold, gazetteer, meant

_ANYWHERE = ("Centre", "Old Town", "Station Quarter", "Riverside")


@dataclass(frozen=True, slots=True)
class Town:
    """A place to stay. `size` is 0 to 5; `neighborhoods` go from the centre outwards."""

    code: str
    name: str
    country: str
    zone: str
    size: int
    neighborhoods: tuple[str, ...]


def town_called(name: str) -> Town:
    """Return the town that a traveller means; an airport means its city. Raises as `meant` does."""
    return _town(meant(name))


def town_covered(name: str) -> Town:
    """Return the town of a journey's destination; of a country or region, its largest. Raises as `meant` does."""
    book, area = gazetteer(), fold(name)
    if area not in book.areas or book.find(name):
        return town_called(name)
    country = book.countries.get(area)  # "Georgia" is a state too
    inside = (place for place in book.largest(area) if country in (None, place.country))
    return _town(next(inside, None) or meant(name))


def town_of(code: str) -> Town:
    """Return the town of a code in an offer id. Raises UnknownOfferError."""
    entry = gazetteer().by_code.get(code)
    if entry is None:
        raise UnknownOfferError(f"There is no place {code!r} in this world. Search again.")
    return _town(entry.place)


def _town(place: Place) -> Town:
    book = atlas()
    city = book.cities.get(place.code) if place.kind == "city" else book.city_of(place.code)
    if city is None:
        airport = book.airports[place.airports[0]]
        return Town(place.code, place.name, place.country, place.zone, airport.size, _ANYWHERE)
    return Town(city.code, city.name, city.country, place.zone, city.size, city.neighborhoods)
