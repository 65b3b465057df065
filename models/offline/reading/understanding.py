"""The data model of a message that was read: its clauses, each with an act and the values read from its words."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date, time
from typing import Literal

Kind = Literal["flight", "hotel", "car", "activity", "insurance"]
Act = Literal[
    "inform",  # gives details of a trip, or wants offers: "flights to Rome", "we're actually three", "with a pool"
    "choose",  # takes an offer without booking words: "the second one"
    "book", "hold", "cancel", "change", "bags", "seats",  # orders this for an offer or a booking
    "confirm", "reject",  # a yes, a no; a question is neither
    "ask",  # a question about offers, bookings, papers, money or the place; `topic` says what about
    "drop",  # takes back a part or a wish of the trip: "skip the car", "forget the pool"
    "undo",  # takes back the last change: "scratch that"
    "restart",  # drops the trip
    "tell",  # states something about oneself or others
    "greet", "thanks", "bye", "help", "complain", "chat",
]  # fmt: skip
Topic = Literal[
    "", "price", "total", "cheapest", "duration", "times", "stops", "bags", "seat", "meal", "airline", "cancellation",
    "payment", "change_fee", "refund", "breakfast", "stars", "features", "area", "distance", "rooms", "why", "best",
    "insurance", "documents", "money", "bookings", "reference", "calendar", "itinerary", "dates", "party", "weather",
    "place", "policy", "offer", "memory",
]  # fmt: skip
"""What a question is about; empty if unknown."""
Role = Literal["origin", "destination", "unsaid"]
"""The role of a place in a journey; `unsaid` if no word gives it."""
Per = Literal["person_night", "night", "person", "day", "total"]
"""What an amount of money covers, the most specific unit first."""
Sort = Literal["best", "cheapest", "fastest", "earliest", "latest", "central", "rating"]
Slot = Literal["destination", "origin", "dates", "end", "people", "which", "confirm"]
"""What the concierge asked for last: details, a choice between several things, or a confirmation."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place: its `name` for the travel tools ("Sao Paulo"), and as it was written in the message (`said`).

    `known` is True if the reader's lists have it. `either` marks one of several places, `others` are those before it.
    """

    name: str
    role: Role = "unsaid"
    said: str = ""
    known: bool = True
    either: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dates:
    """Travel dates: `start` is the day out, check-in or pick-up, `end` the day home, check-out or drop-off.

    Attributes:
        window: First and last possible day if no day is fixed ("in February", "the second week of January").
        nights: Length of the stay.
        flexible_days: By how many days the journey may shift.
        shift_start, shift_end: By how many days `start` and `end` move ("a day later": both, unless one was named).
        longer: By how many nights the stay grows, or shrinks when negative.
        same: True for "the same dates", "the whole time", "for those days".
        first: True for the dates that were given first ("back to the original dates").
    """

    start: date | None = None
    end: date | None = None
    window: tuple[date, date] | None = None
    nights: int | None = None
    flexible_days: int | None = None
    shift_start: int = 0
    shift_end: int = 0
    longer: int = 0
    one_way: bool = False
    round_trip: bool = False
    same: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """Who travels. `total` counts people of any age; `ages` are those of children, in years (0 under one year).

    `joins` means that these people come in addition to those before ("my mum wants to come too"), `leaves` that they
    don't come after all. `family` are words for the traveller's family without a count ("all of us", "the kids"),
    `unsure` is the name, or "he", of somebody who joins or leaves and may have been counted before ("without Emil").
    """

    total: int | None = None
    adults: int | None = None
    children: int | None = None
    infants: int | None = None
    ages: tuple[int, ...] = ()
    joins: bool = False
    leaves: bool = False
    family: str = ""
    unsure: str = ""
    teens: bool = field(default=False, compare=False)  # some of the adults are minors who pay adult fares


@dataclass(frozen=True, slots=True)
class Money:
    """An amount, its ISO currency code if one was named, what it covers, and the kind of offers that it is for."""

    amount: float
    currency: str | None = None
    per: Per | None = None
    of: Kind | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """Wishes for offers; None or empty if nothing was said. `dropped` names fields or features that were taken back.

    Hours are local: `depart_*` is about the way out, `return_*` about the way home, `arrive_before` and `home_before`
    about the arrival there and back home. `requests` can be passed on with a booking but not searched for ("bathtub").
    0 `rooms` means one for each adult. Any of the airlines will do; the companies and airports in `without` will not.
    """

    sort: Sort | None = None
    budget: Money | None = None
    cabin: Literal["economy", "premium_economy", "business", "first"] | None = None
    max_stops: int | None = None
    depart_after: time | None = None
    depart_before: time | None = None
    return_after: time | None = None
    return_before: time | None = None
    arrive_before: time | None = None
    home_before: time | None = None
    overnight: bool | None = None
    airline: tuple[str, ...] = ()
    bags: int | None = None
    seat: Literal["aisle", "window", "together", "front", "back", "legroom"] | None = None
    meal: str | None = None
    refundable: bool | None = None
    stars: int | None = None
    area: str | None = None
    chain: str | None = None
    rooms: int | None = None
    features: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    category: str | None = None
    interests: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    others: bool = False
    dropped: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def is_timed(self) -> bool:
        """Whether an hour of the way out or home is given."""
        return any(getattr(self, name) is not None for name in HOURS)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which offer or booking is meant. `ordinal` counts from 0, -1 is the last; `that` is the one just talked about.

    `compares` asks how offers differ: those at the positions `rows`, or all of them.
    """

    ordinal: int | None = None
    sort: Sort | None = None
    name: str = ""
    hour: time | None = None
    price: float | None = None
    reference: str = ""
    that: bool = False
    every: bool = False
    compares: bool = False
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """A sum to convert; a field is None if it is to be taken from earlier in the conversation ("and in usd?")."""

    amount: float | None = None
    source: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of an order, as a clause of its own; with `unless` it must not hold.

    `met` is True if it holds by the data of the offer, None if the data do not say.
    """

    said: Clause
    unless: bool = False
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a message with one act. `kinds` are the kinds of offers that it names, in order.

    `unread` are words that look like a wish or a detail and could not be read, `either` words that name several days to
    choose between. `leg` is the position of the journey that it names ("the last leg"). `onward` marks a clause that
    begins the next of several journeys, `another` one about another trip, `otherwise` an alternative to the one before
    it, `bare` one that names an offer and says nothing else. `seat_for` pairs `out`, `home` or `one` (traveller) with
    the side of a seat that is not for everybody, `one_way` a wish for one direction, which no search takes.
    """

    text: str
    act: Act
    kinds: tuple[Kind, ...] = ()
    topic: Topic = ""
    places: tuple[Place, ...] = ()
    dates: Dates | None = None
    party: Party | None = None
    wishes: Wishes = field(default_factory=Wishes)
    choice: Choice | None = None
    conversion: Conversion | None = None
    another: bool = False
    otherwise: bool = False
    condition: Condition | None = None
    either: tuple[str, ...] = ()
    leg: int | None = None
    onward: bool = False
    unread: tuple[str, ...] = ()
    seat_for: tuple[tuple[str, str], ...] = ()
    one_way: tuple[tuple[str, str], ...] = ()
    bare: bool = field(default=False, compare=False)

    @property
    def holds(self) -> frozenset[str]:
        """Return the names of the values that are present: fields of the clause and of its wishes.

        Fields of its choice have the prefix "which ", as in "which name". `days` is present if the dates give days or
        a length, `named` if a certain offer is meant.
        """
        names = {name for name in ("places", "dates", "party", "kinds", "conversion") if getattr(self, name)}
        names |= {name for name in WISHES if getattr(self.wishes, name) != getattr(_NO_WISHES, name)}
        if when := self.dates:
            names |= {"days"} if when.start or when.end or when.window or when.nights else set()
        if which := self.choice:
            names |= {f"which {each.name}" for each in fields(Choice) if getattr(which, each.name) != each.default}
            names |= {"named"} if names & _NAMING else set()
        return frozenset(names)


