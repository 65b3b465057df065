"""Works out the extras of a booking: seats, bags and special requests."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.family import companion_needs
from models.offline.trips.frames import Frame
from models.offline.trips.offers import Offer, ways
from models.offline.trips.searching import company_of
from models.offline.trips.wishes import FEATURES

_BAGS = re.compile(r"(?P<count>\d)? ?checked bags? included|預け荷物(?:込み|(?P<number>\d)個)")
_POSITIONS = ("aisle", "window", "middle")
_MAX_REQUESTS = 5


def preferred_seat(dialogue: Dialogue, *flights: Frame) -> str:
    """Return the seat position asked for on the first of `flights` with one, else the remembered one, else nothing."""
    requested = [seat for seat in _requested_seats(flights) if seat in _POSITIONS]
    company, _ = company_of(dialogue.state, "flight", dialogue.standing)
    return requested[0] if requested else dialogue.standing.seat(company)


def _requested_seats(flights: Sequence[Frame]) -> list[str]:
    """Return the seat asked for on each flight that has one: a position, "together", "front", "back" or "legroom"."""
    return [str(seat) for each in flights if (seat := each.value("seat"))]


def missing_bags(dialogue: Dialogue, frame: Frame, offer: Offer) -> int:
    """Return how many checked bags the traveller wants beyond those that the fare includes."""
    missed = next((match for each in offer.get("misses") or [] if (match := _BAGS.fullmatch(str(each)))), None)
    noted = int(missed["count"] or missed["number"] or 1) if missed else 0
    wished = frame.value("bags")
    company, _ = company_of(dialogue.state, "flight", dialogue.standing)
    people = company.adults + company.children if frame.value("bags_each") else 1
    return people * max(0, int(noted if wished is None else wished) - int(offer.get("checked_bags") or 0))


def needs_seat_map(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether the offer's seat map is needed to choose seats before the booking."""
    wanted = preferred_seat(dialogue, frame) or frame.value("seat") not in (None, "back") or frame.value("seat_for")
    selectable = (frame.chosen or {}).get("seat_choice") in {"free", "paid"}
    return bool(wanted) and selectable and not _declines_extras(dialogue)


def _declines_extras(dialogue: Dialogue) -> bool:
    """Return whether the message asks for a booking without extras."""
    return any("extras" in clause.wishes.dropped for clause in dialogue.step.said.clauses)


def booking_extras(dialogue: Dialogue, frame: Frame) -> dict[str, Any]:
    """Return the optional arguments of `book_offer`: free seats from the seat map of this turn, bags and requests."""
    steps = (step for step in dialogue.steps if step.after.at == dialogue.state.at)
    clauses = [clause for step in steps for clause in step.said.clauses]
    needs = companion_needs(frame.kind, clauses, dialogue.standing.briefing.memories, dialogue.companions)
    requests, extras = [*requests_for(frame), *needs], dict[str, Any]()
    if frame.kind == "flight" and not _declines_extras(dialogue):
        seat_map, seat = dialogue.last_of("seat_map"), frame.value("seat")
        seats = seats_for(dialogue, seat_map) if seat_map and needs_seat_map(dialogue, frame) else []
        segments = seat_map.listed("segments") if seat_map else []
        seated = segments and {each.get("segment", 0) for each in segments} == {each["segment"] for each in seats}
        requests += [dialogue.words.say("wish.seat", value=seat)] if seat and not seated else []
        extras = {"seats": seats, "extra_bags": missing_bags(dialogue, frame, frame.chosen or {})}
    extras["requests"] = [*dict.fromkeys(requests)][:_MAX_REQUESTS]
    return {name: value for name, value in extras.items() if value}


def requests_for(frame: Frame) -> list[str]:
    """Return the special requests to send with the booking: wishes that the search API cannot express."""
    unsearched = [each for each in frame.value("features") or () if each not in FEATURES]
    meal = [f"{frame.value('meal')} meal"] * bool(frame.value("meal"))
    return list(dict.fromkeys([*(frame.value("requests") or ()), *unsearched, *meal]))


def seats_for(dialogue: Dialogue, seat_map: Outcome, *, latest_only: bool = False) -> list[dict[str, Any]]:
    """Return seats on each flight of a seat map: one in the position asked for, and the nearest ones in its row.

    A wish for one direction chooses no seats on the other one, and a wish for one traveller chooses one seat only.
    `latest_only` leaves out the direction that the latest wish doesn't mention. Of several flights, the wishes for that
    of the seat map count, then those for the latest one.
    """
    frames = _flights_from(dialogue, seat_map.given.get("offer_id"))
    side, company = preferred_seat(dialogue, *frames), company_of(dialogue.state, "flight", dialogue.standing)[0]
    wishes = next((each for frame in frames if (each := frame.value("seat_for"))), ())
    row = next((seat for seat in _requested_seats(frames) if seat not in _POSITIONS), "")
    clauses = [clause for step in dialogue.steps[::-1] for clause in step.said.clauses if clause.wishes.seat]
    only = {target for clause in clauses[:1] for target, _ in clause.seat_for if latest_only} & {"out", "home"}
    outbound = next((len(way.get("flights", [])) for frame in frames for way in ways(frame.chosen or {})), 0)
    people, seats = company.adults + company.children, list[dict[str, Any]]()
    for segment in seat_map.listed("segments"):
        way = "out" if segment.get("segment", 0) < outbound else "home"
        single = [wanted for target, wanted in wishes if target == "one"][:people]
        sides = next(([wanted] * people for target, wanted in wishes if target == way), single)
        if not sides and (side or not wishes) and row != "back":  # no seat map says where the back begins
            sides = [side] * people
        seats += _seats(segment, sides, row) if way in (only or (way,)) else []
    return seats


def _flights_from(dialogue: Dialogue, offer_id: Any) -> list[Frame]:
    """Return the flights of all trips: that with the given offer first, then the others, the latest one first."""
    flights = [trip.frames["flight"] for trip in dialogue.state.trips[::-1] if "flight" in trip.frames]
    return sorted(flights, key=lambda each: all(offer["offer_id"] != offer_id for offer in each.found))


def _seats(segment: Mapping[str, Any], sides: Sequence[str], row: str) -> list[dict[str, Any]]:
    """Return free seats for `sides` ("" for any), or none if they don't suffice; equal sides share the first's row."""
    shown = segment.get("free", {})
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
    return [{"segment": segment.get("segment", 0), "seat": seat} for seat in best]
