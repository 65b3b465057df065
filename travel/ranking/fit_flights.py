"""Whether a flight is what somebody wishes: seats, stops, hours, bags and the fare's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from travel.flights import FlightOffer, Seat, SeatMap
from travel.local_time import LocalTime
from travel.ranking.wish import Wish

TIGHT, LONG_WAIT = 60, 180
"""Minutes under which a change is tight, and over which the wait is long."""
_DAYPARTS = {"morning": (5, 12), "afternoon": (12, 17), "evening": (17, 22), "night": (22, 29)}
_SEATED = frozenset({"side", "place", "legroom", "cabin"})
"""Wishes that each segment is asked for by itself."""


def is_seated(wish: Wish) -> bool:
    """Return True for a wish that each segment is asked for by itself."""
    return wish.family in _SEATED


def needs_seat_map(wish: Wish) -> bool:
    """Return True for a wish that only a seat map can tell of."""
    return is_seated(wish) and wish.family != "cabin"


def seat_fits(wish: Wish, offer: FlightOffer, number: int, maps: Sequence[SeatMap] | None) -> bool | None:
    """Return whether segment `number` has a seat as wished, or one not to be avoided; None when it can't be told."""
    if not needs_seat_map(wish):
        return (offer.segments[number].cabin == wish.value) == wish.wanted
    if offer.fare.rules.seat_choice == "at check-in" or maps is None:
        return None
    cabin = next((one for one in maps if one.segment == number), None)
    return None if cabin is None else any(_is_such(wish, seat) == wish.wanted for seat in cabin.free())


def _is_such(wish: Wish, seat: Seat) -> bool:
    match wish.family:
        case "side":
            return seat.position == wish.value
        case "place":
            return seat.part == wish.value
        case _:
            return seat.extra_legroom


def flight_fits(wish: Wish, offer: FlightOffer) -> bool | None:
    """Return whether the flights as a whole are what is wished; None when it can't be told, or does not matter."""
    judge = _JUDGES.get(wish.family)
    return judge(wish, offer) if judge else None


def _stops(wish: Wish, offer: FlightOffer) -> bool:
    return offer.stops <= int(wish.value)


def _bags(wish: Wish, offer: FlightOffer) -> bool:
    """Judge bags: whoever checks none needs a carry-on, and nobody is worse off for a checked one too many."""
    rules, wanted = offer.fare.rules, int(wish.value)
    return rules.checked_bags >= wanted if wanted else rules.carry_on_bags >= 1


def _wait(wish: Wish, offer: FlightOffer) -> bool | None:
    waits = [minutes for way in offer.slices for _, minutes in way.layovers]
    if not waits:
        return None if wish.wanted else False
    side, _, minutes = wish.value.partition("/")
    if side == "least":
        return min(waits) >= int(minutes)
    if side == "most":
        return max(waits) <= int(minutes)
    return min(waits) < TIGHT if side == "short" else max(waits) > LONG_WAIT


def _daypart(wish: Wish, offer: FlightOffer) -> bool:
    part, _, which = wish.value.partition("/")
    first, last = _DAYPARTS[part]
    hours = [(way.arrives if which else way.departs).at.hour for way in offer.slices]
    there = [first <= hour < last or first <= hour + 24 < last for hour in hours]
    return all(there) if wish.wanted else any(there)


def _hours(wish: Wish, offer: FlightOffer) -> bool:
    which, side, minute = wish.value.split("/")
    moments = [way.departs if which == "departs" else way.arrives for way in offer.slices]
    if side == "before":
        return all(_minute(moment) <= int(minute) for moment in moments)
    return all(_minute(moment) >= int(minute) for moment in moments)


def _minute(moment: LocalTime) -> int:
    return moment.at.hour * 60 + moment.at.minute


def _airline(wish: Wish, offer: FlightOffer) -> bool:
    flown = {segment.airline for segment in offer.segments}
    return wish.value == offer.airline if wish.wanted else wish.value in flown


_JUDGES: dict[str, Callable[[Wish, FlightOffer], bool | None]] = {
    "stops": _stops,
    "bags": _bags,
    "wait": _wait,
    "daypart": _daypart,
    "hours": _hours,
    "airline": _airline,
    "overnight": lambda _, offer: any(segment.overnight for segment in offer.segments),
    "alliance": lambda wish, offer: offer.alliance == wish.value,
    "changeable": lambda _, offer: offer.fare.rules.changeable,
    "refundable": lambda _, offer: offer.fare.rules.refundable,
}
