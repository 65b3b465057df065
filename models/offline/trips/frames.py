"""The state of the trips in a conversation: a frame for each part, whose slots record where their values came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from models.offline.reading.understanding import Kind, Role
from models.offline.reading.values.dates import MOST_SHOWN
from models.offline.trips.offers import Offer

Source = Literal["said", "home", "note", "proposed"]
"""The traveller's message; their home; a remembered note; days proposed within a window."""
Status = Literal["open", "booked", "dropped"]
SHARED = ("origin", "destination", "start", "end", "nights", "party", "one_way", "flexible_days", "window")
"""Slots that the parts of a trip share, unless a part has a value of its own."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value with its source and the number of its turn; `first` is the slot's first value, `former` the last one."""

    value: Any
    source: Source = "said"
    turn: int = field(default=0, compare=False)
    first: Any = None
    former: Any = field(default=None, compare=False)


Slots = Mapping[str, Slot]


def _filled(slots: Slots, turn: int, source: Source, values: Mapping[str, Any]) -> Slots:
    """Return slots with new `values`, each with the first and the former value of its slot; None clears a slot.

    A value that was only proposed counts as neither, nor does the first one of the same turn.
    """
    filled = {name: slot for name, slot in slots.items() if name not in values}
    for name, value in values.items():
        old = slots.get(name)
        counts = old is not None and old.source != "proposed" and (old.turn < turn or old.first != old.value)
        former = None if old is None else old.value if counts and old.value != value else old.former
        if value is not None:
            filled[name] = Slot(value, source, turn, old.first if old and counts else value, former)
    return filled


@dataclass(frozen=True, slots=True)
class Company:
    """The travellers; `ages` are those of children (2 to 11) and infants, `uncounted` if a mere total was given."""

    adults: int = 1
    children: int = 0
    infants: int = 0
    ages: tuple[int, ...] = ()
    uncounted: bool = False

    @property
    def everybody(self) -> int:
        """Return the number of travellers."""
        return self.adults + self.children + self.infants


@dataclass(frozen=True, slots=True)
class Frame:
    """One part of a trip.

    Attributes:
        slots: Its wishes, and values that it does not share with the other parts.
        given: The arguments of its last search; None before any.
        empty: The arguments of its searches that found nothing.
        found: All offers of that search; `shown` are those that the traveller saw, in order.
        chosen: The offer that the traveller took, else the recommended one.
        taken: True if the traveller took the chosen offer themselves.
        seen: The product keys of all offers shown so far, so that a search can exclude them.
        raised: True if its booking was submitted for approval and not made.
        implied: True if no message named the part, and it was assumed.
    """

    kind: Kind
    slots: Slots = field(default_factory=dict)
    status: Status = "open"
    given: Mapping[str, Any] | None = None
    empty: tuple[Mapping[str, Any], ...] = ()
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
        """Return the part's own value of the slot `name`, or None."""
        return self.slots[name].value if name in self.slots else None

    def booked_for(self, company: Company) -> Company:
        """Return for whom the part was searched if it is booked and that is not for `company`, else `company`."""
        given = self.given or {}
        searched = Company(given.get("adults", 0), given.get("children", 0), given.get("infants", 0))
        same = (searched.adults, searched.everybody) == (company.adults, company.everybody)
        return searched if self.booking and searched.adults and not same else company


@dataclass(frozen=True, slots=True)
class Trip:
    """One journey: the slots that its parts share, and its parts in the order in which they were named."""

    slots: Slots = field(default_factory=dict)
    frames: Mapping[Kind, Frame] = field(default_factory=dict)

    def value(self, name: str, kind: Kind | None = None) -> Any:
        """Return the value of a slot: the part `kind`'s own, else the trip's, else None."""
        slot = self.slot(name, kind)
        return slot.value if slot else None

    def slot(self, name: str, kind: Kind | None = None) -> Slot | None:
        """Return a slot: the part `kind`'s own, else the trip's, else None."""
        frame = self.frames.get(kind) if kind else None
        return (frame.slots.get(name) if frame else None) or self.slots.get(name)

    def with_frame(self, frame: Frame) -> Trip:
        """Return the trip with `frame` in place of its part of that kind."""
        return replace(self, frames={**self.frames, frame.kind: frame})

    def of_status(self, *statuses: Status) -> tuple[Frame, ...]:
        """Return the parts that have one of `statuses`."""
        return tuple(frame for frame in self.frames.values() if frame.status in statuses)

    @property
    def several(self) -> bool:
        """Return whether several parts are open, so that no single search can enforce a budget for the whole trip."""
        return len(self.of_status("open")) > 1

    @property
    def shown(self) -> list[Frame]:
        """Return the open parts whose offers are shown."""
        return [frame for frame in self.of_status("open") if frame.shown]

    @property
    def last(self) -> Kind | None:
        """Return the last part with shown offers, else the first part, or None if there are no parts."""
        return self.shown[-1].kind if self.shown else next(iter(self.frames), None)

    @property
    def begun(self) -> bool:
        """Return whether the trip has a part, a destination or days."""
        return bool(self.frames or {"destination", "start", "window"} & self.slots.keys())


