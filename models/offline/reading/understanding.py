"""What one message says, as data: clauses with an act each, and the values that were read out of their words."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date, time
from typing import Literal

Kind = Literal["flight", "hotel", "car", "activity", "insurance"]
Act = Literal[
    "inform",  # says something of a trip, or wants offers: "flights to Rome", "we're actually three", "with a pool"
    "choose",  # takes an offer without booking words: "the second one"
    "book", "hold", "cancel", "change", "bags", "seats",  # wants it done to an offer or a booking
    "confirm", "reject",  # a yes, a no; a question is neither
    "ask",  # a question about offers, bookings, papers, money or the place; `topic` says what about
    "drop",  # takes back a part or a wish of the trip: "skip the car", "forget the pool"
    "undo",  # takes back what was changed last: "scratch that"
    "restart",  # drops the trip
    "tell",  # says something of oneself or of others
    "greet", "thanks", "bye", "help", "complain", "chat",
]  # fmt: skip
Topic = Literal[
    "", "price", "total", "cheapest", "duration", "times", "stops", "bags", "seat", "meal", "airline", "cancellation",
    "payment", "change_fee", "refund", "breakfast", "stars", "features", "area", "distance", "rooms", "why", "best",
    "insurance", "documents", "money", "bookings", "reference", "calendar", "itinerary", "dates", "party", "weather",
    "place", "policy", "offer",
]  # fmt: skip
"""What a question is about; empty where that is not known."""
Role = Literal["origin", "destination", "unsaid"]
"""Where a named place belongs."""
Per = Literal["person_night", "night", "person", "day", "total"]
"""What a sum is for; the most that is said goes first."""
Sort = Literal["best", "cheapest", "fastest", "earliest", "latest", "central", "rating"]
Slot = Literal["destination", "origin", "dates", "end", "people", "which", "confirm"]
"""What the concierge asked for last: details, which of several things, or a yes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place under the name that the travel tools take ("Sao Paulo"), `said` as it stands in the message.

    `known` tells whether the reader's lists have it, `either` that it is one of several, `others` those before it.
    """

    name: str
    role: Role = "unsaid"
    said: str = ""
    known: bool = True
    either: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dates:
    """When. `start` is the day out, check-in or pick-up, `end` the day home, check-out or drop-off.

    Attributes:
        window: First and last possible day where only that was said ("in February", "the second week of January").
        nights: Length of the stay.
        flexible_days: By how many days it may shift.
        shift_start, shift_end: By how many days they move ("a day later": both, unless one was named).
        longer: By how many nights the stay grows, or shrinks when negative.
        same: True for "the same dates", "the whole time", "for those days".
        first: True for the days that were said first ("back to the original dates").
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
    """Who travels. `total` is a count without ages; `ages` are those of children, in years (0 under one year).

    `joins` says that these people come on top of those before ("my mum wants to come too"), `leaves` that they
    don't come after all. `family` are words that name one's own without counting them ("all of us", "the kids"),
    `unsure` is the name of somebody who comes or stays away, and may have been counted before ("without Emil").
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
    teens: bool = field(default=False, compare=False)  # among the adults are some who are so in travel only


@dataclass(frozen=True, slots=True)
class Money:
    """An amount, its currency as said (ISO code), what it is for, and the part `of` the trip named beside it."""

    amount: float
    currency: str | None = None
    per: Per | None = None
    of: Kind | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """What offers are to be like. None and empty where nothing was said; `dropped` names fields or features taken back.

    Hours are local: `depart_after` of the way out, `return_after` of the way home; `arrive_before`, `home_before` when
    one is there, and at home again. `requests` can be asked for with the booking but not searched by ("bathtub").
    No `rooms` (0) are one for each adult. Any one of `airline` will do; nothing is wanted of those named in `without`.
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
        """True where an hour of the way out or home is said."""
        return any(getattr(self, name) is not None for name in HOURS)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which offer or booking is meant. `ordinal` counts from 0, -1 is the last; `that` is the one talked about.

    `compares` asks how offers differ: those at the places `rows`, or all of them.
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
    """A sum to convert; None where the question leaves it to what was said before ("and in usd?")."""

    amount: float | None = None
    source: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """What an order hangs on, as a clause of its own; `unless` says that it must not hold.

    `met` says whether it holds by the data of the offer meant, None where they don't tell.
    """

    said: Clause
    unless: bool = False
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a message with one act. `kinds` are what it names, in the order said.

    `unread` are stretches of its words that look like a wish or a detail and could not be read, `either` those that
    name several days to choose between, `later` those of the journeys that come after the one it tells of. `another`
    says that it is about a trip of its own beside the one under way ("for my other trip"), `otherwise` that it holds
    only where the clause before it can't be had ("the easyJet one, else the cheapest"). `seat_for` are the sides of
    seats that are not for all, beside `out`, `home` or `one` traveller.
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
    later: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    seat_for: tuple[tuple[str, str], ...] = ()

    @property
    def holds(self) -> frozenset[str]:
        """Return the names of its values: `places`, `dates`, `party`, `kinds`, `conversion`, and those of its wishes.

        Those of its choice begin with "which ", as in "which name". `days` says that the dates name days or a length,
        `named` that a certain offer is meant.
        """
        found = {name for name in ("places", "dates", "party", "kinds", "conversion") if getattr(self, name)}
        found |= {name for name in WISHES if getattr(self.wishes, name) != getattr(_NO_WISHES, name)}
        if when := self.dates:
            found |= {"days"} if when.start or when.end or when.window or when.nights else set()
        if which := self.choice:
            found |= {f"which {each.name}" for each in fields(Choice) if getattr(which, each.name) != each.default}
            found |= {"named"} if found & _NAMING else set()
        return frozenset(found)


