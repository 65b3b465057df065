"""Aircraft: how far they fly, how they are seated, and which one flies a route."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, cast, get_args

from travel.queries import Cabin
from travel.sample.chance import Chance
from travel.tables import names, read_table


class CabinLayout(NamedTuple):
    """The `seats` of a cabin, as in "12A". Each row is like `row`: letters, with a hyphen for an aisle ("ABC-DEF")."""

    rows: range
    row: str
    legroom_rows: frozenset[int]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aircraft:
    """A type of aircraft. `reach` is in kilometres, `speed` in kilometres an hour, `cabins` are from back to front."""

    name: str
    reach: int
    speed: int
    cabins: Mapping[Cabin, CabinLayout] = field(hash=False)

    def best_cabin(self, wanted: Cabin) -> Cabin:
        """Return the cabin asked for, or the best below it that there is."""
        rank = get_args(Cabin).index
        return [cabin for cabin in self.cabins if rank(cabin) <= rank(wanted)][-1]


@cache
def fleet() -> dict[str, Aircraft]:
    """Return all types of aircraft by code."""
    return {
        code: Aircraft(name, int(reach), int(speed), dict(map(_cabin, names(cabins))))
        for code, name, reach, speed, cabins in read_table("aircraft")
    }


def _cabin(told: str) -> tuple[Cabin, CabinLayout]:
    """Read a cabin as in `economy 4-26 AC-DF/4/12`."""
    name, rows, seats = told.split()
    (first, last), (row, *legroom) = rows.split("-"), seats.split("/")
    numbers = range(int(first), int(last) + 1)
    named = tuple(f"{number}{letter}" for number in numbers for letter in row.replace("-", ""))
    return cast(Cabin, name), CabinLayout(numbers, row, frozenset(map(int, legroom)), named)


def aircraft_for(km: int, smaller: int, *, low_cost: bool, chance: Chance) -> Aircraft:
    """Return what flies `km` between airports of which the smaller has size `smaller` (0 to 5)."""
    reach = {code: each.reach for code, each in fleet().items()}
    if low_cost and km <= reach["B737"]:
        code = "B737"
    elif km <= reach["ATR"] - 500 and smaller <= 1:
        code = "ATR"
    elif km <= reach["E190"] and smaller <= 2:
        code = "E190"
    elif km <= reach["A320"] - 400:
        code = "A320" if smaller < 5 else chance.pick(("A320", "A320", "A321", "B787"))
    elif km <= reach["A321"] - 400 and smaller <= 3:
        code = "A321"
    else:
        code = "A350" if km > reach["B787"] - 400 else chance.pick(("B787", "A350", "B777"))
    return fleet()[code]