@dataclass(frozen=True, slots=True)
class Booking:
    """A booking: a tool's `facts`, its `offer` if this conversation showed it, and the price paid `before` a change."""

    facts: Mapping[str, Any]
    offer: Offer | None = None
    before: str = ""

    @property
    def live(self) -> bool:
        """Return whether the booking is active: booked or held."""
        return self.facts.get("status") in {"booked", "held"}


@dataclass(frozen=True, slots=True)
class State:
    """The state of the conversation.

    Attributes:
        trips: The journeys; `at` is the index of the current one.
        legs: The indices of the journeys that a message named together, in order; empty if none did.
        focus: The part mentioned last.
        bookings: Every booking that a tool returned, by its reference.
        changing: The reference of the booking that the next offer chosen of its kind replaces.
        meant: The place, with its code, that the traveller meant by an ambiguous name, by that name in casefolded form.
        unclear: The ambiguous name that the traveller is asked about, and the places it may refer to.
        between: The role for which the traveller named several places, and those places.
        names: Places as the traveller wrote them, by the names that the tools accept.
        rates: Exchange rates by (source, target) currency, from earlier conversions.
    """

    trips: tuple[Trip, ...] = (Trip(),)
    at: int = 0
    legs: tuple[int, ...] = ()
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
        """Return the current journey."""
        return self.trips[self.at]

    @property
    def journeys(self) -> tuple[int, ...]:
        """Return the indices of the journeys planned together with the current one, which is among them."""
        return self.legs if self.at in self.legs else (self.at,)

    @property
    def first_row(self) -> int:
        """Return the position, from 0, of the current journey's first offer in the list of all journeys' offers."""
        return self.journeys.index(self.at) * MOST_SHOWN

    def end(self, kind: Kind) -> Any:
        """Return the last day of a part; a stay on a one-way journey ends when the next journey starts."""
        onward = self.journeys[self.journeys.index(self.at) + 1 :][: kind != "flight"]
        return self.trip.value("end", kind) or next((self.trips[at].value("start") for at in onward), None)

    def on(self, at: int) -> State:
        """Return the state with the journey at index `at` as the current one, or the last one if there are fewer."""
        return replace(self, at=min(at, len(self.trips) - 1))

    @property
    def known(self) -> Any:
        """Return the details of all trips, without offers, in a form that can be compared for changes."""
        parts = [[(frame.kind, frame.slots) for frame in trip.of_status("open")] for trip in self.trips]
        return self.at, parts, [trip.slots for trip in self.trips]

    def place(self, name: str | None) -> str:
        """Return a place as the tools accept it: its code if the traveller resolved an ambiguous name, else `name`."""
        meant = self.meant.get((name or "").casefold(), "")
        return meant.rpartition("(")[2].strip(")") if meant else name or ""

    @property
    def raised(self) -> tuple[Kind, ...]:
        """Return the parts whose booking was submitted for approval and not made."""
        return tuple(frame.kind for frame in self.trip.of_status("open", "booked") if frame.raised)

    @property
    def moving(self) -> Frame | None:
        """Return the booked part of the current journey that is to be replaced, or None."""
        parts = (frame for frame in self.trip.frames.values() if frame.booking == self.changing)
        return next(parts, None) if self.changing else None

    @property
    def frame(self) -> Frame | None:
        """Return the part in focus, or None if the current journey has no such part."""
        return self.trip.frames.get(self.focus) if self.focus else None

    def with_trip(self, trip: Trip) -> State:
        """Return the state with the current journey replaced."""
        return replace(self, trips=(*self.trips[: self.at], trip, *self.trips[self.at + 1 :]))

    def fill(self, turn: int, part: Frame | None = None, source: Source = "said", **values: Any) -> State:
        """Return the state with slots set, of `part` or else of the current trip; None clears a slot."""
        if part:
            return self.with_frame(replace(part, slots=_filled(part.slots, turn, source, values)))
        return self.with_trip(replace(self.trip, slots=_filled(self.trip.slots, turn, source, values)))

    def with_frame(self, frame: Frame, at: int | None = None) -> State:
        """Return the state with a part replaced in the journey at index `at`, by default the current one."""
        at = self.at if at is None else at
        return replace(self, trips=(*self.trips[:at], self.trips[at].with_frame(frame), *self.trips[at + 1 :]))
