"""Seats and bags that go with a flight because the traveller wishes for them: told first, booked with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.languages import language_of
from models.offline.travel.offers import Offer, error_text
from models.offline.travel.trip_context import TripContext

_SIDES = {"aisle": re.compile(r"\baisle\b|通路", re.IGNORECASE), "window": re.compile(r"\bwindow\b|窓", re.IGNORECASE)}
_BAGS = re.compile(r"(?P<count>\d)? ?checked bags? included|預け荷物(?:込み|(?P<number>\d)個)")
_POSITIONS = ("aisle", "window", "middle")


def preferred_seat(context: TripContext) -> str:
    """`aisle` or `window`, as asked for in this conversation or remembered to hold always; empty for neither."""
    if context.plan.seat:
        return context.plan.seat
    known = [each for each in context.dialogue.briefing.memories if each.topic == "seat" and not each.condition]
    liked = [each.text for each in known if language_of(each.text).polarity(each.text) >= 0]
    for text in (*liked, context.dialogue.briefing.profile.get("seat_preference", "")):
        sides = [side for side, pattern in _SIDES.items() if pattern.search(text)]
        if len(sides) == 1:
            return sides[0]
    return ""


def missing_bags(offer: Offer) -> int:
    """How many checked bags are wished for that the fare does not include."""
    missed = next((found for each in offer.get("misses") or [] if (found := _BAGS.fullmatch(str(each)))), None)
    if not missed:
        return 0
    wished = int(missed["count"] or missed["number"] or 1)
    return max(0, wished - int(offer.get("checked_bags") or 0))


def proposed(context: TripContext, offer: Offer) -> str:
    """What is added to `offer` when it is booked, and for how much; empty where nothing is."""
    say, side, bags = context.say, preferred_seat(context), missing_bags(offer)
    if context.plan.kind != "flight" or context.plan.changing:
        return ""
    chosen, parts = str(offer.get("seat_choice")), []
    if side and chosen in {"free", "paid"}:
        parts.append(say(f"extra_seat_{chosen}", side=say(f"side_{side}"), fee=offer.get("seat_fee")))
    if bags:
        parts.append(say("extra_bags", count=bags, fee=offer.get("bag_fee")))
    told = [say("extras", items=say("travel_and").join(parts))] if parts else []
    told += [say("extra_seat_later", side=say(f"side_{side}"))] if side and chosen == "at check-in" else []
    return " ".join(told)


def needs_seat_map(context: TripContext, offer: Offer) -> bool:
    """True when seats are to be chosen for `offer`."""
    return bool(preferred_seat(context)) and offer.get("seat_choice") in {"free", "paid"} and not context.ask.bare


def booking_extras(context: TripContext, offer: Offer) -> dict[str, Any]:
    """The arguments of `book_offer` beside the offer: free seats from the map of this turn, and bags."""
    if context.ask.bare:
        return {}
    found: dict[str, Any] = {}
    looked = next((each for each in context.outcomes[::-1] if each.tool == "seat_map" and not error_text(each)), None)
    if looked:
        count = max(1, (context.trip.people or 1) - (context.trip.infants or 0))
        maps = [each for each in looked.answer.get("segments", []) if isinstance(each, dict)]
        seats = [seat for each in maps for seat in _seats(each, preferred_seat(context), count)]
        found |= {"seats": seats} if seats else {}
    bags = missing_bags(offer)
    return found | ({"extra_bags": bags} if bags else {})


def _seats(plane: Mapping[str, Any], side: str, count: int) -> list[dict[str, Any]]:
    """One seat of the side wished for, and the nearest in its row for the others; none where none is free."""
    free = {name: [str(seat).split(" ")[0] for seat in plane.get("free", {}).get(name, [])] for name in _POSITIONS}
    every = [seat for name in _POSITIONS for seat in free[name]]
    together = [[seat, *_beside(seat, every)][:count] for seat in free.get(side, [])]
    best = next((each for each in together if len(each) == count), None)
    return [{"segment": plane.get("segment", 0), "seat": seat} for seat in best or []]


def _beside(seat: str, every: Sequence[str]) -> list[str]:
    """The free seats in the row of `seat`, the nearest first."""
    row = [other for other in every if other[:-1] == seat[:-1] and other != seat]
    return sorted(row, key=lambda other: (abs(ord(other[-1]) - ord(seat[-1])), other))
