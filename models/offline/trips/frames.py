"""What is known of the trips that are talked about: a frame for each part, each slot with where its value came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from models.offline.reading.understanding import Kind, Role
from models.offline.trips.offers import Offer

Source = Literal["said", "home", "note", "proposed"]
"""Said by the traveller; their home; a remembered note; proposed within a window."""
Status = Literal["open", "booked", "dropped"]
SHARED = ("origin", "destination", "start", "end", "nights", "party", "one_way", "flexible_days", "window", "later")
"""Slots that the parts of a trip have in common, unless a part has its own."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value, where it came from, the turn in which it did, the value that was said first, and the one before it."""

    value: Any
    source: Source = "said"
    turn: int = field(default=0, compare=False)
    first: Any = None
    former: Any = field(default=None, compare=False)


Slots = Mapping[str, Slot]


def _filled(slots: Slots, turn: int, source: Source, values: Mapping[str, Any]) -> Slots:
    """Return slots with `values` said anew, each with the value of the turn in which it was said first.

    What was only proposed is no value that was said.
    """
    kept = {name: slot for name, slot in slots.items() if name not in values}
    for name, value in values.items():
        old = slots.get(name)
        known = old is not None and old.source != "proposed" and (old.turn < turn or old.first != old.value)
        former = None if old is None else old.value if known and old.value != value else old.former
        if value is not None:
            kept[name] = Slot(value, source, turn, old.first if old and known else value, former)
    return kept


@dataclass(frozen=True, slots=True)
class Company:
    """Who travels: adults, children of 2 to 11, infants; `ages` are those of the young, as far as they are known.

    `uncounted` says that only a number of people was said, children perhaps among them.
    """

    adults: int = 1
    children: int = 0
    infants: int = 0
    ages: tuple[int, ...] = ()
    uncounted: bool = False

    @property
    def everybody(self) -> int:
        """Return how many they are."""
        return self.adults + self.children + self.infants


@dataclass(frozen=True, slots=True)
class Frame:
    """One part of a trip.

    Attributes:
        slots: Its wishes, and what it does not share with the other parts.
        given: The arguments of its last search.
        found: All offers of that search; `shown` those that the traveller saw, in their order.
        chosen: The offer that is talked about: the one the traveller took, else the recommended one.
        taken: True where the traveller took it themselves.
        seen: What was shown before, so that others can be looked for.
        implied: True where nobody named it, and it was only taken to be wanted.
        raised: True once its booking was put up for approval.
    """

    kind: Kind
    slots: Slots = field(default_factory=dict)
    status: Status = "open"
    given: Mapping[str, Any] | None = None
    found: tuple[Offer, ...] = ()
    shown: tuple[Offer, ...] = ()
    note: str = ""
    chosen: Offer | None = None
    taken: bool = False
    seen: frozenset[str] = frozenset()
    raised: bool = False
    booking: str = ""
    implied: bool = False

    def value(self, name: str) -> Any:
        """Return what the part itself has in the slot `name`, or None."""
        return self.slots[name].value if name in self.slots else None


@dataclass(frozen=True, slots=True)
class Trip:
    """One journey: what its parts share, and the parts that are wanted, in the order they were named."""

    slots: Slots = field(default_factory=dict)
    frames: Mapping[Kind, Frame] = field(default_factory=dict)

    def value(self, name: str, kind: Kind | None = None) -> Any:
        """Return the value of a slot, the one that the part `kind` has for itself before that of the trip."""
        slot = self.slot(name, kind)
        return slot.value if slot else None

    def slot(self, name: str, kind: Kind | None = None) -> Slot | None:
        """Return a slot with where it came from."""
        frame = self.frames.get(kind) if kind else None
        return (frame.slots.get(name) if frame else None) or self.slots.get(name)

    def with_frame(self, frame: Frame) -> Trip:
        """Return the trip with `frame` in place of its part of that kind."""
        return replace(self, frames={**self.frames, frame.kind: frame})

    def of_status(self, *statuses: Status) -> tuple[Frame, ...]:
        """Return the parts of these statuses."""
        return tuple(frame for frame in self.frames.values() if frame.status in statuses)

    @property
    def several(self) -> bool:
        """Return whether several parts are looked for, which no search can hold under one sum."""
        return len(self.of_status("open")) > 1

    @property
    def shown(self) -> list[Frame]:
        """Return the parts of which offers are on the table."""
        return [frame for frame in self.of_status("open") if frame.shown]

    @property
    def last(self) -> Kind | None:
        """Return the part that was put on the table last."""
        return self.shown[-1].kind if self.shown else next(iter(self.frames), None)

    @property
    def begun(self) -> bool:
        """Return True once anything of it is known or wanted."""
        return bool(self.frames or {"destination", "start", "window"} & self.slots.keys())


