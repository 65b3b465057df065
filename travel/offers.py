"""Offers of hotels, cars, activities and insurance, and their common fields."""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from memory.records.notes import Record
from travel.local_time import LocalTime
from travel.money import Money
from travel.queries import CarCategory, CoverPart, Interest


def _not_negative(price: Money) -> Money:
    if price.amount < 0:
        raise ValueError(f"A price is 0 or more, not {price}. What is paid back is a refund of a booking.")
    return price


Price = Annotated[Money, AfterValidator(_not_negative)]


class Offer(Record):
    """The common fields of offers. An offer is valid until `expires_at`; `left` is how many are available."""

    id: str
    source: str
    price: Price
    """Total for all travellers and all days."""
    expires_at: LocalTime
    left: int = Field(ge=0)

    def earns_in(self, programme: str) -> bool:
        """Return True if the loyalty programme is the one of its airline, alliance, hotel chain or brand.

        The two names match if one starts with the other, as "Marriott Bonvoy" does with "Marriott".
        """
        sellers = [getattr(self, name, None) for name in ("airline", "alliance", "chain", "brand")]
        pairs = [(programme.casefold(), seller.casefold()) for seller in sellers if seller]
        return any(one.startswith(other) or other.startswith(one) for one, other in pairs)


class HotelOffer(Offer):
    """A kind of room at one rate. `price` is for all rooms and nights."""

    kind: Literal["hotel"] = "hotel"
    hotel_id: str
    name: str
    chain: str | None
    """The chain with the loyalty programme, as in "Marriott"; None for an independent hotel."""
    brand: str | None
    city: str
    country: str
    neighborhood: str
    centre_km: float
    """Distance from the centre of the city."""
    stars: int = Field(ge=1, le=5)
    guest_score: float = Field(ge=0, le=10)
    room: Literal["standard", "superior", "deluxe", "suite"]
    bed: Literal["king", "queen", "double", "twin"]
    floors: int = Field(ge=1)
    """Floors of the building."""
    floor: int = Field(ge=1)
    """The floor of this room."""
    high_floor: bool
    """In the upper third of a building with five or more floors."""
    check_in: LocalTime
    check_out: LocalTime
    nights: int
    rooms: int
    per_night: Price
    """For one room."""
    breakfast: bool
    free_cancellation_until: LocalTime | None
    """None if cancellation is never free."""
    amenities: tuple[str, ...]


class CarOffer(Offer):
    """A rental car. `price` is for all days."""

    kind: Literal["car"] = "car"
    company: str
    category: CarCategory
    model: str
    city: str
    place: str
    """Pick-up location: at the airport or downtown."""
    pick_up: LocalTime
    drop_off: LocalTime
    days: int
    per_day: Price
    seats: int
    bags: int
    automatic: bool
    daily_km: int | None
    """Included kilometres per day; None for no limit."""
    collision_cover: bool
    """Damage to the car is insured, except for `excess`."""
    excess: Price
    """The part of a damage that the driver pays."""
    free_cancellation_until: LocalTime | None


class ActivityOffer(Offer):
    """An activity at one time. `price` is for all people."""

    kind: Literal["activity"] = "activity"
    title: str
    interest: Interest
    city: str
    neighborhood: str
    starts: LocalTime
    other_days: tuple[date, ...]
    """Other days in the requested period on which it takes place; search for one of them to get its offer."""
    minutes: int
    people: int
    per_person: Price
    indoors: bool
    step_free: bool
    """Accessible by wheelchair."""
    least_age: int
    free_cancellation_until: LocalTime | None

    @property
    def ends(self) -> LocalTime:
        """When it ends."""
        return self.starts.after(self.minutes)


class Cover(Record):
    """One part of an insurance: pays up to `limit` per traveller, who bears `excess`."""

    part: CoverPart
    limit: Price
    excess: Price


class InsuranceOffer(Offer):
    """Insurance for one journey. `price` is for all travellers."""

    kind: Literal["insurance"] = "insurance"
    company: str
    product: str
    level: Literal["basic", "standard", "premium"]
    covers: tuple[Cover, ...]
    starts: date
    ends: date
    travellers: int
