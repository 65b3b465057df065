"""What the running message wants done to offers and bookings, as tool calls that wait for approval."""

from __future__ import annotations

import re
from typing import Any

from models.offline.dialogue.asks import Call
from models.offline.dialogue.extras import booking_extras, needs_seat_map, seats_for
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Clause, Kind
from models.offline.trips.choosing import chosen_offer, said_wishes
from models.offline.trips.frames import Booking, Frame, State
from models.offline.trips.offers import SEARCHES, error_text
from models.offline.trips.searching import company_of
from models.offline.trips.taking import on_table

_YES = frozenset({"ask_people", "ask_book", "ask_both", "ask_sure", "ask_change", "ask_seats", "ask_other"})
"""Questions that a yes answers by doing what was proposed."""
_DIGIT = re.compile(r"\d")
_OF_BOOKINGS = frozenset({"cancel", "bags", "seats", "change"})


def acting_calls(dialogue: Dialogue) -> list[Call]:
    """Return the calls that act, or that have to come before; each act is tried once in a turn."""
    state = dialogue.state
    found: list[Call] = []
    for clause in dialogue.step.said.clauses:
        found += _of_booking(dialogue, clause) if _is_about_booking(dialogue, clause) else []
    offers = [] if found else _of_offers(dialogue, state)
    return [call for call in (*found, *offers) if not _tried(dialogue, call[0], call[1])]


def unclear_people(dialogue: Dialogue) -> str:
    """Return a number of an earlier message that nobody could read, while nobody said how many travel: ask first."""
    said = ""
    for step in dialogue.steps:
        if step.question == "ask_people" or any(clause.party for clause in step.said.clauses):
            said = ""
        elif step is not dialogue.step:
            unread = [each for clause in step.said.clauses for each in clause.unread if clause.places or clause.dates]
            said = next((each for each in unread if _DIGIT.search(each)), said)
    return said


def _tried(dialogue: Dialogue, name: str, given: dict[str, Any]) -> bool:
    key = "offer_id" if "offer_id" in given else "booking" if "booking" in given else ""
    same = (each for each in dialogue.now.outcomes if each.tool == name)
    return any(each.given.get(key) == given.get(key) for each in same)


def wants_booked(dialogue: Dialogue) -> list[Kind]:
    """Return the parts that the message wants booked, in the order said."""
    state, found = dialogue.state, list[Kind]()
    clauses = dialogue.step.said.clauses
    not_yet = any(clause.act == "reject" for clause in clauses) and not any(c.act == "book" for c in clauses)
    for clause in clauses:
        swaps = clause.act == "change" and bool(state.changing and clause.choice and clause.dates is None)
        books = clause.act == "book" or swaps or (clause.act == "confirm" and _agrees(dialogue, clause))
        for frame in on_table(state, clause) if books or clause.act in ("choose", "confirm") else ():
            if _points_nowhere(clause, frame):
                continue
            raised = clause.act == "choose" and frame.raised and not not_yet
            if (books or raised or (clause.act == "choose" and _books_beside(clauses))) and _is_meant(
                state, clause, frame
            ):
                found.append(frame.kind)
        if books and not clause.kinds and clause.choice is None and not _just_taken(state):
            found += [kind for kind in state.raised if dialogue.step.question != "ask_book" or len(state.raised) == 1]
            found += [frame.kind for frame in state.trip.of_status("open") if frame.chosen] if _both(dialogue) else []
    return list(dict.fromkeys(found))


def _points_nowhere(clause: Clause, frame: Frame) -> bool:
    """Return whether a message names an offer that is not among those shown: another one is not meant then."""
    choice = clause.choice
    points = choice is not None and (choice.ordinal is not None or bool(choice.name or choice.hour or choice.price))
    return points and bool(clause.kinds) and chosen_offer(frame, choice, said_wishes(clause.wishes)) is None


def _is_meant(state: State, clause: Clause, frame: Frame) -> bool:
    """Return whether a part is meant; a yes without names means what was put up, where anything was."""
    return bool(clause.kinds or clause.choice or not state.raised or frame.kind in state.raised or _just_taken(state))


def _just_taken(state: State) -> bool:
    """Return whether the part talked about has an offer that the traveller took and that was not put up yet."""
    frame = state.frame
    return frame is not None and frame.taken and frame.status == "open" and not frame.raised


def _books_beside(clauses: tuple[Clause, ...]) -> bool:
    return any(clause.act == "book" and not clause.kinds for clause in clauses)


def _both(dialogue: Dialogue) -> bool:
    return dialogue.step.question == "ask_both"


def _agrees(dialogue: Dialogue, clause: Clause) -> bool:
    state = dialogue.state
    asked = dialogue.step.question
    if any(other.dates or other.party or other.places for other in dialogue.step.said.clauses):
        return False
    return bool(asked in _YES or (not asked and state.raised) or clause.kinds or clause.choice)


