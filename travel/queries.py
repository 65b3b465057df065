"""Search queries, one frozen model per kind of offer. The provider checks their dates."""

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from memory.records.notes import Record
from travel.money import Money

Cabin = Literal["economy", "premium_economy", "business", "first"]
Interest = Literal[
    "food", "art", "history", "nature", "music", "family", "sports", "nightlife", "wellness", "shopping",
    "architecture",
]  # fmt: skip
CoverPart = Literal["medical", "cancellation", "baggage", "delay", "car_rental"]
CarCategory = Literal["economy", "compact", "midsize", "suv", "van", "electric", "premium"]
PlaceName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Limit = Annotated[int, Field(ge=1, le=100)]

LONGEST_STAY = 60
"""Most days of one hotel stay or one car rental."""


class Party(Record):
    """The travellers: adults (12 and over), children (2 to 11), and infants, who sit on an adult's lap."""

    adults: int = Field(1, ge=1, le=9)
    children: int = Field(0, ge=0, le=8)
    infants: int = Field(0, ge=0, le=9)

    @model_validator(mode="after")
    def _fits_one_booking(self) -> Self:
        if self.seats > 9:
            raise ValueError(f"{self.seats} travellers need seats; at most 9 go into one booking")
        if self.infants > self.adults:
            raise ValueError(f"{self.infants} infants need as many adults, and there are {self.adults}")
        return self

    @property
    def seats(self) -> int:
        """Number of seats that they need."""
        return self.adults + self.children

    @property
    def size(self) -> int:
        """Number of travellers, including infants."""
        return self.seats + self.infants


class FlightQuery(Record):
    """Flights from one place to another; with `returning`, both ways as one offer."""

    origin: PlaceName
    destination: PlaceName
    departing: date
    returning: date | None = None
    flexible_days: int = Field(0, ge=0, le=3)
    """Also search this many days earlier and later; both dates move together, so the length of stay is the same."""
    party: Party = Party()
    cabin: Cabin = "economy"
    max_stops: int | None = Field(None, ge=0, le=3)
    """Most stops in one direction; None for no limit."""
    limit: Limit = 15
    """Most journeys; each is returned at all its fares."""


class HotelQuery(Record):
    """Rooms in a city for the nights from `check_in` to `check_out`."""

    city: PlaceName
    check_in: date
    check_out: date
    guests: int = Field(1, ge=1, le=9)
    rooms: int = Field(1, ge=1, le=5)
    limit: Limit = 15
    """Most hotels; each is returned with several rooms and rates."""


class CarQuery(Record):
    """A rental car from `pick_up` to `drop_off`, returned at the same location."""

    city: PlaceName
    pick_up: date
    drop_off: date
    category: CarCategory | None = None
    limit: Limit = 30


class ActivityQuery(Record):
    """Activities in a city between two days; empty `interests` means all."""

    city: PlaceName
    first_day: date
    last_day: date
    people: int = Field(1, ge=1, le=9)
    interests: tuple[Interest, ...] = ()
    limit: Limit = 30


class InsuranceQuery(Record):
    """Insurance for a journey. `trip_cost` is the amount that cancellation cover must insure."""

    destination: PlaceName
    start: date
    end: date
    party: Party = Party()
    trip_cost: Money | None = None
    parts: tuple[CoverPart, ...] = ()
    """Search only products that cover all of these."""
