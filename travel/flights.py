"""Flights on offer: segments with local times, the fare with its rules, and seats."""

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
    """One take-off and landing."""

    airline: str
    """Name, as in "Air Portugal"."""
    airline_code: str
    flight_number: str
    """With the airline's code, as in "TP1351"."""
    origin: str
    """IATA code of the airport."""
    destination: str
    origin_city: str
    destination_city: str
    origin_country: str = ""
    """Two letters of ISO 3166; empty in what earlier versions booked."""
    destination_country: str = ""
    departs: LocalTime
    arrives: LocalTime
    minutes: int
    """In the air and on the ground between the doors' closing and opening."""
    day_offset: int
    """1 when it lands on the next day by the clock there, -1 across the date line."""
    aircraft: str
    cabin: Cabin
    """Where one sits: the cabin asked for, or the best below it that this aircraft has."""

    @property
    def overnight(self) -> bool:
        """True when somebody would sleep aboard: in the air at 2 in the morning by the clock of the origin."""
        start = self.departs.at.hour * 60 + self.departs.at.minute
        wait = (2 * 60 - start) % (24 * 60)
        return self.minutes >= 180 and wait < self.minutes

    @model_validator(mode="after")
    def _times_agree(self) -> Self:
        if self.minutes <= 0 or self.departs.minutes_to(self.arrives) != self.minutes:
            raise ValueError(f"{self.flight_number} takes {self.minutes} minutes, which is not what its times say")
        if self.day_offset != self.departs.days_to(self.arrives):
            raise ValueError(f"{self.flight_number} does not land {self.day_offset} days later")
        return self


class Slice(Record):
    """One direction of a journey: a segment, or several with stops between."""

    segments: tuple[Segment, ...] = Field(min_length=1, max_length=4)

    @property
    def departs(self) -> LocalTime:
        """When it starts."""
        return self.segments[0].departs

    @property
    def arrives(self) -> LocalTime:
        """When it ends."""
        return self.segments[-1].arrives

    @property
    def minutes(self) -> int:
        """From door to door, stops included."""
        return self.departs.minutes_to(self.arrives)

    @property
    def stops(self) -> int:
        """How often one changes."""
        return len(self.segments) - 1

    @property
    def day_offset(self) -> int:
        """1 when it ends on the next day by the clock there."""
        return self.departs.days_to(self.arrives)

    @property
    def layovers(self) -> tuple[tuple[str, int], ...]:
        """Airport and minutes of each stop."""
        pairs = zip(self.segments, self.segments[1:], strict=False)
        return tuple((before.destination, before.arrives.minutes_to(after.departs)) for before, after in pairs)


class FareRules(Record):
    """What the fare allows. Fees are for each traveller."""

    changeable: bool
    change_fee: Money | None
    """None when it can't be changed; zero when changing is free. A difference in fare comes on top."""
    refundable: bool
    refund_fee: Money | None
    """Kept of the price when cancelled before departure; None when nothing is paid back."""
    grace_hours: int
    """Hours after booking in which cancelling costs nothing, for departures at least seven days away."""
    carry_on_bags: int
    checked_bags: int
    bag_fee: Money
    """For one more checked bag in one direction."""
    seat_choice: Literal["free", "paid", "at check-in"]
    seat_fee: Money
    """For choosing a seat on one segment; zero where it is free."""


class Fare(Record):
    """One price of a seat: its family and rules."""

    family: FareFamily
    name: str
    """As it is sold, as in "Economy Standard"."""
    rules: FareRules


class PassengerPrice(Record):
    """What travellers of one type pay each, both directions together."""

    type: PassengerType
    count: int
    each: Money


class FlightOffer(Offer):
    """Flights there, or there and back, at one fare. `price` is for all travellers; `left` the seats in the cabin."""

    kind: Literal["flight"] = "flight"
    itinerary: str
    """The same for all fares of the same flights."""
    airline: str
    """Of the longest segment."""
    airline_code: str
    alliance: str | None
    cabin: Cabin
    fare: Fare
    slices: tuple[Slice, ...] = Field(min_length=1, max_length=2)
    party: Party
    prices: tuple[PassengerPrice, ...]

    @property
    def outbound(self) -> Slice:
        """The way there."""
        return self.slices[0]

    @property
    def inbound(self) -> Slice | None:
        """The way back, of a return."""
        return self.slices[1] if len(self.slices) > 1 else None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments in the order flown; seats are chosen by their place in this."""
        return tuple(segment for each in self.slices for segment in each.segments)

    @property
    def stops(self) -> int:
        """The most changes in one direction."""
        return max(each.stops for each in self.slices)

    @property
    def minutes(self) -> int:
        """Travelling time, both directions together."""
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
    """Which segment of the offer, from 0."""
    flight_number: str
    seats: tuple[Seat, ...]

    def free(self, position: Literal["window", "middle", "aisle"] | None = None) -> tuple[Seat, ...]:
        """Return seats that can be had, of one position or of any."""
        return tuple(seat for seat in self.seats if seat.free and position in (None, seat.position))
