"""Offers of hotels, cars, activities and insurance, and the fields that every offer has."""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from memory.records.notes import Record
from travel.local_time import LocalTime
from travel.money import Money
from travel.queries import CarCategory, CoverPart, Interest


def _charged(price: Money) -> Money:
    if price.amount < 0:
        raise ValueError(f"A price is 0 or more, not {price}. What is paid back is a refund of a booking.")
    return price


Price = Annotated[Money, AfterValidator(_charged)]


class Offer(Record):
    """What every offer has. It is good until `expires_at`; `left` is how many there still are of it."""

    id: str
    source: str
    price: Price
    """For everybody and the whole time."""
    expires_at: LocalTime
    left: int = Field(ge=0)

    def earns_in(self, programme: str) -> bool:
        """Return True when it counts for a loyalty programme: its airline's or alliance's, its chain's or brand's.

        One name starts with the other, as "Marriott Bonvoy" does with "Marriott".
        """
        sold = [getattr(self, name, None) for name in ("airline", "alliance", "chain", "brand")]
        pairs = [(programme.casefold(), name.casefold()) for name in sold if name]
        return any(one.startswith(other) or other.startswith(one) for one, other in pairs)


class HotelOffer(Offer):
    """One kind of room at one rate. `price` is for all rooms and nights."""

    kind: Literal["hotel"] = "hotel"
    hotel_id: str
    name: str
    chain: str | None
    """The loyalty programme's house, as in "Marriott"; None for an independent hotel."""
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
    """Storeys of the house."""
    floor: int = Field(ge=1)
    """The floor of this room."""
    high_floor: bool
    """In the upper third of a house of five storeys or more."""
    check_in: LocalTime
    check_out: LocalTime
    nights: int
    rooms: int
    per_night: Price
    """For one room."""
    breakfast: bool
    free_cancellation_until: LocalTime | None
    """None when it can't be cancelled for free."""
    amenities: tuple[str, ...]


class CarOffer(Offer):
    """One car for some days. `price` is for all of them."""

    kind: Literal["car"] = "car"
    company: str
    category: CarCategory
    model: str
    city: str
    place: str
    """Where it stands: at the airport or downtown."""
    pick_up: LocalTime
    drop_off: LocalTime
    days: int
    per_day: Price
    seats: int
    bags: int
    automatic: bool
    daily_km: int | None
    """Kilometres a day that are included; None for no limit."""
    collision_cover: bool
    """Damage to the car is covered, but for `excess`."""
    excess: Price
    """What the driver pays of a damage."""
    free_cancellation_until: LocalTime | None


class ActivityOffer(Offer):
    """One thing to do at one time. `price` is for all people."""

    kind: Literal["activity"] = "activity"
    title: str
    interest: Interest
    city: str
    neighborhood: str
    starts: LocalTime
    other_days: tuple[date, ...]
    """Further days of the time asked for on which it takes place; ask for one to get its offer."""
    minutes: int
    people: int
    per_person: Price
    indoors: bool
    step_free: bool
    """It can be joined in a wheelchair."""
    least_age: int
    free_cancellation_until: LocalTime | None

    @property
    def ends(self) -> LocalTime:
        """When it is over."""
        return self.starts.after(self.minutes)


class Cover(Record):
    """One part of an insurance: up to `limit` for each traveller, of which they pay `excess` themselves."""

    part: CoverPart
    limit: Price
    excess: Price


class InsuranceOffer(Offer):
    """Cover for one journey. `price` is for all travellers."""

    kind: Literal["insurance"] = "insurance"
    company: str
    product: str
    level: Literal["basic", "standard", "premium"]
    covers: tuple[Cover, ...]
    starts: date
    ends: date
    travellers: int
