"""What goes with a booking: seats, bags, and what is asked for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.family import needs_along
from models.offline.trips.frames import Frame
from models.offline.trips.offers import Offer, ways
from models.offline.trips.searching import company_of
from models.offline.trips.wishes import FEATURES

_BAGS = re.compile(r"(?P<count>\d)? ?checked bags? included|預け荷物(?:込み|(?P<number>\d)個)")
_POSITIONS = ("aisle", "window", "middle")
_MOST_REQUESTS = 5


def preferred_seat(dialogue: Dialogue, frame: Frame | None = None) -> str:
    """Return `aisle` or `window`, as asked for in this conversation or remembered to hold always; empty for neither."""
    said = [seat for seat in _seats_said(dialogue, frame) if seat in _POSITIONS]
    return said[-1] if said else dialogue.standing.seat(company_of(dialogue.state, "flight", dialogue.standing)[0])


def _seats_said(dialogue: Dialogue, frame: Frame | None = None) -> list[str]:
    """Return the seats that were asked for in this conversation: sides, "together", "front", "back", "legroom"."""
    frames = [each for trip in dialogue.state.trips for each in trip.frames.values()] if frame is None else [frame]
    return [str(seat) for each in frames if (seat := each.value("seat"))]


def missing_bags(dialogue: Dialogue, frame: Frame, offer: Offer) -> int:
    """Return how many checked bags are wished for that the fare does not include."""
    missed = next((found for each in offer.get("misses") or [] if (found := _BAGS.fullmatch(str(each)))), None)
    noted = int(missed["count"] or missed["number"] or 1) if missed else 0
    wished = frame.value("bags")
    company, _ = company_of(dialogue.state, "flight", dialogue.standing)
    each = company.adults + company.children if frame.value("bags_each") else 1
    return each * max(0, int(noted if wished is None else wished) - int(offer.get("checked_bags") or 0))


def needs_seat_map(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether seats are to be chosen for the offer before it is booked."""
    wanted = preferred_seat(dialogue, frame) or frame.value("seat") not in (None, "back") or frame.value("seat_for")
    return bool(wanted) and (frame.chosen or {}).get("seat_choice") in {"free", "paid"} and not _bare(dialogue)


def _bare(dialogue: Dialogue) -> bool:
    """Return whether the message wants nothing added."""
    return any("extras" in clause.wishes.dropped for clause in dialogue.step.said.clauses)


def booking_extras(dialogue: Dialogue, frame: Frame) -> dict[str, Any]:
    """Return the arguments of `book_offer` beside the offer: free seats from the map of this turn, bags, requests."""
    said = [clause for step in dialogue.steps if step.after.at == dialogue.state.at for clause in step.said.clauses]
    needs = needs_along(frame.kind, said, dialogue.standing.briefing.memories, dialogue.companions)
    requests, found = [*requests_for(frame), *needs], dict[str, Any]()
    if frame.kind == "flight" and not _bare(dialogue):
        looked, seat = dialogue.last_of("seat_map"), frame.value("seat")
        seats = seats_for(dialogue, looked) if looked and needs_seat_map(dialogue, frame) else []
        flights = looked.listed("segments") if looked else []
        given = flights and {each.get("segment", 0) for each in flights} == {each["segment"] for each in seats}
        requests += [dialogue.words.say("wish.seat", value=seat)] if seat and not given else []
        found = {"seats": seats, "extra_bags": missing_bags(dialogue, frame, frame.chosen or {})}
    found["requests"] = [*dict.fromkeys(requests)][:_MOST_REQUESTS]
    return {name: value for name, value in found.items() if value}


def requests_for(frame: Frame) -> list[str]:
    """Return what is asked for with the booking because no search takes it."""
    unsearched = [each for each in frame.value("features") or () if each not in FEATURES]
    meal = [f"{frame.value('meal')} meal"] * bool(frame.value("meal"))
    return list(dict.fromkeys([*(frame.value("requests") or ()), *unsearched, *meal]))


def seats_for(dialogue: Dialogue, looked: Outcome, *, anew: bool = False) -> list[dict[str, Any]]:
    """Return seats on each flight of a map: one of the side wished for, and the nearest in its row for the others.

    Of what is wished for one way or one traveller no seat is taken on the other way, or for the others. `anew` are
    those that the latest wish changes: what it says of one way leaves the seats on the other.
    """
    frames = [frame for trip in dialogue.state.trips for frame in trip.frames.values() if frame.kind == "flight"]
    side, company = preferred_seat(dialogue), company_of(dialogue.state, "flight", dialogue.standing)[0]
    said = next((each for frame in frames[::-1] if (each := frame.value("seat_for"))), ())
    row = next((seat for seat in _seats_said(dialogue)[::-1] if seat not in _POSITIONS), "")
    clauses = [clause for step in dialogue.steps[::-1] for clause in step.said.clauses if clause.wishes.seat]
    only = {whose for clause in clauses[:1] for whose, _ in clause.seat_for if anew} & {"out", "home"}
    there = next((len(way.get("flights", [])) for frame in frames[::-1] for way in ways(frame.chosen or {})), 0)
    everybody, found = company.adults + company.children, list[dict[str, Any]]()
    for plane in looked.listed("segments"):
        way = "out" if plane.get("segment", 0) < there else "home"
        one = [wanted for whose, wanted in said if whose == "one"][:everybody]
        own = next(([wanted] * everybody for whose, wanted in said if whose == way), one)
        sides = own or ([side] * everybody if (side or not said) and row != "back" else [])  # no map ends there
        found += _seats(plane, sides, row) if way in (only or (way,)) else []
    return found


def _seats(plane: Mapping[str, Any], sides: Sequence[str], row: str) -> list[dict[str, Any]]:
    """Return a seat for each of `sides`, in one row: the first of its side, the others of theirs, as `row` has them."""
    shown = plane.get("free", {})
    listed = {name: [str(seat).split(" ") for seat in shown.get(name, [])] for name in _POSITIONS}
    free = {name: [seat for seat, *more in seats if more or row != "legroom"] for name, seats in listed.items()}
    every = [seat for name in _POSITIONS for seat in free[name]]
    alike = len({*sides}) < 2

    def together(seat: str) -> list[str]:
        row = [other for other in every if other[:-1] == seat[:-1]]
        row.sort(key=lambda other: (abs(ord(other[-1]) - ord(seat[-1])), other))
        taken = row[: len(sides)] if alike else [seat]
        for side in () if alike else sides[1:]:
            taken += [other for other in (*row, *free[side]) if other in free[side] and other not in taken][:1]
        return taken

    firsts = free.get(sides[0]) if sides else []
    groups = map(together, firsts or (sorted(every, key=lambda seat: int(seat[:-1])) if sides else []))
    best: list[str] = next((each for each in groups if len(each) == len(sides)), [])
    return [{"segment": plane.get("segment", 0), "seat": seat} for seat in best]
