"""Flight offers: segments with local times, fares with their rules, and seats."""

from typing import Literal, Self

from pydantic import Field, model_validator

from memory.records.notes import Record
from travel.local_time import LocalTime
from travel.money import Money
from travel.offers import Offer
from travel.queries import Cabin, Party

FareFamily = Literal["basic", "standard", "flex"]
PassengerType = Literal["adult", "child", "infant"]


class Segment(Record):
    """One flight without a stop."""

    airline: str
    """Name, as in "Air Portugal"."""
    airline_code: str
    flight_number: str
    """Including the airline's code, as in "TP1351"."""
    origin: str
    """IATA code of the airport."""
    destination: str
    origin_city: str
    destination_city: str
    origin_country: str = ""
    """ISO 3166 code of two letters; empty in bookings of earlier versions."""
    destination_country: str = ""
    departs: LocalTime
    arrives: LocalTime
    minutes: int
    """From gate to gate."""
    day_offset: int
    """1 if it lands on the next day, local time; -1 if it lands a day earlier, across the date line."""
    aircraft: str
    cabin: Cabin
    """The requested cabin, or the best one below it that this aircraft has."""

    @property
    def overnight(self) -> bool:
        """True if it takes 3 hours or more and is under way at 2 am, in the time zone of the origin."""
        start = self.departs.at.hour * 60 + self.departs.at.minute
        until_2_am = (2 * 60 - start) % (24 * 60)
        return self.minutes >= 180 and until_2_am < self.minutes

    @model_validator(mode="after")
    def _times_agree(self) -> Self:
        if self.minutes <= 0 or self.departs.minutes_to(self.arrives) != self.minutes:
            raise ValueError(f"{self.flight_number} takes {self.minutes} minutes, which is not what its times say")
        if self.day_offset != self.departs.days_to(self.arrives):
            raise ValueError(f"{self.flight_number} does not land {self.day_offset} days later")
        return self


class Slice(Record):
    """One direction of a journey: one segment, or several with stops between them."""

    segments: tuple[Segment, ...] = Field(min_length=1, max_length=4)

    @property
    def departs(self) -> LocalTime:
        """Departure of the first segment."""
        return self.segments[0].departs

    @property
    def arrives(self) -> LocalTime:
        """Arrival of the last segment."""
        return self.segments[-1].arrives

    @property
    def minutes(self) -> int:
        """Duration, including stops."""
        return self.departs.minutes_to(self.arrives)

    @property
    def stops(self) -> int:
        """Number of stops between the segments."""
        return len(self.segments) - 1

    @property
    def day_offset(self) -> int:
        """1 if it ends on the next day, local time."""
        return self.departs.days_to(self.arrives)

    @property
    def layovers(self) -> tuple[tuple[str, int], ...]:
        """Airport and minutes of each stop."""
        pairs = zip(self.segments, self.segments[1:], strict=False)
        return tuple((before.destination, before.arrives.minutes_to(after.departs)) for before, after in pairs)


class FareRules(Record):
    """The rules of a fare. Fees are per traveller."""

    changeable: bool
    change_fee: Money | None
    """None if it can't be changed; zero if changing is free. A higher fare of the new flight is charged on top."""
    refundable: bool
    refund_fee: Money | None
    """Deducted from the refund on cancellation before departure; None if there is no refund."""
    grace_hours: int
    """Hours after booking in which cancellation is free, for departures at least seven days away."""
    carry_on_bags: int
    checked_bags: int
    bag_fee: Money
    """For one extra checked bag in one direction."""
    seat_choice: Literal["free", "paid", "at check-in"]
    seat_fee: Money
    """For choosing a seat on one segment; zero if that is free."""


class Fare(Record):
    """A fare: its family and rules."""

    family: FareFamily
    name: str
    """Product name, as in "Economy Standard"."""
    rules: FareRules


class PassengerPrice(Record):
    """The price per traveller of one type, for both directions together."""

    type: PassengerType
    count: int
    each: Money


class FlightOffer(Offer):
    """A one-way or return journey at one fare. `price` is for all travellers, `left` counts seats in the cabin."""

    kind: Literal["flight"] = "flight"
    itinerary: str
    """Identifies the flights; all their fares have the same one."""
    airline: str
    """Airline of the longest segment."""
    airline_code: str
    alliance: str | None
    cabin: Cabin
    fare: Fare
    slices: tuple[Slice, ...] = Field(min_length=1, max_length=2)
    party: Party
    prices: tuple[PassengerPrice, ...]

    @property
    def outbound(self) -> Slice:
        """The outbound direction."""
        return self.slices[0]

    @property
    def inbound(self) -> Slice | None:
        """The inbound direction; None for a one-way journey."""
        return self.slices[1] if len(self.slices) > 1 else None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments in order; `SeatChoice.segment` is an index into them."""
        return tuple(segment for each in self.slices for segment in each.segments)

    @property
    def stops(self) -> int:
        """Stops in the direction that has more of them."""
        return max(each.stops for each in self.slices)

    @property
    def minutes(self) -> int:
        """Travel time of both directions together."""
        return sum(each.minutes for each in self.slices)


class Seat(Record):
    """One seat of a cabin."""

    id: str
    """Row and letter, as in "12A"."""
    row: int
    position: Literal["window", "middle", "aisle"]
    part: Literal["front", "middle", "back"]
    """Third of the cabin."""
    extra_legroom: bool
    free: bool


class SeatMap(Record):
    """The seats of the booked cabin on one segment, front to back and left to right."""

    segment: int
    """Index into `FlightOffer.segments`."""
    flight_number: str
    seats: tuple[Seat, ...]

    def free(self, position: Literal["window", "middle", "aisle"] | None = None) -> tuple[Seat, ...]:
        """Return the free seats, optionally only those in one position."""
        return tuple(seat for seat in self.seats if seat.free and position in (None, seat.position))
