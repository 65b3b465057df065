"""The houses of a town, their rooms and rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import count
from typing import Literal

from travel.sample.chance import Chance
from travel.sample.places.towns import Town
from travel.sample.tables import names, read_table

RoomKind = Literal["standard", "superior", "deluxe", "suite"]
Bed = Literal["king", "queen", "double", "twin"]
RateKind = Literal["saver", "flexible"]

_HOUSES = (2, 4, 10, 16, 24, 36)
"""How many, by the size of the town."""
_WORDS = (
    "Aurora", "Linden", "Lantern", "Juniper", "Meridian", "Orchard", "Compass", "Marble", "Willow", "Sparrow", "Copper",
    "Atlas", "Cedar", "Saffron", "Harbor Light", "Little Owl",
)  # fmt: skip
_PATTERNS = ("Hotel {}", "The {} House", "{} Rooms", "{} Boutique Hotel")
_AMENITIES = (
    "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace", "family rooms", "parking", "rooftop bar",
    "pets welcome",
)  # fmt: skip
_DOLLARS = {2: 68, 3: 104, 4: 172, 5: 390}
_TOWN_PRICE = (0.7, 0.75, 0.85, 0.95, 1.1, 1.35)
_ROOM_PRICE: Mapping[RoomKind, float] = {"standard": 1.0, "superior": 1.16, "deluxe": 1.42, "suite": 2.3}
_ROOM_COUNT: Mapping[RoomKind, int] = {"standard": 14, "superior": 10, "deluxe": 6, "suite": 2}
ROOM_GUESTS: Mapping[RoomKind, int] = {"standard": 2, "superior": 2, "deluxe": 3, "suite": 4}


@dataclass(frozen=True, slots=True)
class Hotel:
    """A house. `dollars` is what a standard room costs on a plain night."""

    number: int
    name: str
    brand: str | None
    chain: str | None
    neighborhood: str
    centre_km: float
    stars: int
    score: float
    floors: int
    dollars: float
    amenities: tuple[str, ...]
    breakfast: bool
    rooms: tuple[RoomKind, ...]


@dataclass(frozen=True, slots=True)
class Rate:
    """A kind of room at a price: flexible may be cancelled, saver not."""

    room: RoomKind
    kind: RateKind


def rates(hotel: Hotel) -> tuple[Rate, ...]:
    """Return what the house sells, the cheapest first."""
    return (Rate("standard", "saver"), *(Rate(room, "flexible") for room in hotel.rooms))


class Hotels:
    """The houses of the world that `seed` makes."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.of = cache(self._make)

    def _make(self, town: Town) -> tuple[Hotel, ...]:
        """Return the houses of a town, those nearest to the centre first."""
        made: dict[str, Hotel] = {}
        for number in range(_HOUSES[town.size]):
            tries = (self._hotel(town, number, attempt) for attempt in count())
            hotel = next(hotel for hotel in tries if hotel.name not in made)
            made[hotel.name] = hotel
        return tuple(sorted(made.values(), key=lambda hotel: (hotel.centre_km, hotel.number)))

    def _hotel(self, town: Town, number: int, attempt: int) -> Hotel:
        chance, more = (Chance(self._seed, "hotel", town.code, number, attempt, part) for part in "ab")
        at = min(chance.below(len(town.neighborhoods)), chance.below(len(town.neighborhoods)))
        neighborhood = town.neighborhoods[at]
        brand, chain, stars = self._house(town, chance)
        name = f"{brand} {town.name} {neighborhood}" if brand else chance.pick(_PATTERNS).format(chance.pick(_WORDS))
        centre_km = round(0.2 + at * 1.1 + 0.9 * more.unit(), 1)
        dollars = _DOLLARS[stars] * _TOWN_PRICE[town.size] * max(0.75, 1.12 - 0.05 * centre_km)
        first, second = more.below(len(_AMENITIES)), more.below(len(_AMENITIES))
        return Hotel(
            number=number, name=name, brand=brand, chain=chain, neighborhood=neighborhood, centre_km=centre_km,
            stars=stars, score=round(6.6 + 0.35 * stars + 1.4 * more.unit(), 1),
            floors=more.between(3, 9) if stars < 4 else more.between(5, 12 + 6 * town.size),
            dollars=dollars * (0.8 + 0.45 * more.unit()),
            amenities=tuple(sorted({_AMENITIES[at] for at in (first, second, (first + 3) % len(_AMENITIES))})),
            breakfast=more.unit() < 0.4, rooms=_rooms(stars),
        )  # fmt: skip

    def _house(self, town: Town, chance: Chance) -> tuple[str | None, str | None, int]:
        if chance.unit() < (0.35 if town.size >= 2 else 0.8):
            return None, None, chance.pick((2, 3, 3, 4, 4, 5))
        brand, chain, stars = chance.pick(_brands_in(town.country))
        return brand, chain, stars

    def night_cents(self, town: Town, hotel: Hotel, rate: Rate, night: date) -> int:
        """Return what one room costs for one night."""
        chance = Chance(self._seed, "night", town.code, hotel.number, night)
        season = 1.15 if night.month in (6, 7, 8, 12) else 0.95 if night.month in (1, 2, 11) else 1.0
        weekend = 1.12 if night.weekday() in (4, 5) else 1.0
        flexible = 1.13 if rate.kind == "flexible" else 1.0
        dollars = hotel.dollars * _ROOM_PRICE[rate.room] * season * weekend * flexible * (0.9 + 0.25 * chance.unit())
        return 100 * round(dollars)

    def capacity(self, town: Town, hotel: Hotel, room: RoomKind, night: date) -> int:
        """Return rooms of a kind that the sample world has to sell for a night; now and then none."""
        chance = Chance(self._seed, "rooms", town.code, hotel.number, room, night)
        return int(_ROOM_COUNT[room] * max(0.0, 1.0 - 1.1 * chance.unit()))

    def bed(self, town: Town, hotel: Hotel, room: RoomKind) -> Bed:
        """Return the bed of a kind of room."""
        beds: tuple[Bed, ...] = ("king", "queen", "twin", "double") if room != "suite" else ("king", "king", "queen")
        return Chance(self._seed, "bed", town.code, hotel.number, room).pick(beds)

    def floor(self, town: Town, hotel: Hotel, room: RoomKind) -> int:
        """Return the floor of a kind of room: the better, the higher."""
        at = ("standard", "superior", "deluxe", "suite").index(room)
        share = (at + Chance(self._seed, "floor", town.code, hotel.number, room).unit()) / 4
        return min(hotel.floors, 1 + int(share * hotel.floors))


def _rooms(stars: int) -> tuple[RoomKind, ...]:
    if stars <= 2:
        return ("standard",)
    return ("standard", "superior", "deluxe") if stars == 3 else ("standard", "superior", "deluxe", "suite")


@cache
def _brands_in(country: str) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (brand, chain, int(stars))
        for brand, chain, stars, only in read_table("hotels")
        if not only or country in names(only)
    )
