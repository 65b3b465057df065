"""Airlines with their alliances and hubs. Their names are labels of sample data."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Annotated, Literal, NamedTuple

from travel.sample.tables import Names, OrNone, read_rows


class Airline(NamedTuple):
    """An airline; a feeder serves what is too small for the others and works with all of them."""

    code: str
    name: str
    alliance: Annotated[str | None, OrNone]
    country: str
    kind: Literal["full", "low", "feeder"]
    hubs: Names

    def connects_with(self, other: Airline) -> bool:
        """Return True when one ticket may hold flights of both."""
        if self == other or "feeder" in (self.kind, other.kind):
            return True
        return self.alliance is not None and self.alliance == other.alliance


@cache
def airlines() -> dict[str, Airline]:
    """Return all airlines by code."""
    return {airline.code: airline for airline in read_rows("airlines", Airline)}


@cache
def airlines_at() -> dict[str, tuple[Airline, ...]]:
    """Return the airlines that are at home at each hub."""
    found: defaultdict[str, tuple[Airline, ...]] = defaultdict(tuple)
    for airline in airlines().values():
        for hub in airline.hubs:
            found[hub] += (airline,)
    return dict(found)
