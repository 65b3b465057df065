"""Airlines with their alliances and hubs. Their names are labels of sample data."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from travel.sample.tables import names, read_table

AirlineKind = Literal["full", "low", "feeder"]
_KINDS: dict[str, AirlineKind] = {kind: kind for kind in get_args(AirlineKind)}


@dataclass(frozen=True, slots=True)
class Airline:
    """An airline; a feeder serves what is too small for the others and works with all of them."""

    code: str
    name: str
    alliance: str | None
    country: str
    kind: AirlineKind
    hubs: tuple[str, ...]

    def connects_with(self, other: Airline) -> bool:
        """Return True when one ticket may hold flights of both."""
        if self == other or "feeder" in (self.kind, other.kind):
            return True
        return self.alliance is not None and self.alliance == other.alliance


@cache
def airlines() -> dict[str, Airline]:
    """Return all airlines by code."""
    return {row[0]: _airline(row) for row in read_table("airlines")}


def _airline(row: list[str]) -> Airline:
    code, name, alliance, country, kind, hubs = row
    return Airline(code, name, alliance or None, country, _KINDS[kind], names(hubs))


@cache
def airlines_at() -> dict[str, tuple[Airline, ...]]:
    """Return the airlines that are at home at each hub."""
    found: defaultdict[str, list[Airline]] = defaultdict(list)
    for airline in airlines().values():
        for hub in airline.hubs:
            found[hub].append(airline)
    return {hub: tuple(based) for hub, based in found.items()}
