"""Defines argument models of travel tools."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from travel.booking.pricing import MOST_BAGS
from travel.queries import Cabin, CarCategory, CoverPart, Interest
from travel.ranking.wishes import Wish

HotelFeature = Literal[
    "breakfast", "free cancellation", "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace",
    "family rooms", "parking", "rooftop bar", "pets welcome",
]  # fmt: skip
_MAX_AMOUNT = 1_000_000_000
"""Upper limit of amounts of money, in any currency."""
_LIMIT = Field(3, ge=1, le=10)
Reference = Annotated[str, Field(description="reference")]
"""The reference of a booking."""
Amount = Annotated[float, Field(ge=0, le=_MAX_AMOUNT)]
Bags = Annotated[int, Field(ge=1, le=MOST_BAGS)]


class FlightSearch(BaseModel):
    """Arguments of `search_flights`."""

    origin: str
    destination: str
    departing: date
    returning: date | None = None
    flexible_days: int = Field(0, ge=0, le=3)
    adults: int = Field(1, ge=1, le=9, description="12 and over")
    children: int = Field(0, ge=0, le=8, description="2 to 11")
    infants: int = Field(0, ge=0, le=9, description="under 2")
    cabin: Cabin = "economy"
    max_stops: int | None = Field(None, ge=0, le=3)
    sort: Literal["best", "cheapest", "fastest", "earliest", "latest"] = "best"
    limit: int = _LIMIT


class HotelSearch(BaseModel):
    """Arguments of `search_hotels`."""

    city: str
    check_in: date
    check_out: date
    guests: int = Field(1, ge=1, le=9)
    rooms: int = Field(1, ge=1, le=5)
    max_per_night: float | None = Field(None, gt=0, le=_MAX_AMOUNT, description="in the user's currency")
    area: str | None = Field(None, max_length=60)
    chain: str | None = Field(None, max_length=60)
    features: list[HotelFeature] = Field([])
    sort: Literal["best", "cheapest", "central", "rating"] = "best"
    limit: int = _LIMIT

    @property
    def needed(self) -> list[Wish]:
        """Return the area, chain and features as wishes that a room must meet."""
        codes = [f"area:{self.area}"] if self.area else []
        codes += [f"house:{self.chain}"] if self.chain else []
        codes += [_FEATURES.get(feature, f"amenity:{feature}") for feature in self.features]
        return [Wish(kind="hotel", code=code, text=code.partition(":")[2] or code.partition(":")[0]) for code in codes]


_FEATURES = {"breakfast": "breakfast", "free cancellation": "refundable"}


class CarSearch(BaseModel):
    """Arguments of `search_cars`."""

    city: str
    pick_up: date
    drop_off: date
    category: CarCategory | None = None
    limit: int = _LIMIT


class ActivitySearch(BaseModel):
    """Arguments of `search_activities`."""

    city: str
    first_day: date
    last_day: date
    people: int = Field(1, ge=1, le=9)
    interests: list[Interest] = Field([])
    limit: int = _LIMIT


class InsuranceSearch(BaseModel):
    """Arguments of `search_insurance`."""

    destination: str
    start: date
    end: date
    adults: int = Field(1, ge=1, le=9, description="12 and over")
    children: int = Field(0, ge=0, le=8)
    trip_cost: float | None = Field(None, gt=0, le=_MAX_AMOUNT)
    parts: list[CoverPart] = Field([])
    limit: int = _LIMIT


class SeatArgument(BaseModel):
    """One seat."""

    segment: int = Field(0, ge=0, le=7, description="from 0")
    seat: str = Field(pattern=r"^[1-9][0-9]?[A-K]$", description="as 12A")


class BookArguments(BaseModel):
    """Arguments of `book_offer`."""

    offer_id: str
    seats: list[SeatArgument] = Field([], max_length=36, description="from seat_map")
    extra_bags: int = Field(0, ge=0, le=MOST_BAGS)
    requests: list[str] = Field([], max_length=5, description="as `vegetarian meal`")


class SeatArguments(BaseModel):
    """Arguments of `choose_seats`."""

    booking: Reference
    seats: list[SeatArgument] = Field(min_length=1, max_length=36)
