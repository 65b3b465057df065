"""Tracks the offers of a dialogue: those that searches found, those last shown, and their facts for a row to match."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.api.reply import ToolUse
from config.errors import ConciergeError
from evals.dialogues.calls import fits, full_arguments, holds
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer, TravelProvider
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, Party
from travel.summary import summary

_LIMIT = 60
"""The number of offers to look through before the sample world counts as lacking one."""
_KINDS = {
    "search_flights": "flight",
    "search_hotels": "hotel",
    "search_cars": "car",
    "search_activities": "activity",
    "search_insurance": "insurance",
}
Facts = dict[str, Any]


@dataclass
class Offers:
    """The offers of one dialogue.

    Attributes:
        provider: The provider that sells them.
        by_id: Every offer that a search returned, by id.
        arguments: By offer, the arguments of the search that returned it.
        shown: By kind, the offers that the traveller was last shown, in that order.
        guests: By booking, the number of guests in the search for its room.
        searched: Every search with its offers, oldest first.
    """

    provider: TravelProvider
    by_id: dict[str, AnyOffer] = field(default_factory=dict)
    arguments: dict[str, Facts] = field(default_factory=dict)
    shown: dict[str, list[AnyOffer]] = field(default_factory=dict)
    guests: dict[str, int | None] = field(default_factory=dict)
    searched: list[tuple[ToolUse, list[AnyOffer]]] = field(default_factory=list)

    async def add(self, uses: Sequence[ToolUse], reply: str) -> None:
        """Record the results of the searches of a turn, and which of them the reply showed."""
        new: dict[str, list[list[AnyOffer]]] = {}
        for use in uses:
            if use.name.startswith("search_") and use.outcome in ("ran", "failed"):
                offers = [await self.offer(offer_id) for offer_id in _ids(use.result)]
                self.arguments.update({offer.id: full_arguments(use) or {} for offer in offers})
                self.searched.append((use, offers))
                if offers:
                    new.setdefault(offers[0].kind, []).append(offers)
        for kind in {offer.kind for offer in self.by_id.values()}:
            lists = new.get(kind, [])
            earlier = [offer for offer in self.by_id.values() if offer.kind == kind]
            candidates = [offer for offers in lists for offer in offers] or earlier
            shown = _in_order(reply, list(dict.fromkeys(candidates)))
            if len({_title(offer) for offer in shown}) > 1 or (shown and lists):
                self.shown[kind] = shown
            elif lists:
                self.shown[kind] = lists[-1]

    def record_guests(self, bookings: Sequence[Booking]) -> None:
        """Record the guests of each new booking, which a later search for the same room does not change."""
        for booking in bookings:
            self.guests.setdefault(booking.id, self.arguments.get(booking.offer["id"], {}).get("guests"))

    async def offer(self, offer_id: str) -> AnyOffer:
        """Return an offer as it was when it was found. Raises ConciergeError if there is none."""
        if offer_id not in self.by_id:
            self.by_id[offer_id] = await self.provider.offer(offer_id, late=True)
        return self.by_id[offer_id]

    def facts(self, offer: AnyOffer) -> Facts:
        """Return the facts of an offer that a row may match."""
        facts, arguments = _facts(offer), self.arguments.get(offer.id, {})
        if isinstance(offer, HotelOffer):  # the offer is for a room and does not hold the number of guests
            facts["travellers"] = arguments.get("guests")
        if isinstance(offer, InsuranceOffer):
            facts["to"] = [arguments.get("destination", "")]
        return facts

    def booked(self, booking: Booking) -> Facts:
        """Return the facts of a booking that a row may match."""
        facts = self.facts(booking.offered)
        if booking.kind == "hotel":
            facts["travellers"] = self.guests.get(booking.id)
        return {**facts, "bags": facts.get("bags", 0) + booking.extra_bags, "requests": list(booking.requests)}

    async def lacks(self, match: Facts) -> bool:
        """Return whether the latest search for this journey found no matching offer, and neither does a wider one."""
        for use, offers in reversed(self.searched):
            arguments = full_arguments(use)
            if arguments is None or _KINDS.get(use.name) != match.get("kind") or not _same_journey(match, arguments):
                continue
            every = [*offers, *await _wider(self.provider, use.name, arguments, match)] if offers else []
            return all(offer_mismatches(match, self.facts(offer)) for offer in every)
        return False


def offer_mismatches(match: Facts, facts: Facts) -> list[str]:
    """Describe each fact of an offer that differs from `match`; `pick` is left to `is_pick`."""
    mismatches = []
    for name, wanted in match.items():
        value = facts.get(name)
        if name == "pick" or wanted is None or (name == "requests" and holds(" | ".join(value or ()), wanted)):
            continue
        if not _meets(name, wanted, value):
            mismatches.append(f"{name} is {value!r}, not {wanted!r}")
    return mismatches


def _meets(name: str, wanted: Any, value: Any) -> bool:
    if name == "has":
        return all(holds(" | ".join(value or ()), [phrase]) for phrase in wanted)
    if value is None:
        return fits(name, wanted, value)
    if name == "max_stops":
        return bool(value <= wanted)
    if name in ("depart_after", "bags"):
        return bool(value >= wanted)
    if name == "to":
        return any(fits(name, wanted, place) for place in value)
    return fits(name, wanted, value)


def is_pick(pick: str, offer: AnyOffer, shown: Sequence[AnyOffer], fitting: Sequence[AnyOffer]) -> bool:
    """Return whether an offer is the `first`, `second`, `third`, `last` or `cheapest` of those shown.

    The cheapest is that of `fitting`, the shown offers that match the row otherwise. True if no offer was shown.
    """
    if pick == "cheapest":
        rivals = [one for one in fitting if _days(one) == _days(offer) and one.price.currency == offer.price.currency]
        return not any(one.price.amount < offer.price.amount for one in rivals)
    place = {"first": 0, "second": 1, "third": 2, "last": -1}.get(pick)
    if place is None or not shown:
        return True
    try:
        return shown[place].id == offer.id
    except IndexError:
        return False


def _facts(offer: AnyOffer) -> Facts:
    first, last = _days(offer)
    facts: Facts = {
        "kind": offer.kind, "depart": str(first), "return": str(last), "travellers": summary(offer).travellers,
    }  # fmt: skip
    match offer:
        case FlightOffer():
            there, back = offer.outbound, offer.inbound
            facts |= {
                "to": [there.segments[-1].destination, there.segments[-1].destination_city],
                "return": str(back.departs.day) if back else None,
                "cabin": offer.cabin,
                "max_stops": offer.stops,
                "depart_after": f"{there.departs.at:%H:%M}",
                "bags": offer.fare.rules.checked_bags,
            }
        case HotelOffer():
            rate = ["breakfast"] * offer.breakfast + ["free cancellation"] * bool(offer.free_cancellation_until)
            facts |= {"to": [offer.city], "has": [*offer.amenities, *rate]}
        case CarOffer() | ActivityOffer():
            facts |= {"to": [offer.city]}
    return facts


def _days(offer: AnyOffer) -> tuple[date, date]:
    summarised = summary(offer)
    return summarised.first_day, summarised.last_day


def _same_journey(match: Facts, given: Facts) -> bool:
    names = {"to": ("destination", "city"), "depart": ("departing", "check_in", "pick_up", "first_day", "start"),
             "return": ("returning", "check_out", "drop_off")}  # fmt: skip
    for key, arguments in names.items():
        value = next((given[name] for name in arguments if name in given), None)
        if match.get(key) is not None and value is not None and not fits(key, match[key], value):
            return False
    return True


async def _wider(provider: TravelProvider, search: str, asked: Facts, match: Facts) -> Sequence[AnyOffer]:
    """Repeat a search with a higher limit, and with the cabin and stops that the row wants."""

    def same(*names: str) -> Facts:
        return {name: asked[name] for name in names}

    try:
        match search:
            case "search_flights":
                cabin, stops = match.get("cabin") or asked["cabin"], match.get("max_stops")
                days = same("origin", "destination", "departing", "returning")
                party = Party(**same("adults", "children", "infants"))
                return await provider.search_flights(
                    FlightQuery(**days, party=party, cabin=cabin, max_stops=stops, limit=_LIMIT)
                )
            case "search_hotels":
                room = same("city", "check_in", "check_out", "guests", "rooms")
                return await provider.search_hotels(HotelQuery(**room, limit=_LIMIT))
            case "search_cars":
                return await provider.search_cars(CarQuery(**same("city", "pick_up", "drop_off"), limit=_LIMIT))
            case "search_activities":
                days = same("city", "first_day", "last_day", "people")
                return await provider.search_activities(ActivityQuery(**days, limit=_LIMIT))
    except ConciergeError:
        pass
    return ()


def _ids(result: str) -> list[str]:
    """Return the ids of the offers in a search's answer, in its order."""
    try:
        answer = json.loads(result)
    except ValueError:
        return []
    results = answer.get("results", []) if isinstance(answer, Mapping) else []
    return [str(offer["offer_id"]) for offer in results if isinstance(offer, Mapping) and "offer_id" in offer]


def _title(offer: AnyOffer) -> str:
    """Return the text by which a reply names an offer."""
    match offer:
        case FlightOffer():
            return offer.segments[0].flight_number
        case HotelOffer():
            return offer.name
        case CarOffer():
            return offer.model
        case ActivityOffer():
            return offer.title
        case InsuranceOffer():
            return offer.product


def _in_order(reply: str, offers: Sequence[AnyOffer]) -> list[AnyOffer]:
    """Return the offers that the reply names, in its order; of several with the same name, those with their price."""
    places = {offer.id: reply.find(_title(offer)) for offer in offers}
    named = [offer for offer in offers if places[offer.id] >= 0]
    priced = [offer for offer in named if str(offer.price) in reply]
    priced_titles = {_title(offer) for offer in priced}
    kept = [offer for offer in named if offer in priced or _title(offer) not in priced_titles]
    return sorted(kept, key=lambda offer: max(places[offer.id], reply.find(str(offer.price))))
