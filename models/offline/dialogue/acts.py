"""What the running message wants done to offers and bookings, and what goes with it, as tool calls for approval."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Choice, Clause, Kind
from models.offline.trips.choosing import on_table, points_nowhere
from models.offline.trips.frames import Booking, Frame, State
from models.offline.trips.offers import SEARCHES, Offer
from models.offline.trips.searching import company_of
from models.offline.trips.wishes import FEATURES

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""
_YES = frozenset({"ask_people", "ask_book", "ask_both", "ask_sure", "ask_change", "ask_seats", "ask_other"})
"""Questions that a yes answers by doing what was proposed."""
_DIGIT = re.compile(r"\d")
_OF_BOOKINGS = frozenset({"cancel", "bags", "seats", "change"})
_BOOKING = frozenset({"book_offer", "hold_offer", "change_booking"})


def acting_calls(dialogue: Dialogue) -> list[Call]:
    """Return the calls that act, or that have to come before; each act is tried once in a turn."""
    clauses = [clause for clause in dialogue.step.said.clauses if _is_about_booking(dialogue, clause)]
    found: list[Call] = []
    for clause in clauses:
        found += [call for call in _of_booking(dialogue, clause) if call not in found]
    return [call for call in found or _of_offers(dialogue) if not _tried(dialogue, *call)]


def _tried(dialogue: Dialogue, name: str, given: dict[str, Any]) -> bool:
    key = "offer_id" if "offer_id" in given else "booking"
    return any(each.tool == name and each.given.get(key) == given.get(key) for each in dialogue.now.outcomes)


def unclear_people(dialogue: Dialogue) -> str:
    """Return words with a number that nobody could read, for which a booking waits: those beside the order itself, or
    of an earlier message while nobody said how many travel. What was asked about stays unclear until a yes."""
    said = beside = ""
    for step in dialogue.steps:
        clauses, asked = step.said.clauses, step.question == "ask_people"
        plain = (each for each in clauses if each.act in ("confirm", "book") and not (each.choice or each.unread))
        if any(each.party for each in clauses) or (asked and any(plain)):
            said = beside = ""
            continue
        said = (beside if asked else "") or said
        talk = [clause.text for clause in clauses if clause.act in ("chat", "tell")]
        unread = [each for clause in clauses for each in clause.unread]
        searched = [each for clause in clauses for each in clause.unread if clause.places or clause.dates]
        said = next((each for each in searched if _DIGIT.search(each)), said)
        beside = next((each for each in (*talk, *unread) if _DIGIT.search(each)), "")
    return beside or said


def wants_booked(dialogue: Dialogue) -> list[Kind]:
    """Return the parts that the message wants booked, in the order said."""
    state, clauses, found = dialogue.state, dialogue.step.said.clauses, list[Kind]()
    acts = {clause.act for clause in clauses}
    beside = any(clause.act == "book" and not clause.kinds for clause in clauses)
    taken = state.frame is not None and state.frame.taken and state.frame.status == "open" and not state.frame.raised
    for clause in clauses:
        swaps = clause.act == "change" and bool(state.changing and clause.choice and clause.dates is None)
        books = clause.act == "book" or swaps or (clause.act in ("confirm", "choose") and _agrees(dialogue, clause))
        points = bool(clause.kinds or clause.choice)
        every, frames = clause.choice == Choice(every=True) and not clause.kinds, on_table(state, clause)
        for frame in (_both(frames) if every else frames) if books or clause.act == "choose" else ():
            raised = frame.raised and ("reject" not in acts or "book" in acts)
            meant = points or not state.raised or frame.kind in state.raised or taken
            if (books or raised or beside) and meant and not points_nowhere(frame, clause):
                found.append(frame.kind)
        if books and not points and dialogue.step.question == "ask_both":
            offered = [frame for frame in state.trip.of_status("open") if frame.chosen]
            found += [frame.kind for frame in [each for each in offered if each.taken] or offered]
        elif books and not points and not taken:
            found += state.raised if dialogue.step.question != "ask_book" or len(state.raised) == 1 else ()
    return list(dict.fromkeys(found))


def _both(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Return what "both" and "all" mean of some parts: those that the traveller took, where they took several."""
    taken = [frame for frame in frames if frame.taken]
    return taken if len(taken) > 1 else frames


