"""The seats of a cabin: where each one is, and which were taken before anybody booked here."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from travel.flights import Seat, SeatMap
from travel.places import SAMPLE
from travel.queries import Cabin
from travel.sample.chance import Chance
from travel.sample.flights.fares import load
from travel.sample.flights.fleet import CabinLayout
from travel.sample.flights.timetable import Leg

Position = Literal["window", "middle", "aisle"]


def capacity(leg: Leg, cabin: Cabin, seed: str) -> int:
    """Return seats of the cabin that the sample world has to sell."""
    seats = leg.aircraft.cabins[cabin].seats
    return seats - round(seats * load(leg, cabin, seed))


def seat_map(leg: Leg, cabin: Cabin, number: int, booked: Collection[str], seed: str) -> SeatMap:
    """Return the seat map of the leg, which is segment `number` of an offer; `booked` are seats that users chose."""
    layout = leg.aircraft.cabins[cabin]
    taken = others_seats(leg, cabin, seed).union(booked)
    seats = tuple(
        _seat(layout, row, at, free=f"{row}{layout.row[at]}" not in taken)
        for row in range(layout.first, layout.last + 1)
        for at in range(len(layout.row))
        if layout.row[at] != "-"
    )
    return SeatMap(
        source=SAMPLE, segment=number, flight_number=leg.flight_number, aircraft=leg.aircraft.name, cabin=cabin,
        seats=seats,
    )  # fmt: skip


@lru_cache(2000)
def others_seats(leg: Leg, cabin: Cabin, seed: str) -> frozenset[str]:
    """Return the seats that others took before the sample world begins."""
    layout = leg.aircraft.cabins[cabin]
    letters = layout.row.replace("-", "")
    seats = [f"{row}{letter}" for row in range(layout.first, layout.last + 1) for letter in letters]
    seats.sort(key=lambda seat: Chance(seed, "seat", leg.flight_number, leg.origin, leg.day, seat).unit())
    return frozenset(seats[capacity(leg, cabin, seed) :])


def _seat(layout: CabinLayout, row: int, at: int, *, free: bool) -> Seat:
    third = 3 * (row - layout.first) // (layout.last - layout.first + 1)
    aisle = "-" in (layout.row[at - 1 : at], layout.row[at + 1 : at + 2])
    position: Position = "window" if at in (0, len(layout.row) - 1) else "aisle" if aisle else "middle"
    return Seat(
        id=f"{row}{layout.row[at]}", row=row, position=position, aisle_access=aisle,
        part=("front", "middle", "back")[third], extra_legroom=row in layout.legroom_rows, free=free,
    )  # fmt: skip
