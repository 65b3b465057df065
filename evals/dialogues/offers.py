"""What is on offer in a dialogue: what searches found, what the traveller was last shown, and what a row says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.api.reply import ToolUse
from config.errors import ConciergeError
from evals.dialogues.calls import fits, holds, whole
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer, TravelProvider
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, Party
from travel.summary import summary

_LIMIT = 60
"""Offers that are looked through before a row is told that the world has none."""
_KINDS = {
    "search_flights": "flight",
    "search_hotels": "hotel",
    "search_cars": "car",
    "search_activities": "activity",
    "search_insurance": "insurance",
}
Facts = dict[str, Any]


@dataclass
class Shelf:
    """The offers of one dialogue.

    Attributes:
        provider: Who sells them.
        found: Every offer that a search gave, by id.
        asked: The arguments of the search that gave it.
        shown: By kind, what the traveller was last shown, in that order.
        sold: By booking, for how many guests its room was asked for.
        searched: Every search with its offers, oldest first.
    """

    provider: TravelProvider
    found: dict[str, AnyOffer] = field(default_factory=dict)
    asked: dict[str, Facts] = field(default_factory=dict)
    shown: dict[str, list[AnyOffer]] = field(default_factory=dict)
    sold: dict[str, int | None] = field(default_factory=dict)
    searched: list[tuple[ToolUse, list[AnyOffer]]] = field(default_factory=list)

    async def add(self, uses: Sequence[ToolUse], reply: str) -> None:
        """Take what the searches of a turn found, and what the reply showed of it."""
        new: dict[str, list[list[AnyOffer]]] = {}
        for use in uses:
            if use.name.startswith("search_") and use.outcome in ("ran", "failed"):
                offers = [await self.offer(one) for one in _ids(use.result)]
                self.asked.update({one.id: whole(use) or {} for one in offers})
                self.searched.append((use, offers))
                if offers:
                    new.setdefault(offers[0].kind, []).append(offers)
        for kind in {one.kind for one in self.found.values()}:
            lists = new.get(kind, [])
            known = [one for each in lists for one in each] or [one for one in self.found.values() if one.kind == kind]
            seen = _in_order(reply, list(dict.fromkeys(known)))
            if len({_mark(one) for one in seen}) > 1 or (seen and lists):
                self.shown[kind] = seen
            elif lists:
                self.shown[kind] = lists[-1]

    def sell(self, bookings: Sequence[Booking]) -> None:
        """Keep for how many guests a room was asked for when it was booked, whatever is asked for later."""
        for one in bookings:
            self.sold.setdefault(one.id, self.asked.get(one.offer["id"], {}).get("guests"))

    async def offer(self, offer_id: str) -> AnyOffer:
        """Return an offer as it was given. Raises ConciergeError when there is none."""
        if offer_id not in self.found:
            self.found[offer_id] = await self.provider.offer(offer_id, late=True)
        return self.found[offer_id]

    def facts(self, offer: AnyOffer) -> Facts:
        """Return what a row may say of an offer."""
        facts, asked = _facts(offer), self.asked.get(offer.id, {})
        if isinstance(offer, HotelOffer):  # the offer is of a room, whoever sleeps in it
            facts["travellers"] = asked.get("guests")
        if isinstance(offer, InsuranceOffer):
            facts["to"] = [asked.get("destination", "")]
        return facts

    def booked(self, booking: Booking) -> Facts:
        """Return what a row may say of a booking."""
        facts = self.facts(booking.offered)
        if booking.kind == "hotel":
            facts["travellers"] = self.sold.get(booking.id)
        return {**facts, "bags": facts.get("bags", 0) + booking.extra_bags, "requests": list(booking.requests)}

    async def lacks(self, match: Facts) -> bool:
        """Return whether a search for what `match` says found nothing, and a wider one finds nothing that meets it."""
        for use, offers in reversed(self.searched):
            asked = whole(use)
            if asked is None or _KINDS.get(use.name) != match.get("kind") or not _same_journey(match, asked):
                continue
            every = [*offers, *await _wider(self.provider, use.name, asked, match)] if offers else []
            return not any(not misses(match, self.facts(one)) for one in every)
        return False


def misses(match: Facts, facts: Facts) -> list[str]:
    """Return what of `match` does not hold of an offer, but for `pick`."""
    told = []
    for name, wanted in match.items():
        value = facts.get(name)
        if name == "pick" or wanted is None or (name == "requests" and holds(" | ".join(value or ()), wanted)):
            continue
        if not _meets(name, wanted, value):
            told.append(f"{name} is {value!r}, not {wanted!r}")
    return told


def _meets(name: str, wanted: Any, value: Any) -> bool:
    if name == "has":
        return all(holds(" | ".join(value or ()), [one]) for one in wanted)
    if value is None:
        return fits(name, wanted, value)
    if name == "max_stops":
        return bool(value <= wanted)
    if name in ("depart_after", "bags"):
        return bool(value >= wanted)
    if name == "to":
        return any(fits(name, wanted, one) for one in value)
    return fits(name, wanted, value)


def picks(pick: str, offer: AnyOffer, shown: Sequence[AnyOffer], fitting: Sequence[AnyOffer]) -> bool:
    """Return whether an offer is the `first`, `second` or `cheapest` of those shown; True where none was.

    `fitting` are those of them that meet what else the traveller wants: only these count for the cheapest.
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
    told = summary(offer)
    return told.first_day, told.last_day


def _same_journey(match: Facts, asked: Facts) -> bool:
    names = {"to": ("destination", "city"), "depart": ("departing", "check_in", "pick_up", "first_day", "start"),
             "return": ("returning", "check_out", "drop_off")}  # fmt: skip
    for key, arguments in names.items():
        value = next((asked[one] for one in arguments if one in asked), None)
        if match.get(key) is not None and value is not None and not fits(key, match[key], value):
            return False
    return True


async def _wider(provider: TravelProvider, search: str, asked: Facts, match: Facts) -> Sequence[AnyOffer]:
    """Search again for many more offers, with the cabin and the stops that the row wants."""

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
        told = json.loads(result)
    except ValueError:
        return []
    listed = told.get("results", []) if isinstance(told, Mapping) else []
    return [str(one["offer_id"]) for one in listed if isinstance(one, Mapping) and "offer_id" in one]


def _mark(offer: AnyOffer) -> str:
    """Return what a reply names an offer by."""
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
    """Return the offers that the reply names, in its order; of several with one name, those whose price it tells."""
    places = {one.id: reply.find(_mark(one)) for one in offers}
    seen = [one for one in offers if places[one.id] >= 0]
    priced = [one for one in seen if str(one.price) in reply]
    told = {_mark(one) for one in priced}
    kept = [one for one in seen if one in priced or _mark(one) not in told]
    return sorted(kept, key=lambda one: max(places[one.id], reply.find(str(one.price))))
