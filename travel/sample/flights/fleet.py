"""Aircraft: how far they fly, how they are seated, and which one flies a route."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from travel.queries import Cabin
from travel.sample.chance import Chance

CABINS: tuple[Cabin, ...] = ("economy", "premium_economy", "business", "first")
"""From the back of the aircraft to the front."""


@dataclass(frozen=True, slots=True)
class CabinLayout:
    """Rows `first` to `last`, each seated like `row`: letters, with a hyphen for an aisle, as in "ABC-DEF"."""

    first: int
    last: int
    row: str
    legroom_rows: frozenset[int] = frozenset()

    @property
    def seats(self) -> int:
        """How many seats the cabin has."""
        return (self.last - self.first + 1) * len(self.row.replace("-", ""))

    def has(self, seat: str) -> bool:
        """Return True when there is a seat of that row and letter."""
        return self.first <= int(seat[:-1]) <= self.last and seat[-1] in self.row


@dataclass(frozen=True, slots=True)
class Aircraft:
    """A type of aircraft. `reach` is in kilometres, `speed` in kilometres an hour."""

    name: str
    reach: int
    speed: int
    cabins: Mapping[Cabin, CabinLayout] = field(hash=False)

    def best_cabin(self, wanted: Cabin) -> Cabin:
        """Return the cabin asked for, or the best below it that there is."""
        if wanted in self.cabins:
            return wanted
        below = CABINS[: CABINS.index(wanted)]
        return next(cabin for cabin in reversed(below) if cabin in self.cabins)


ATR = Aircraft("ATR 72-600", 1500, 480, {"economy": CabinLayout(1, 18, "AC-DF", frozenset({1}))})
E190 = Aircraft(
    "Embraer E190", 3600, 800,
    {"business": CabinLayout(1, 3, "A-DF"), "economy": CabinLayout(4, 26, "AC-DF", frozenset({4, 12}))},
)  # fmt: skip
A320 = Aircraft(
    "Airbus A320neo", 5000, 830,
    {"business": CabinLayout(1, 4, "AC-DF"), "economy": CabinLayout(5, 30, "ABC-DEF", frozenset({5, 11, 12}))},
)  # fmt: skip
B737 = Aircraft("Boeing 737-8", 5500, 830, {"economy": CabinLayout(1, 31, "ABC-DEF", frozenset({1, 15, 16}))})
A321 = Aircraft(
    "Airbus A321LR", 7200, 830,
    {"business": CabinLayout(1, 4, "AC-DF"), "economy": CabinLayout(5, 36, "ABC-DEF", frozenset({5, 17, 26}))},
)  # fmt: skip
B787 = Aircraft(
    "Boeing 787-9", 14100, 890,
    {
        "business": CabinLayout(1, 8, "A-DG-K"),
        "premium_economy": CabinLayout(20, 22, "AC-DEF-HK", frozenset({20})),
        "economy": CabinLayout(30, 54, "ABC-DEF-GHK", frozenset({30, 42})),
    },
)  # fmt: skip
A350 = Aircraft(
    "Airbus A350-900", 15600, 890,
    {
        "business": CabinLayout(1, 10, "A-DG-K"),
        "premium_economy": CabinLayout(20, 23, "AC-DEG-HK", frozenset({20})),
        "economy": CabinLayout(30, 55, "ABC-DEG-HJK", frozenset({30, 43})),
    },
)  # fmt: skip
B777 = Aircraft(
    "Boeing 777-300ER", 14300, 890,
    {
        "first": CabinLayout(1, 2, "A-DG-K"),
        "business": CabinLayout(5, 16, "A-DG-K"),
        "premium_economy": CabinLayout(20, 23, "AC-DEFG-HK", frozenset({20})),
        "economy": CabinLayout(30, 58, "ABC-DEFG-HJK", frozenset({30, 45})),
    },
)  # fmt: skip

FARTHEST = max(each.reach for each in (ATR, E190, A320, B737, A321, B787, A350, B777))


def aircraft_for(km: int, smaller: int, *, low_cost: bool, chance: Chance) -> Aircraft:
    """Return what flies `km` between airports of which the smaller has size `smaller` (0 to 5)."""
    if low_cost and km <= B737.reach:
        return B737
    if km <= ATR.reach - 500 and smaller <= 1:
        return ATR
    if km <= E190.reach and smaller <= 2:
        return E190
    if km <= A320.reach - 400:
        return A320 if smaller < 5 else chance.pick((A320, A320, A321, B787))
    if km <= A321.reach - 400 and smaller <= 3:
        return A321
    return A350 if km > B787.reach - 400 else chance.pick((B787, A350, B777))