HOURS = ("depart_after", "depart_before", "return_after", "return_before", "arrive_before", "home_before")
"""The names of the wishes for hours."""
WISHES = frozenset(each.name for each in fields(Wishes))
"""The names of all wishes."""
_NO_WISHES = Wishes()
_NAMING = {"which ordinal", "which name", "which hour", "which price", "which reference"}


@dataclass(frozen=True, slots=True)
class Understanding:
    """One message: its language code and its clauses in order.

    `readable` is False for a language that the offline model does not support; there are no clauses then.
    """

    language: str
    clauses: tuple[Clause, ...] = ()
    readable: bool = True

    @property
    def is_courtesy(self) -> bool:
        """Return whether the message is only a greeting, thanks or a goodbye."""
        return {clause.act for clause in self.clauses} in ({"greet"}, {"thanks"}, {"bye"})


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """The state of the conversation in which a message is read: the date, the last question, the trip, the offers."""

    today: date
    asked: Slot | None = None
    start: date | None = None
    end: date | None = None
    days: frozenset[date] = frozenset()  # all on which the trip began or ended in the course of the conversation
    window: tuple[date, date] | None = None  # first and last possible day, while the trip has no fixed day
    one_way: bool = False
    journeys: int = 1  # planned together
    trip_open: bool = False
    counted: bool = False  # who travels was said
    offers_shown: bool = False
    booked: bool = False  # something was booked in this conversation
    flight_open: bool = False  # the trip has a flight that is not booked, or no part yet
    settled: bool = False  # something is booked and nothing else discussed, so that a change of mind is about that
    about: Kind | None = None  # the kind of offers talked about last, for words that name none ("a small one")
    currencies: tuple[str, str] = ("", "")  # ISO codes at the destination and at home, empty if unknown
    names: tuple[str, ...] = ()
    """Names of the hotels and airlines shown, so that "the Hyatt" is read as an offer, not as a place."""

    @property
    def former_days(self) -> frozenset[date]:
        """Days on which the trip began or ended before it was changed."""
        return self.days - {day for day in (self.start, self.end) if day}

    def goes_back(self, dates: Dates | None) -> bool:
        """Return whether a clause names a day that the trip had before it was changed ("no, Monday was fine")."""
        return dates is not None and dates.start in self.former_days and not dates.end
