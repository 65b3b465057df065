"""Aircraft: their range, their cabins, and the one that flies a route."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, cast, get_args

from travel.queries import Cabin
from travel.sample.chance import Chance
from travel.tables import names, read_table


class CabinLayout(NamedTuple):
    """A cabin: its `seats`, as in "12A", and its pattern `row` of letters, with hyphens for aisles ("ABC-DEF")."""

    rows: range
    row: str
    legroom_rows: frozenset[int]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aircraft:
    """A type of aircraft. `reach` is in kilometres, `speed` in km/h; `cabins` are from economy upwards."""

    name: str
    reach: int
    speed: int
    cabins: Mapping[Cabin, CabinLayout] = field(hash=False)

    def best_cabin(self, wanted: Cabin) -> Cabin:
        """Return the wanted cabin, or the best one below it that this aircraft has."""
        rank = get_args(Cabin).index
        return [cabin for cabin in self.cabins if rank(cabin) <= rank(wanted)][-1]


@cache
def fleet() -> dict[str, Aircraft]:
    """Return all types of aircraft by code."""
    return {
        code: Aircraft(name, int(reach), int(speed), dict(map(_cabin, names(cabins))))
        for code, name, reach, speed, cabins in read_table("aircraft")
    }


def _cabin(text: str) -> tuple[Cabin, CabinLayout]:
    """Parse a cabin: its name, its rows, a row's pattern, and the rows with legroom: `economy 4-26 AC-DF/4/12`."""
    name, rows, seats = text.split()
    (first, last), (row, *legroom) = rows.split("-"), seats.split("/")
    numbers = range(int(first), int(last) + 1)
    ids = tuple(f"{number}{letter}" for number in numbers for letter in row.replace("-", ""))
    return cast(Cabin, name), CabinLayout(numbers, row, frozenset(map(int, legroom)), ids)


def aircraft_for(km: int, smaller: int, *, low_cost: bool, chance: Chance) -> Aircraft:
    """Return the aircraft for a route of `km`, whose smaller airport has size `smaller` (0 to 5)."""
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
