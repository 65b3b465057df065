"""What the running message wants done to offers and bookings, and what goes with it, as tool calls for approval."""

from collections.abc import Sequence
from typing import Any, Literal

from models.offline.dialogue.conflicts import options_asked
from models.offline.dialogue.extras import booking_extras, needs_seat_map, seats_for
from models.offline.dialogue.turn import Dialogue
from models.offline.dialogue.unclear import unclear
from models.offline.reading.understanding import Choice, Clause, Kind
from models.offline.trips.choosing import booked_at, on_table, points_nowhere
from models.offline.trips.frames import Booking, Frame, State
from models.offline.trips.offers import SEARCHES
from models.offline.trips.searching import company_of
from models.offline.trips.wishes import WISHES

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""
Deed = Literal["book", "again", "hold", "replace", "cancel", "bags", "seats", "change", ""]
_YES = frozenset({"ask_people", "ask_book", "ask_both", "ask_sure", "ask_change", "ask_seats", "ask_other"})
"""Questions that a yes answers by doing what was proposed."""
_PUT_UP = frozenset({"book_offer", "hold_offer", "change_booking"})
_TO_BOOKING = frozenset({"cancel", "bags", "seats", "change"})
_EXTRAS = frozenset(name for name, wish in WISHES.items() if wish.met == "booking")


def deed(dialogue: Dialogue, clause: Clause) -> Deed:
    """Return what a clause does: its act, against what was asked last and what is on the table.

    Nothing else leads to a booking, a change or a cancellation. What is not here does nothing, and the reply asks.
    `again` puts up what was put up before, `replace` books a flight and cancels the one that can't be changed.
    """
    state, heard, said = dialogue.state, dialogue.step.heard, dialogue.step.said.clauses
    points, agrees = bool(clause.kinds or clause.choice), _agrees(dialogue, clause)
    more = clause.places or clause.dates or clause.kinds  # than a seat for the flight that is booked
    match clause.act, dialogue.step.question:
        case ("bags" | "seats" | "cancel" | "change") as act, "ask_booking":
            return act
        case act, "ask_booking" if act not in ("ask", "greet", "thanks", "reject"):
            return "cancel"
        case "confirm" | "choose" | "book", "ask_seats":
            return "seats"
        case ("bags" | "seats") as act, _ if booked_flight(heard) or not heard.trip.frames:
            return act
        case "inform", _ if clause.wishes.seat and booked_flight(heard) and not (more or heard.trip.shown):
            return "seats"
        case "cancel", asked if asked != "ask_replace" and not drops_trip(dialogue.step.before, clause):
            return "cancel"
        case "change", _ if not (heard.changing or heard.trip.frames):
            return "change"
        case "hold", _:
            return "hold"
        case "confirm" | "book" | "change", "ask_replace":
            return "replace"
        case "book", "ask_both" if (of := clause.choice) and not (clause.kinds or of.that or of.every or of.name):
            return ""  # "the cheapest one": of which part?
        case ("book" | "change") as act, _ if act == "book" or (state.changing and clause.choice and not clause.dates):
            return "book"
        case "confirm", asked if agrees and (asked in _YES or (state.raised and not asked) or points):
            return "book"
        case "choose", _ if agrees and _answers(dialogue, clause):
            return "book"
        case "choose", _:
            return "book" if _is_ordered_too(clause, said) else "again"
    return ""


def _is_ordered_too(clause: Clause, said: Sequence[Clause]) -> bool:
    """Return whether an order beside a choice means what was chosen as well: it names no part, or another one."""
    chosen = clause.kinds if clause.choice and not clause.choice.that else ()
    return any(not each.kinds or (chosen and each.kinds != chosen) for each in said if each.act == "book")