def _of_offers(dialogue: Dialogue, state: State) -> list[Call]:
    """Return holds and bookings; what was searched in this turn is put up only where the message itself chose."""
    if any(each.tool in ("book_offer", "hold_offer", "change_booking") for each in dialogue.outcomes):
        return []
    fresh = {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}
    holds = [clause for clause in dialogue.step.said.clauses if clause.act == "hold"]
    for clause in holds:
        frames = [frame for frame in on_table(state, clause) if frame.chosen]
        return [("hold_offer", {"offer_id": frame.chosen["offer_id"]}) for frame in frames if frame.chosen]
    if dialogue.step.question == "ask_replace" and any(
        clause.act in ("confirm", "book", "change") for clause in dialogue.step.said.clauses
    ):
        return _replacing(state)
    calls: list[Call] = []
    if unclear_people(dialogue):
        return []
    for kind in wants_booked(dialogue):
        frame = state.trip.frames.get(kind)
        if frame and frame.chosen and (kind not in fresh or frame.taken):
            if state.changing and kind == "flight":
                calls.append(("change_booking", {"booking": state.changing, "new_offer_id": frame.chosen["offer_id"]}))
            elif frame.status == "open":
                calls.append(_booking(dialogue, frame))
    maps = [call for call in calls if call[0] == "seat_map"]
    return maps or calls


def _replacing(state: State) -> list[Call]:
    """Return the new booking and the end of the old one, for a flight that its fare does not let change."""
    flight = state.trip.frames.get("flight")
    if not flight or not flight.chosen or not state.changing:
        return []
    return [("book_offer", {"offer_id": flight.chosen["offer_id"]}), ("cancel_booking", {"booking": state.changing})]


def _booking(dialogue: Dialogue, frame: Frame) -> Call:
    assert frame.chosen is not None
    if needs_seat_map(dialogue, frame) and not any(each.tool == "seat_map" for each in dialogue.now.outcomes):
        return "seat_map", {"offer_id": frame.chosen["offer_id"]}
    return "book_offer", {"offer_id": frame.chosen["offer_id"], **booking_extras(dialogue, frame)}


def _is_about_booking(dialogue: Dialogue, clause: Clause) -> bool:
    step = dialogue.step
    if step.question == "ask_booking" and clause.act not in ("ask", "greet", "thanks", "reject"):
        return True
    if step.question == "ask_seats" and clause.act in ("confirm", "choose", "book"):
        return True
    if clause.act not in _OF_BOOKINGS:
        return False
    if clause.act in ("bags", "seats"):
        return booked_flight(step.heard) is not None or not step.heard.trip.frames
    return (clause.act == "cancel" and not drops_trip(step.before, clause)) or (
        clause.act == "change" and not step.heard.changing and not step.heard.trip.frames
    )


def drops_trip(state: State, clause: Clause) -> bool:
    """Return whether "cancel the trip" only drops what was talked about: nothing is booked in this conversation."""
    return state.trip.begun and not state.bookings and not clause.kinds and not _reference(clause)


def _reference(clause: Clause) -> str:
    return clause.choice.reference if clause.choice else ""


def _of_booking(dialogue: Dialogue, clause: Clause) -> list[Call]:
    """Return what is done to a booking; the bookings are listed first, so that none is missed."""
    state = dialogue.state
    act = "cancel" if dialogue.step.question == "ask_booking" and clause.act not in _OF_BOOKINGS else clause.act
    if act in ("bags", "seats") or dialogue.step.question == "ask_seats":
        flight = booked_flight(state)
        if flight is not None:
            return _on_flight(dialogue, clause, flight)
    if (
        not any(each.tool == "list_bookings" for each in dialogue.now.outcomes)
        and dialogue.step.question != "ask_booking"
    ):
        return [("list_bookings", {})]
    if act == "cancel":
        meant = cancellable(state, clause)
        every = bool(clause.choice and clause.choice.every)
        return [("cancel_booking", {"booking": each}) for each in meant] if len(meant) == 1 or every else []
    return []


def _on_flight(dialogue: Dialogue, clause: Clause, flight: Booking) -> list[Call]:
    reference = str(flight.facts["booking"])
    if clause.act == "bags":
        company, _ = company_of(dialogue.state, "flight", dialogue.standing)
        each = company.adults + company.children if clause.choice and clause.choice.every else 1
        return [("add_bags", {"booking": reference, "bags": each * (clause.wishes.bags or 1)})]
    if flight.offer is None:
        return []
    looked = next((each for each in dialogue.now.outcomes[::-1] if each.tool == "seat_map"), None)
    if looked is None:
        return [("seat_map", {"offer_id": flight.offer["offer_id"]})]
    if error_text(looked):
        return []
    seats = seats_for(dialogue, looked)
    return [("choose_seats", {"booking": reference, "seats": seats})] if seats else []


def booked_flight(state: State) -> Booking | None:
    """Return the flight that is booked for the trip under way, else the only one that is booked."""
    frame = state.trip.frames.get("flight")
    if frame and frame.booking:
        return state.bookings.get(frame.booking)
    flights = [each for each in state.bookings.values() if each.live and each.facts.get("kind") == "flight"]
    return flights[0] if len(flights) == 1 else None


def cancellable(state: State, clause: Clause) -> list[str]:
    """Return the references of the bookings that "cancel …" may mean."""
    live = {name: each.facts for name, each in state.bookings.items() if each.live}
    if reference := _reference(clause):
        return [name for name in live if name == reference]
    if clause.kinds:
        live = {name: facts for name, facts in live.items() if facts.get("kind") in clause.kinds}
    if clause.choice and clause.choice.ordinal is not None and len(live) > 1:
        return list(live)[clause.choice.ordinal : clause.choice.ordinal + 1]
    own = {frame.booking for frame in state.trip.frames.values()}
    here = [name for name in live if name in own]
    return here if len(here) == 1 and not (clause.choice and clause.choice.every) else list(live)