HOURS = ("depart_after", "depart_before", "return_after", "return_before", "arrive_before", "home_before")
"""The names of the wishes for hours."""
WISHES = frozenset(each.name for each in fields(Wishes))
"""The names of all wishes."""
_NO_WISHES = Wishes()
_NAMING = {"which ordinal", "which name", "which hour", "which price", "which reference"}


@dataclass(frozen=True, slots=True)
class Understanding:
    """One message: its clauses in their order, none for an empty one, and the language that it is written in.

    `readable` is False for a language that the offline model does not read; then there are no clauses.
    """

    language: str
    clauses: tuple[Clause, ...] = ()
    readable: bool = True

    @property
    def is_courtesy(self) -> bool:
        """Return whether the message only greets, thanks or takes leave, and so tells nothing."""
        return {clause.act for clause in self.clauses} in ({"greet"}, {"thanks"}, {"bye"})


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What a message is read against: the day, what was asked last, the dates under way, the names on the table."""

    today: date
    asked: Slot | None = None
    start: date | None = None
    end: date | None = None
    days: frozenset[date] = frozenset()
    """The days on which the trip has begun or ended so far."""
    window: tuple[date, date] | None = None
    """The possible days under way, where the trip has no day yet ("in February")."""
    one_way: bool = False
    trip_open: bool = False
    offers_shown: bool = False
    booked: bool = False
    """True where something is booked in this conversation."""
    settled: bool = False
    """True where something is booked and nothing else is on the table: second thoughts are of what is booked."""
    about: Kind | None = None
    """The kind of offers talked about last, for words that say none ("a small one")."""
    names: tuple[str, ...] = ()
    """Names of the hotels and airlines shown, so that "the Hyatt" is an offer and no place."""

    @property
    def former_days(self) -> frozenset[date]:
        """Days on which the trip began or ended before it was changed."""
        return self.days - {day for day in (self.start, self.end) if day}

    def goes_back(self, dates: Dates | None) -> bool:
        """Return whether a clause names a day that the trip had before it was changed ("no, Monday was fine")."""
        return dates is not None and dates.start in self.former_days and not dates.end
