"""What a message asks of offers and bookings, whatever its language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Act = Literal[
    "", "book", "hold", "cancel", "change", "bookings", "itinerary", "calendar", "convert", "details", "documents",
    "policy", "why", "total", "has",
]  # fmt: skip
Kind = Literal["flight", "hotel", "car", "activity", "insurance"]
KINDS: tuple[Kind, ...] = ("flight", "hotel", "car", "activity", "insurance")
Sort = Literal["best", "cheapest", "fastest", "earliest", "latest", "central", "rating"]
Cabin = Literal["economy", "premium_economy", "business", "first"]


@dataclass(frozen=True, slots=True)
class OfferRequest:
    """One message, as far as it is about offers and bookings; empty where it is not.

    Attributes:
        act: What is to be done beside searching.
        kinds: Kinds of things that it names, in the order of `KINDS`.
        yes: True for a yes, False for a no, None for neither.
        choice: Place of the option that it takes, from 0; -1 is the last one.
        sort: What it wants to come first.
        cabin: The cabin that it names.
        max_stops: The most stops in one direction.
        per_night: The most that a night may cost.
        area: The part of the city that a hotel is to be in.
        chain: The brand or chain that a hotel is to be of.
        features: What a hotel is to have, as in `breakfast` or `pool`.
        flexible_days: By how many days the journey may shift.
        other: True when it wants others than those shown.
        currency: The currency that it names, as in `JPY`.
        amount: A sum of money that it names for conversion.
        reference: The reference of a booking.
        seat: Where it wants to sit.
        bare: True when it wants no seats or bags added.
        whole: True when it means all of them ("cancel everything").
    """

    act: Act = ""
    kinds: tuple[Kind, ...] = ()
    yes: bool | None = None
    choice: int | None = None
    sort: Sort | None = None
    cabin: Cabin | None = None
    max_stops: int | None = None
    per_night: float | None = None
    area: str | None = None
    chain: str | None = None
    features: tuple[str, ...] = ()
    flexible_days: int | None = None
    other: bool = False
    currency: str | None = None
    amount: float | None = None
    reference: str | None = None
    seat: Literal["aisle", "window"] | None = None
    bare: bool = False
    whole: bool = False

    @property
    def refines(self) -> bool:
        """True when it wants other offers than those on the table."""
        wishes = (self.sort, self.cabin, self.max_stops, self.per_night, self.flexible_days)
        return self.other or self.of_hotels or any(wish is not None for wish in wishes)

    @property
    def of_hotels(self) -> bool:
        """True when it says what a hotel is to be like."""
        return self.act != "has" and bool(self.area or self.chain or self.features)
