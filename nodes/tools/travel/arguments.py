"""What the model passes to the travel tools. Dates are YYYY-MM-DD; wrong values get an answer to act on."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, Field

from travel.booking.pricing import MOST_BAGS
from travel.queries import Cabin, CarCategory, CoverPart, Interest
from travel.ranking.wish import Wish

HotelFeature = Literal[
    "breakfast", "free cancellation", "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace",
    "family rooms", "parking", "rooftop bar", "pets welcome",
]  # fmt: skip
_MOST = 1_000_000_000
"""More than anybody pays, in any currency."""
_LIMIT = Field(3, ge=1, le=10, description="Most results.")


class FlightSearch(BaseModel):
    """Arguments of `search_flights`."""

    origin: str = Field(description="City or airport to leave from.")
    destination: str = Field(description="City or airport to go to.")
    departing: date = Field(description="Day of departure.")
    returning: date | None = Field(None, description="Day of return; null for one way.")
    flexible_days: int = Field(0, ge=0, le=3, description="So many days earlier or later will do as well.")
    adults: int = Field(1, ge=1, le=9, description="Travellers of 12 and over.")
    children: int = Field(0, ge=0, le=8, description="Travellers of 2 to 11.")
    infants: int = Field(0, ge=0, le=9, description="Under 2, on a lap.")
    cabin: Cabin = Field("economy", description="Cabin.")
    max_stops: int | None = Field(None, ge=0, le=3, description="Most stops in one direction; null for any.")
    sort: Literal["best", "cheapest", "fastest", "earliest", "latest"] = Field(
        "best", description="`best` weighs the traveller's wishes, price and time."
    )
    limit: int = _LIMIT


class HotelSearch(BaseModel):
    """Arguments of `search_hotels`."""

    city: str = Field(description="City.")
    check_in: date = Field(description="Day of arrival.")
    check_out: date = Field(description="Day of departure.")
    guests: int = Field(1, ge=1, le=9, description="Guests in all.")
    rooms: int = Field(1, ge=1, le=5, description="Rooms.")
    max_per_night: float | None = Field(
        None, gt=0, le=_MOST, description="Most for a room and night, in the user's currency."
    )
    area: str | None = Field(None, max_length=60, description="Only in this part of the city, as Alfama; null for any.")
    chain: str | None = Field(
        None, max_length=60, description="Only of this brand or chain, as Marriott; null for any."
    )
    features: list[HotelFeature] = Field([], description="Only with all of these.")
    sort: Literal["best", "cheapest", "central", "rating"] = Field("best", description="What comes first.")
    limit: int = _LIMIT

    @property
    def needed(self) -> list[Wish]:
        """Area, chain and features as wishes that a room has to meet."""
        codes = [f"area:{self.area}"] if self.area else []
        codes += [f"house:{self.chain}"] if self.chain else []
        codes += [_FEATURES.get(each, f"amenity:{each}") for each in self.features]
        return [Wish(kind="hotel", code=code, text=code.partition(":")[2] or code.partition(":")[0]) for code in codes]


_FEATURES = {"breakfast": "breakfast", "free cancellation": "refundable"}


class CarSearch(BaseModel):
    """Arguments of `search_cars`."""

    city: str = Field(description="City.")
    pick_up: date = Field(description="First day.")
    drop_off: date = Field(description="Last day.")
    category: CarCategory | None = Field(None, description="Kind of car; null for any.")
    limit: int = _LIMIT


class ActivitySearch(BaseModel):
    """Arguments of `search_activities`."""

    city: str = Field(description="City.")
    first_day: date = Field(description="First day there.")
    last_day: date = Field(description="Last day there.")
    people: int = Field(1, ge=1, le=9, description="How many.")
    interests: list[Interest] = Field([], description="Only these; empty for all.")
    limit: int = _LIMIT


class InsuranceSearch(BaseModel):
    """Arguments of `search_insurance`."""

    destination: str = Field(description="City that is travelled to.")
    start: date = Field(description="First day of the journey.")
    end: date = Field(description="Last day of the journey.")
    adults: int = Field(1, ge=1, le=9, description="Travellers of 12 and over.")
    children: int = Field(0, ge=0, le=8, description="Travellers under 12.")
    trip_cost: float | None = Field(None, gt=0, le=_MOST, description="What the journey costs, in the user's currency.")
    parts: list[CoverPart] = Field([], description="Only products with all of these; empty for any.")
    limit: int = _LIMIT


class OfferArguments(BaseModel):
    """Arguments of `offer_details`, `seat_map` and `hold_offer`."""

    offer_id: str = Field(description="The id of a search result, copied exactly.")


class ListBookings(BaseModel):
    """Arguments of `list_bookings`."""

    include_cancelled: bool = Field(False, description="Cancelled ones too.")


class SomeBooking(BaseModel):
    """Arguments of `show_itinerary` and `export_calendar`."""

    booking: str | None = Field(None, description="Reference of one booking, as TC-7F3K9Q; null for all of them.")


class DocumentArguments(BaseModel):
    """Arguments of `check_documents`."""

    destination: str = Field(description="City that is travelled to.")
    start: date = Field(description="First day there.")
    end: date = Field(description="Last day there.")


class ConvertArguments(BaseModel):
    """Arguments of `convert_money`."""

    amount: float = Field(ge=0, le=_MOST, description="How much.")
    source: str = Field(description="Currency it is in, as EUR.")
    target: str = Field(description="Currency it is wanted in, as JPY.")


class PolicyArguments(BaseModel):
    """Arguments of `booking_policy`. One is needed: a tool without any would not be handed the run's context."""

    topic: Literal["all", "cancelling", "changing", "approval", "payment"] = Field("all", description="What about.")


class SeatArgument(BaseModel):
    """One seat."""

    segment: int = Field(0, ge=0, le=7, description="Which segment of the journey, from 0.")
    seat: str = Field(pattern=r"^[1-9][0-9]?[A-K]$", description="Row and letter, as 12A.")


class BookArguments(BaseModel):
    """Arguments of `book_offer`."""

    offer_id: str = Field(description="The id of a search result, copied exactly.")
    seats: list[SeatArgument] = Field([], max_length=36, description="Seats on a flight, from seat_map; may be empty.")
    extra_bags: int = Field(0, ge=0, le=MOST_BAGS, description="More checked bags than the fare includes.")
    requests: list[str] = Field(
        [], max_length=5, description="Special requests, as 'vegetarian meal' or 'wheelchair at the airport'."
    )


class ChangeArguments(BaseModel):
    """Arguments of `change_booking`."""

    booking: str = Field(description="Reference of the booked flight, as TC-7F3K9Q.")
    new_offer_id: str = Field(description="The id of the flight that replaces it.")


class BookingArguments(BaseModel):
    """Arguments of `cancel_booking`."""

    booking: str = Field(description="Reference of the booking, as TC-7F3K9Q.")


class BagArguments(BaseModel):
    """Arguments of `add_bags`."""

    booking: str = Field(description="Reference of the booked flight.")
    bags: int = Field(ge=1, le=MOST_BAGS, description="How many more.")


class SeatArguments(BaseModel):
    """Arguments of `choose_seats`."""

    booking: str = Field(description="Reference of the booked flight.")
    seats: list[SeatArgument] = Field(min_length=1, max_length=36, description="The seats, from seat_map.")