def _agrees(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a yes, or "both", is one to what was proposed: it changes nothing of it, and asks nothing."""
    asked, clauses = dialogue.step.question, dialogue.step.said.clauses
    if clause.act == "choose" and not (asked == "ask_both" and clause.choice == Choice(every=True)):
        return False
    changes = dialogue.step.heard.known != dialogue.step.before.known
    unsure = frozenset({"ask", "reject", "bye"})
    if any(each.dates or each.party or each.act in unsure or (changes and each.places) for each in clauses):
        return False
    return bool(asked in _YES or (not asked and dialogue.state.raised) or clause.kinds or clause.choice)


def _of_offers(dialogue: Dialogue) -> list[Call]:
    """Return holds and bookings; what was searched in this turn is put up only where the message itself chose."""
    state, clauses = dialogue.state, dialogue.step.said.clauses
    if any(each.tool in _BOOKING for each in dialogue.outcomes):
        return []
    if hold := next((clause for clause in clauses if clause.act == "hold"), None):
        return [("hold_offer", _offer(frame)) for frame in on_table(state, hold) if frame.chosen]
    flight = state.trip.frames.get("flight")
    if dialogue.step.question == "ask_replace" and any(c.act in ("confirm", "book", "change") for c in clauses):
        cancels: Call = ("cancel_booking", {"booking": state.changing})
        return [("book_offer", _offer(flight)), cancels] if flight and flight.chosen and state.changing else []
    unsure = any(clause.act == "ask" and clause.topic in ("best", "why") for clause in clauses)
    if unsure or unclear_people(dialogue):
        return []
    fresh = {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}
    calls: list[Call] = []
    for kind in wants_booked(dialogue):
        frame = state.trip.frames.get(kind)
        if not frame or not frame.chosen or (kind in fresh and not frame.taken):
            continue
        if state.changing and kind == "flight":
            calls.append(("change_booking", {"booking": state.changing, "new_offer_id": frame.chosen["offer_id"]}))
        elif frame.status == "open":
            maps = needs_seat_map(dialogue, frame) and not dialogue.last_of("seat_map")
            extras = {} if maps else booking_extras(dialogue, frame)
            calls.append(("seat_map" if maps else "book_offer", {**_offer(frame), **extras}))
    return [call for call in calls if call[0] == "seat_map"] or calls


def _offer(frame: Frame) -> dict[str, Any]:
    return {"offer_id": (frame.chosen or {})["offer_id"]}


def _is_about_booking(dialogue: Dialogue, clause: Clause) -> bool:
    step, heard = dialogue.step, dialogue.step.heard
    if step.question == "ask_booking" and clause.act not in ("ask", "greet", "thanks", "reject"):
        return True
    if step.question == "ask_seats" and clause.act in ("confirm", "choose", "book"):
        return True
    if clause.act in ("bags", "seats"):
        return booked_flight(heard) is not None or not heard.trip.frames
    if _wants_seat(heard, clause):
        return True
    if clause.act == "cancel":
        return step.question != "ask_replace" and not drops_trip(step.before, clause)
    return clause.act == "change" and not heard.changing and not heard.trip.frames


def _wants_seat(state: State, clause: Clause) -> bool:
    """Return whether a wish is for a seat on the flight that is booked, and nothing else is on the table."""
    seat_alone = clause.act == "inform" and clause.wishes.seat and not (clause.places or clause.dates or clause.kinds)
    return bool(seat_alone and booked_flight(state) and not any(f.shown for f in state.trip.of_status("open")))


def drops_trip(state: State, clause: Clause) -> bool:
    """Return whether "cancel the trip" only drops what was talked about: nothing is booked in this conversation."""
    named = clause.kinds or (clause.choice and clause.choice.reference)
    return state.trip.begun and not state.bookings and not named


def _of_booking(dialogue: Dialogue, clause: Clause) -> list[Call]:
    """Return what is done to a booking; the bookings are listed first, so that none is missed."""
    state, asked = dialogue.state, dialogue.step.question
    act = "cancel" if asked == "ask_booking" and clause.act not in _OF_BOOKINGS else clause.act
    act = "seats" if _wants_seat(state, clause) else act
    if (act in ("bags", "seats") or asked == "ask_seats") and (flight := booked_flight(state)):
        return _on_flight(dialogue, clause, flight)
    if asked != "ask_booking" and all(each.tool != "list_bookings" for each in dialogue.now.outcomes):
        return [("list_bookings", {})]
    meant = cancellable(state, clause) if act == "cancel" else []
    one = len(meant) == 1 or (clause.choice and clause.choice.every)
    return [("cancel_booking", {"booking": each}) for each in meant] if one else []


def _on_flight(dialogue: Dialogue, clause: Clause, flight: Booking) -> list[Call]:
    booking = {"booking": str(flight.facts["booking"])}
    if clause.act == "bags":
        company, _ = company_of(dialogue.state, "flight", dialogue.standing)
        each = company.adults + company.children if clause.choice and clause.choice.every else 1
        return [("add_bags", {**booking, "bags": each * (clause.wishes.bags or 1)})]
    if flight.offer is None:
        return []
    looked = dialogue.last_of("seat_map")
    if looked is None:
        return [("seat_map", {"offer_id": flight.offer["offer_id"]})]
    seats = seats_for(dialogue, looked)
    return [("choose_seats", {**booking, "seats": seats})] if seats else []


def booked_flight(state: State) -> Booking | None:
    """Return the flight that is booked for the trip under way, else the only one that is booked."""
    frame = state.trip.frames.get("flight")
    if frame and frame.booking:
        return state.bookings.get(frame.booking)
    flights = [each for each in state.bookings.values() if each.live and each.facts.get("kind") == "flight"]
    return flights[0] if len(flights) == 1 else None


def cancellable(state: State, clause: Clause) -> list[str]:
    """Return the references of the bookings that "cancel …" may mean."""
    live, choice = {name: each.facts for name, each in state.bookings.items() if each.live}, clause.choice
    if choice and choice.reference:
        return [name for name in live if name == choice.reference]
    named = [name for name, facts in live.items() if not clause.kinds or facts.get("kind") in clause.kinds]
    if choice and choice.ordinal is not None and len(named) > 1:
        return named[choice.ordinal : choice.ordinal + 1]
    own = {frame.booking for frame in state.trip.frames.values()}
    here = [name for name in named if name in own]
    return here if len(here) == 1 and not (choice and choice.every) else named


_BAGS = re.compile(r"(?P<count>\d)? ?checked bags? included|預け荷物(?:込み|(?P<number>\d)個)")
_POSITIONS = ("aisle", "window", "middle")
_MOST_REQUESTS = 5


def preferred_seat(dialogue: Dialogue, frame: Frame | None = None) -> str:
    """Return `aisle` or `window`, as asked for in this conversation or remembered to hold always; empty for neither."""
    frames = [each for trip in dialogue.state.trips for each in trip.frames.values()] if frame is None else [frame]
    said = [str(each.value("seat")) for each in frames if each.value("seat") in ("aisle", "window")]
    return said[-1] if said else dialogue.standing.seat


def missing_bags(frame: Frame, offer: Offer) -> int:
    """Return how many checked bags are wished for that the fare does not include."""
    missed = next((found for each in offer.get("misses") or [] if (found := _BAGS.fullmatch(str(each)))), None)
    noted = int(missed["count"] or missed["number"] or 1) if missed else 0
    wished = frame.value("bags")
    return max(0, int(noted if wished is None else wished) - int(offer.get("checked_bags") or 0))


def needs_seat_map(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether seats are to be chosen for the offer before it is booked."""
    wanted = preferred_seat(dialogue, frame) or frame.value("seat")
    return bool(wanted) and (frame.chosen or {}).get("seat_choice") in {"free", "paid"} and not _bare(dialogue)


def _bare(dialogue: Dialogue) -> bool:
    """Return whether the message wants nothing added."""
    return any("extras" in clause.wishes.dropped for clause in dialogue.step.said.clauses)


def booking_extras(dialogue: Dialogue, frame: Frame) -> dict[str, Any]:
    """Return the arguments of `book_offer` beside the offer: free seats from the map of this turn, bags, requests."""
    found: dict[str, Any] = {"requests": requests_for(frame)}
    if frame.kind == "flight" and not _bare(dialogue):
        looked = dialogue.last_of("seat_map")
        seats = seats_for(dialogue, looked) if looked and needs_seat_map(dialogue, frame) else []
        found = {"seats": seats, "extra_bags": missing_bags(frame, frame.chosen or {}), **found}
    return {name: value for name, value in found.items() if value}


def requests_for(frame: Frame) -> list[str]:
    """Return what is asked for with the booking because no search takes it."""
    unsearched = [each for each in frame.value("features") or () if each not in FEATURES]
    meal = [f"{frame.value('meal')} meal"] if frame.value("meal") else []
    return list(dict.fromkeys([*(frame.value("requests") or ()), *unsearched, *meal]))[:_MOST_REQUESTS]


def seats_for(dialogue: Dialogue, looked: Outcome) -> list[dict[str, Any]]:
    """Return seats on each flight of a map: one of the side wished for, and the nearest in its row for the others."""
    side, company = preferred_seat(dialogue), company_of(dialogue.state, "flight", dialogue.standing)[0]
    count = company.adults + company.children
    return [seat for plane in looked.listed("segments") for seat in _seats(plane, side, count)]


def _seats(plane: Mapping[str, Any], side: str, count: int) -> list[dict[str, Any]]:
    free = {name: [str(seat).split(" ")[0] for seat in plane.get("free", {}).get(name, [])] for name in _POSITIONS}
    every = [seat for name in _POSITIONS for seat in free[name]]

    def together(seat: str) -> list[str]:
        row = [other for other in every if other[:-1] == seat[:-1]]
        return sorted(row, key=lambda other: (abs(ord(other[-1]) - ord(seat[-1])), other))[:count]

    groups = map(together, free.get(side) or sorted(every, key=lambda seat: int(seat[:-1])))
    best: list[str] = next((each for each in groups if len(each) == count), [])
    return [{"segment": plane.get("segment", 0), "seat": seat} for seat in best]
