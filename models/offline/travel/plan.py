"""What has been found, chosen, booked and left out so far, gathered over the visible conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.trip import Trip
from models.offline.dialogue.turn_context import Step
from models.offline.travel.offers import (
    SEARCHES,
    Offer,
    ambiguous_places,
    booking_of,
    cost,
    new_offers,
    product_key,
    results,
    seeks_other_offers,
    travel_outcomes,
)  # fmt: skip
from models.offline.travel.picking import picked
from models.offline.travel.request import KINDS, Kind, OfferRequest

_FLIGHTS_ONLY = frozenset({"earliest", "latest", "fastest"})
_HOTELS_ONLY = frozenset({"central", "rating"})
_STARTS_AFRESH = frozenset({"destination", "start", "end", "people", "children", "infants"})


@dataclass(frozen=True, slots=True)
class Plan:
    """The state of a journey's bookings.

    Attributes:
        wishes: What searches of each kind are to keep to, as arguments of theirs.
        codes: Names of places that were not clear, and the codes that the traveller meant.
        unclear: The name that is asked about now; `places` are what it may mean.
        kind: What is on the table; `shelf` are the offers, `proposed` the one that a yes books.
        seen: What was shown of the running search before.
        bookings: Every booking that a tool told of, by its reference.
        settled: Kinds that are booked or not wanted on this trip.
        taken: The offers that were booked on this trip.
        chose: True when the latest message took one of the offers on the table.
        seat: Where the traveller asked to sit on this journey.
        changing: Reference of the booking that the next one replaces; empty where it is a new one.
    """

    wishes: Mapping[Kind, Mapping[str, Any]] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    unclear: str = ""
    places: tuple[str, ...] = ()
    kind: Kind | None = None
    shelf: tuple[Offer, ...] = ()
    proposed: Offer | None = None
    seen: frozenset[str] = frozenset()
    bookings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    settled: frozenset[Kind] = frozenset()
    taken: tuple[Offer, ...] = ()
    chose: bool = False
    changing: str = ""
    seat: str = ""

    def updated(self, step: Step, ask: OfferRequest, question: str) -> Plan:
        """The plan after a turn: its message, then what its tools answered. `question` is what was asked before."""
        plan = (
            replace(self._anew(step), chose=False)
            ._chosen(step, ask, question)
            ._wished(ask, step.after)
            ._left_out(ask, question, step.after)
        )
        for outcome in travel_outcomes(step.turn):
            plan = plan._answered(outcome, step.after)
        return plan._to_change() if ask.act == "change" else plan

    def _to_change(self) -> Plan:
        """The plan with the one booked flight to be replaced by the next choice."""
        flights = [
            name
            for name, each in self.bookings.items()
            if (each.get("kind"), each.get("status")) == ("flight", "booked")
        ]
        return replace(self, changing=flights[0]) if len(flights) == 1 else self

    def _anew(self, step: Step) -> Plan:
        before, after = step.before, step.after
        changed = {name for name in _STARTS_AFRESH if getattr(before, name) != getattr(after, name)}
        if not after.open or (changed & {"destination"} and step.reading.opens) or self._is_next_trip(step, changed):
            return Plan(codes=self.codes, bookings=self.bookings)
        return replace(self, seen=frozenset()) if changed else self

    def _is_next_trip(self, step: Step, changed: set[str]) -> bool:
        """True for a journey that is asked for after the one before was booked."""
        return bool(step.reading.opens and self.taken and changed & {"destination", "start"})

    def _chosen(self, step: Step, ask: OfferRequest, question: str) -> Plan:
        if question == "travel_which_place" and self.places:
            at = picked(step.turn.said, self.places, ask)
            if at is not None:
                code = self.places[at].rpartition("(")[2].strip(")")
                return replace(self, codes={**self.codes, self.unclear.casefold(): code}, unclear="", places=())
        said = re.sub(re.escape(step.after.destination or "-"), "", step.turn.said, flags=re.IGNORECASE)
        at = picked(said, self.shelf, ask) if self.shelf else None
        if at is None and self.shelf and ask.act == "book" and ask.sort == "cheapest" and not ask.of_hotels:
            at = min(range(len(self.shelf)), key=lambda place: cost(self.shelf[place]))
        return replace(self, chose=at is not None, proposed=self.proposed if at is None else self.shelf[at])

    def _wished(self, ask: OfferRequest, trip: Trip) -> Plan:
        kind = self.meant(ask, trip)
        news: dict[Kind, dict[str, Any]] = {}
        if ask.cabin or ask.max_stops is not None or ask.flexible_days is not None:
            stated = {"cabin": ask.cabin, "max_stops": ask.max_stops, "flexible_days": ask.flexible_days}
            news["flight"] = {name: value for name, value in stated.items() if value is not None}
        if ask.per_night is not None and kind == "hotel":
            news["hotel"] = {"max_per_night": ask.per_night}
        news |= {"hotel": {**news.get("hotel", {}), **self._stay(ask, trip)}} if ask.of_hotels else {}
        if ask.sort and kind in {"flight", "hotel"}:
            news.setdefault(kind, {})["sort"] = ask.sort
        plan = replace(self, seat=ask.seat) if ask.seat else self
        merged = {each: {**self.wishes.get(each, {}), **value} for each, value in news.items()}
        return replace(plan, wishes={**self.wishes, **merged}) if merged else plan

    def _stay(self, ask: OfferRequest, trip: Trip) -> dict[str, Any]:
        """What a hotel is to be like; features add up, and the town itself is no part of it."""
        towns = {(each or "").casefold() for each in (trip.destination, trip.origin)}
        known = self.wishes.get("hotel", {}).get("features", [])
        area = ask.area if ask.area and ask.area.casefold() not in towns else None
        stated = {"area": area, "chain": ask.chain, "features": list(dict.fromkeys((*known, *ask.features)))}
        return {name: value for name, value in stated.items() if value}

    def _left_out(self, ask: OfferRequest, question: str, trip: Trip) -> Plan:
        named = {kind for kind in ask.kinds if ask.yes is False and not ask.refines}
        if question == "travel_hotel_too" and ask.yes is False:
            named.add("hotel")
        extra = question in {"travel_shall_book", "travel_sure"} and self.kind not in {"flight", "hotel", *wanted(trip)}
        if ask.yes is False and self.kind and (extra or question == "travel_what_change"):
            named.add(self.kind)
        if not named:
            return self
        cleared = replace(self, kind=None, shelf=(), proposed=None) if self.kind in named else self
        return replace(cleared, settled=cleared.settled | named)

    def meant(self, ask: OfferRequest, trip: Trip) -> Kind | None:
        """The kind of thing that a wish is about."""
        if ask.sort in _HOTELS_ONLY or (ask.of_hotels and "flight" not in ask.kinds):
            return "hotel"
        if ask.sort in _FLIGHTS_ONLY or ask.cabin or ask.max_stops is not None:
            return "flight"
        if ask.kinds and ask.kinds[0] != self.kind:
            return ask.kinds[0]
        return self.kind or self.next_kind(trip)

    def next_kind(self, trip: Trip) -> Kind | None:
        """The kind to look for next, or None when all that the trip needs is settled."""
        return next((kind for kind in wanted(trip) if kind not in self.settled), None)

    def _answered(self, outcome: Outcome, trip: Trip) -> Plan:
        if outcome.tool in SEARCHES:
            return self._searched(outcome)
        if outcome.tool == "list_bookings":
            listed = [each for each in outcome.answer.get("bookings", []) if isinstance(each, dict)]
            known = {**self.bookings, **{str(each.get("booking")): each for each in listed}}
            return replace(self, bookings=known, settled=self.settled | _settled(listed, trip))
        booked = booking_of(outcome)
        return self._acted(outcome.tool, booked) if booked else self

    def _searched(self, outcome: Outcome) -> Plan:
        name, places = ambiguous_places(outcome)
        if places:
            return replace(self, unclear=name, places=places)
        found = results(outcome)
        if not found and outcome.tool == "search_hotels":
            return self._without_stay()
        if not found:
            return self
        shelf = tuple(new_offers(found, self.seen if seeks_other_offers(outcome) else frozenset()))
        seen = self.seen if SEARCHES[outcome.tool] == self.kind else frozenset[str]()
        return replace(
            self,
            kind=SEARCHES[outcome.tool],
            shelf=shelf,
            proposed=shelf[0],
            seen=seen | {product_key(each) for each in shelf},
        )

    def _without_stay(self) -> Plan:
        """The plan without the wishes that no hotel met; what somebody can't do without stays."""
        kept = {name: value for name, value in self.wishes.get("hotel", {}).items() if name == "sort"}
        needs = [each for each in self.wishes.get("hotel", {}).get("features", []) if each == "step-free access"]
        return replace(self, wishes={**self.wishes, "hotel": {**kept, **({"features": needs} if needs else {})}})

    def _acted(self, tool: str, booking: Mapping[str, Any]) -> Plan:
        known = replace(self, bookings={**self.bookings, str(booking["booking"]): booking})
        cancelled = next((kind for kind in KINDS if kind == booking.get("kind")), None)
        if tool == "cancel_booking":
            return replace(known, settled=self.settled | {cancelled}) if cancelled else known
        taken = (*self.taken, self.proposed) if self.proposed and tool != "hold_offer" else self.taken
        settled = self.settled | {self.kind} if self.kind else self.settled
        return replace(known, settled=settled, taken=taken, kind=None, shelf=(), proposed=None, changing="")


def _settled(listed: Sequence[Mapping[str, Any]], trip: Trip) -> frozenset[Kind]:
    """The kinds that are booked for the days of `trip`."""
    if trip.start is None:
        return frozenset()
    first, last = trip.start.isoformat(), (trip.end or trip.start).isoformat()
    there = {
        each.get("kind")
        for each in listed
        if each.get("status") == "booked" and str(each.get("starts")) <= last and first <= str(each.get("ends"))
    }
    return frozenset(kind for kind in KINDS if kind in there)


def wanted(trip: Trip) -> tuple[Kind, ...]:
    """What has to be booked for `trip`, in order."""
    named: list[Kind] = [kind for kind in ("flight", "hotel", "car", "activity") if kind in trip.kinds]
    if trip.kinds == ("train",) or not trip.open:
        return ()
    if "trip" in trip.kinds or not named:
        return ("flight", "hotel", *(kind for kind in named if kind not in {"flight", "hotel"}))
    return tuple(named)