@dataclass(frozen=True, slots=True)
class Booking:
    """A booking, with the offer that it was made of where this conversation shows it, and what was paid before."""

    facts: Mapping[str, Any]
    offer: Offer | None = None
    before: str = ""

    @property
    def live(self) -> bool:
        """Return True while it is booked or held."""
        return self.facts.get("status") in {"booked", "held"}


@dataclass(frozen=True, slots=True)
class State:
    """All that the conversation has come to.

    Attributes:
        trips: The journeys, `at` the one under way.
        focus: The part talked about last.
        bookings: Every booking that a tool told of, by its reference.
        changing: The booking that the next choice of a flight replaces.
        meant: Names of places that were not clear, and the places that the traveller meant, with their codes.
        unclear: The name that is asked about now, and what it may mean.
        between: The end of the journey that several places were named for, and those to choose between.
        names: Places as the traveller wrote them, by the names that the tools take.
        rates: What one unit of a currency is in another, as converted before.
    """

    trips: tuple[Trip, ...] = (Trip(),)
    at: int = 0
    focus: Kind | None = None
    bookings: Mapping[str, Booking] = field(default_factory=dict)
    changing: str = ""
    meant: Mapping[str, str] = field(default_factory=dict)
    unclear: tuple[str, tuple[str, ...]] = ("", ())
    between: tuple[Role, tuple[str, ...]] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    rates: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def trip(self) -> Trip:
        """Return the journey under way."""
        return self.trips[self.at]

    @property
    def known(self) -> Any:
        """Return what was said of the trips, whatever is on the table."""
        parts = [[(frame.kind, frame.slots) for frame in trip.of_status("open")] for trip in self.trips]
        return self.at, parts, [trip.slots for trip in self.trips]

    def place(self, name: str | None) -> str:
        """Return what the tools take for a place: the code of the one meant, where that was asked; else its name."""
        meant = self.meant.get((name or "").casefold(), "")
        return meant.rpartition("(")[2].strip(")") if meant else name or ""

    @property
    def raised(self) -> tuple[Kind, ...]:
        """Return the parts that were put up for approval and not decided."""
        return tuple(frame.kind for frame in self.trip.of_status("open", "booked") if frame.raised)

    @property
    def frame(self) -> Frame | None:
        """Return the part talked about last, where it still stands."""
        return self.trip.frames.get(self.focus) if self.focus else None

    def with_trip(self, trip: Trip) -> State:
        """Return the state with the journey under way replaced."""
        return replace(self, trips=(*self.trips[: self.at], trip, *self.trips[self.at + 1 :]))

    def fill(self, turn: int, part: Frame | None = None, source: Source = "said", **values: Any) -> State:
        """Return the state with slots said anew, of a part, or what the parts of the trip share; None clears a slot."""
        if part:
            return self.with_frame(replace(part, slots=_filled(part.slots, turn, source, values)))
        return self.with_trip(replace(self.trip, slots=_filled(self.trip.slots, turn, source, values)))

    def with_frame(self, frame: Frame, at: int | None = None) -> State:
        """Return the state with a part of a journey replaced: of the one `at` that place, else of the one under way."""
        at = self.at if at is None else at
        return replace(self, trips=(*self.trips[:at], self.trips[at].with_frame(frame), *self.trips[at + 1 :]))