def _answers(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a choice is a yes to the question: a number and no more, or all parts that were asked about.

    In English a number that answers is an order as it is read.
    """
    step, asked = dialogue.step, dialogue.step.question
    if asked == "ask_sure":
        return dialogue.words.code == "ja" and "named" in clause.holds <= {"kinds", "which ordinal", "named"}
    taken = {kind for each in step.said.clauses if each.act == "choose" and each.choice for kind in each.kinds}
    all_taken = taken >= {frame.kind for frame in step.heard.trip.shown}
    return asked == "ask_both" and (clause.choice == Choice(every=True) or all_taken)


def _agrees(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a yes is one to what was proposed: the message changes nothing of it, and asks nothing.

    A no to one part leaves the yes to another ("the hotel is fine, but wait with the flight").
    """
    step, unsure = dialogue.step, ("ask", "reject", "bye")
    changes = step.heard.known != step.before.known
    apart = [each for each in step.said.clauses if each.kinds and clause.kinds and not {*each.kinds} & {*clause.kinds}]
    several = step.question == "ask_both" or len(step.before.raised) > 1
    narrows = several and clause.act == "confirm" and clause.kinds
    apart += [each for each in step.said.clauses if narrows and not each.kinds]  # "no, only the flight"
    others = [each for each in step.said.clauses if not (each.act == "reject" and each in apart)]
    return not any(each.dates or each.party or each.act in unsure or (changes and each.places) for each in others)


def acting_calls(dialogue: Dialogue) -> list[Call]:
    """Return the calls that act, or that have to come before; each tool is called once in a turn.

    What is done to a booking goes before what is done to offers.
    """
    deeds = [(deed(dialogue, clause), clause) for clause in dialogue.step.said.clauses]
    of_bookings = [call for each in deeds if each[0] in _TO_BOOKING for call in _of_booking(dialogue, *each)]
    found = of_bookings or _of_offers(dialogue, deeds)
    return [call for at, call in enumerate(found) if call not in found[:at] and dialogue.last_of(call[0]) is None]


def _of_offers(dialogue: Dialogue, deeds: Sequence[tuple[Deed, Clause]]) -> list[Call]:
    """Return holds and bookings; what was searched in this turn is put up only where the message itself chose."""
    state, flight = dialogue.state, dialogue.state.trip.frames.get("flight")
    if any(each.tool in _PUT_UP for each in dialogue.outcomes):
        return []
    for name, clause in deeds:
        if name == "hold":
            return [("hold_offer", _offer(frame)) for frame in on_table(state, clause) if frame.chosen]
        if name == "replace":
            cancels: Call = ("cancel_booking", {"booking": state.changing})
            return [("book_offer", _offer(flight)), cancels] if flight and flight.chosen and state.changing else []
    before = dialogue.transcript.before
    if before and options_asked(before[-1]):
        return []  # no offers were shown with that question
    if unclear(dialogue) or any(each.topic in ("best", "why") for _, each in deeds if each.act == "ask"):
        return []
    fresh = {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}
    calls: list[Call] = []
    for kind in _meant(dialogue, deeds):
        frame = state.trip.frames.get(kind)
        if not frame or not frame.chosen or (frame.kind in fresh and not frame.taken):
            continue
        if state.changing and frame.kind == "flight":
            calls.append(("change_booking", {"booking": state.changing, "new_offer_id": frame.chosen["offer_id"]}))
        elif frame.status == "open":
            maps = needs_seat_map(dialogue, frame) and not dialogue.last_of("seat_map")
            extras = {} if maps else booking_extras(dialogue, frame)
            calls.append(("seat_map" if maps else "book_offer", {**_offer(frame), **extras}))
    return [call for call in calls if call[0] == "seat_map"] or calls


def _meant(dialogue: Dialogue, deeds: Sequence[tuple[Deed, Clause]]) -> list[Kind]:
    """Return the parts that the message wants booked, in the order said."""
    state, asked, found = dialogue.state, dialogue.step.question, list[Kind]()
    acts = {clause.act for _, clause in deeds}
    again = "reject" not in acts or "book" in acts
    waits = {kind for _, clause in deeds if clause.act == "reject" for kind in clause.kinds}
    taken = state.frame is not None and state.frame.taken and state.frame.status == "open" and not state.frame.raised
    for name, clause in deeds:
        if name not in ("book", "again"):
            continue
        both = asked == "ask_both" and clause.choice == Choice(that=True)
        points, books = bool(clause.kinds or (clause.choice and not both)), name == "book"
        every, frames = clause.choice == Choice(every=True) and not clause.kinds, on_table(state, clause)
        for frame in _both(frames) if every else frames:
            meant = points or not state.raised or frame.kind in state.raised or taken
            if (books or (frame.raised and again)) and meant and not points_nowhere(frame, clause):
                found.append(frame.kind)
        if points or not books:
            continue
        if asked == "ask_both":
            found += [frame.kind for frame in _both([each for each in state.trip.of_status("open") if each.chosen])]
        elif not taken and (asked != "ask_book" or len(state.raised) == 1):
            found += state.raised
    found += [kind for kind in state.raised if _is_added_to(dialogue, state.trip.frames[kind])]
    return [kind for kind in dict.fromkeys(found) if kind not in waits]


def _is_added_to(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether the message wishes for what goes with the booking of a part that was put up for approval."""
    step, now = dialogue.step, len(dialogue.steps) - 1
    before, heard = (state.trip.frames.get(frame.kind, frame).slots for state in (step.before, step.heard))
    changed = (name not in heard or heard[name].turn == now for name in _EXTRAS & {*before, *heard})
    return step.before.at == dialogue.state.at and any(changed)


def _both(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Return what "both" and "all" mean of some parts: those that the traveller took, where they took several."""
    taken = [frame for frame in frames if frame.taken]
    return taken if len(taken) > 1 else frames


def _offer(frame: Frame) -> dict[str, Any]:
    return {"offer_id": (frame.chosen or {})["offer_id"]}


def drops_trip(state: State, clause: Clause) -> bool:
    """Return whether "cancel the trip" only drops what was talked about: nothing is booked in this conversation."""
    named = clause.kinds or (clause.choice and clause.choice.reference)
    booked = state.bookings or state.trip.of_status("booked")
    return state.trip.begun and not booked and not named


def _of_booking(dialogue: Dialogue, name: Deed, clause: Clause) -> list[Call]:
    """Return what is done to a booking; the bookings are listed first, so that none is missed."""
    state = dialogue.state
    if name in ("bags", "seats") and (flight := booked_flight(state)):
        return _on_flight(dialogue, name, clause, flight)
    if dialogue.step.question != "ask_booking" and dialogue.last_of("list_bookings") is None:
        return [("list_bookings", {})]
    meant = cancellable(state, clause) if name == "cancel" else []
    one = len(meant) == 1 or (clause.choice and clause.choice.every) or {*meant} == booked_at(state, clause)
    return [("cancel_booking", {"booking": each}) for each in meant] if one else []


def _on_flight(dialogue: Dialogue, name: Deed, clause: Clause, flight: Booking) -> list[Call]:
    booking = {"booking": str(flight.facts["booking"])}
    if name == "bags":
        company, _ = company_of(dialogue.state, "flight", dialogue.standing)
        each = company.adults + company.children if clause.choice and clause.choice.every else 1
        return [("add_bags", {**booking, "bags": each * (clause.wishes.bags or 1)})]
    looked, offer = dialogue.last_of("seat_map"), flight.offer or {}
    if looked is None:
        return [("seat_map", {"offer_id": offer["offer_id"]})] if offer else []
    chooses = offer.get("seat_choice") != "at check-in"
    seats = seats_for(dialogue, looked, anew=True) if chooses else []
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
    if there := booked_at(state, clause):
        return [name for name in named if name in there]
    own = {frame.booking for frame in state.trip.frames.values()}
    here = [name for name in named if name in own]
    return here if len(here) == 1 and not (choice and choice.every) else named
