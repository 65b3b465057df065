"""The seats of a leg: how many there are to sell, which ones others have, and the map of a cabin."""

from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from travel.flights import Seat, SeatMap
from travel.queries import Cabin
from travel.sample.chance import Chance
from travel.sample.flights.fleet import CabinLayout
from travel.sample.flights.timetable import Leg

Position = Literal["window", "middle", "aisle"]


def load(seed: str, leg: Leg, cabin: Cabin) -> float:
    """Return the share of the cabin's seats that others took before the sample world begins: 0.35 to 1, seldom full."""
    chance = Chance(seed, "load", leg.flight_number, leg.origin, leg.day, cabin)
    return min(1.0, 0.35 + 0.68 * chance.unit())


def capacity(seed: str, leg: Leg, cabin: Cabin) -> int:
    """Return seats of the cabin that the sample world has to sell."""
    seats = leg.aircraft.cabins[cabin].seats
    return seats - round(seats * load(seed, leg, cabin))


@lru_cache(2000)
def others_seats(seed: str, leg: Leg, cabin: Cabin) -> frozenset[str]:
    """Return the seats that others took before the sample world begins."""
    layout = leg.aircraft.cabins[cabin]
    letters = layout.row.replace("-", "")
    seats = [f"{row}{letter}" for row in range(layout.first, layout.last + 1) for letter in letters]
    seats.sort(key=lambda seat: Chance(seed, "seat", leg.flight_number, leg.origin, leg.day, seat).unit())
    return frozenset(seats[capacity(seed, leg, cabin) :])


def seat_map(seed: str, leg: Leg, cabin: Cabin, number: int, booked: Collection[str]) -> SeatMap:
    """Return the seat map of the leg, which is segment `number` of an offer; `booked` are seats that users chose."""
    layout, taken = leg.aircraft.cabins[cabin], others_seats(seed, leg, cabin).union(booked)
    seats = tuple(
        _seat(layout, row, at, taken)
        for row in range(layout.first, layout.last + 1)
        for at, letter in enumerate(layout.row)
        if letter != "-"
    )
    return SeatMap(segment=number, flight_number=leg.flight_number, seats=seats)


def _seat(layout: CabinLayout, row: int, at: int, taken: Collection[str]) -> Seat:
    third = 3 * (row - layout.first) // (layout.last - layout.first + 1)
    aisle = "-" in (layout.row[at - 1 : at], layout.row[at + 1 : at + 2])
    position: Position = "window" if at in (0, len(layout.row) - 1) else "aisle" if aisle else "middle"
    name = f"{row}{layout.row[at]}"
    part, legroom = ("front", "middle", "back")[third], row in layout.legroom_rows
    return Seat(id=name, row=row, position=position, part=part, extra_legroom=legroom, free=name not in taken)
