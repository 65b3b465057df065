"""Turns the current message into tool calls that book, hold, change or cancel. Each call waits for approval."""

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
from models.offline.trips.wishes import WISHES, left_out, said_wishes

Call = tuple[str, dict[str, Any]]
"""A tool and its arguments."""
Deed = Literal["book", "again", "hold", "replace", "cancel", "bags", "seats", "change", ""]
_YES = frozenset({"ask_people", "ask_book", "ask_both", "ask_all", "ask_sure", "ask_change", "ask_seats", "ask_other"})
"""Questions to which a yes means: do what was proposed."""
_BOOKING_DEEDS = frozenset({"cancel", "bags", "seats", "change"})
_EXTRAS = frozenset(name for name, wish in WISHES.items() if wish.met == "booking")


def deed(dialogue: Dialogue, clause: Clause) -> Deed:
    """Return the action that a clause asks for, given the last question and the offers that are shown.

    Nothing else leads to a booking, a change or a cancellation. A clause that no case matches does nothing, and the
    reply asks. `again` submits a part for approval once more; `replace` books a part anew whose booking can't be
    changed, and cancels that.
    """
    state, heard, clauses = dialogue.state, dialogue.step.heard, dialogue.step.said.clauses
    points, agrees = bool(clause.kinds or clause.choice), _agrees(dialogue, clause)
    more = clause.places or clause.dates or clause.kinds  # more than a seat for the booked flight
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
        case "confirm" | "book" | "change", ("ask_replace" | "ask_change") as asked if agrees and _moves(heard, clause):
            return "replace" if asked == "ask_replace" else "book"
        case "book", "ask_both" if (of := clause.choice) and not (clause.kinds or of.that or of.every or of.name):
            return ""  # "the cheapest one": of which part?
        case ("book" | "change") as act, _ if act == "book" or (state.changing and clause.choice and not clause.dates):
            return "book"
        case "confirm", asked if agrees and (asked in _YES or (state.raised and not asked) or points):
            return "book"
        case "choose", _ if agrees and _answers(dialogue, clause):
            return "book"
        case "choose", _:
            return "book" if _is_ordered_too(clause, clauses) else "again"
    return ""


def _moves(state: State, clause: Clause) -> bool:
    """Return whether a yes can be one to the new offer for a booked part: it names no other part, and has no wish."""
    moving = state.moving
    return bool(moving and moving.kind in (clause.kinds or (moving.kind,)) and not said_wishes(clause.wishes))


def _is_ordered_too(clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Return whether a booking order in the same message covers this choice: it names no part, or another part."""
    chosen = clause.kinds if clause.choice and not clause.choice.that else ()
    return any(not each.kinds or (chosen and each.kinds != chosen) for each in clauses if each.act == "book")


def _answers(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a choice answers the question with a yes: a bare number, or all the parts that it asked about."""
    step, asked = dialogue.step, dialogue.step.question
    if asked == "ask_sure":  # the English reader returns such a number as an order
        return dialogue.words.code == "ja" and "named" in clause.holds <= {"kinds", "which ordinal", "named"}
    taken = {kind for each in step.said.clauses if each.act == "choose" and each.choice for kind in each.kinds}
    all_taken = taken >= {frame.kind for frame in step.heard.trip.shown}
    return asked == "ask_both" and (clause.choice == Choice(every=True) or all_taken)


def _agrees(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a yes accepts the proposal as it is: the message changes nothing of it, and asks nothing."""
    step, unsure = dialogue.step, ("ask", "reject", "bye")
    changes = step.heard.known != step.before.known
    # a no to one part doesn't cancel a yes to another ("the hotel is fine, but wait with the flight")
    apart = [each for each in step.said.clauses if each.kinds and clause.kinds and not {*each.kinds} & {*clause.kinds}]
    several = step.question == "ask_both" or len(step.before.raised) > 1
    narrows = several and clause.act == "confirm" and clause.kinds
    apart += [each for each in step.said.clauses if narrows and not each.kinds]  # "no, only the flight"
    others = [each for each in step.said.clauses if not (each.act == "reject" and each in apart)]
    return not any(each.dates or each.party or each.act in unsure or (changes and each.places) for each in others)


def acting_calls(dialogue: Dialogue) -> list[Call]:
    """Return the calls that the message asks for, or the look-ups that these need first.

    Calls on existing bookings come before calls on offers. No tool is called again that already answered in this turn.
    """
    deeds = [(deed(dialogue, clause), clause) for clause in dialogue.step.said.clauses]
    on_bookings = [call for each in deeds if each[0] in _BOOKING_DEEDS for call in _booking_calls(dialogue, *each)]
    calls = on_bookings or _offer_calls(dialogue, deeds)
    return [call for at, call in enumerate(calls) if call not in calls[:at] and dialogue.last_of(call[0]) is None]


def _offer_calls(dialogue: Dialogue, deeds: Sequence[tuple[Deed, Clause]]) -> list[Call]:
    """Return holds and bookings of offers; an offer found in this turn is booked only if the message chose it."""
    state = dialogue.state
    if any(each.tool in ("book_offer", "hold_offer", "change_booking") for each in dialogue.outcomes):
        return []
    for name, clause in deeds:
        if name == "hold":
            offers = [frame.chosen for frame in on_table(state, clause) if frame.chosen]
            return [("hold_offer", {"offer_id": offer["offer_id"]}) for offer in offers]
    before = dialogue.transcript.before
    if before and options_asked(before[-1]):
        return []  # no offers were shown with that question
    if unclear(dialogue) or any(each.topic in ("best", "why") for _, each in deeds if each.act == "ask"):
        return []
    fresh = {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}
    replaces, calls = any(name == "replace" for name, _ in deeds), list[Call]()
    for kind in _parts_to_book(dialogue, deeds):
        frame = state.trip.frames.get(kind)
        if not frame or not frame.chosen or (frame.kind in fresh and not (frame.taken and _is_told(dialogue, frame))):
            continue
        moves = frame is state.moving
        if moves and frame.kind == "flight" and not replaces:
            calls.append(("change_booking", {"booking": state.changing, "new_offer_id": frame.chosen["offer_id"]}))
        elif moves or frame.status == "open":
            map_first = needs_seat_map(dialogue, frame) and not dialogue.last_of("seat_map")
            extras = {} if map_first else booking_extras(dialogue, frame)
            args = {"offer_id": frame.chosen["offer_id"], **extras}
            calls.append(("seat_map" if map_first else "book_offer", args))
            calls += [("cancel_booking", {"booking": state.changing})] if moves else []
    return [call for call in calls if call[0] == "seat_map"] or calls


def _is_told(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether an earlier reply names each wish that the offers of this part, just searched, do not meet."""
    before = dialogue.step.before.trip.frames.get(frame.kind)
    return frame.given not in frame.empty and left_out(frame).items() <= (left_out(before) if before else {}).items()


def _parts_to_book(dialogue: Dialogue, deeds: Sequence[tuple[Deed, Clause]]) -> list[Kind]:
    """Return the parts of the trip that the message wants booked, in the order in which it names them."""
    state, asked, kinds = dialogue.state, dialogue.step.question, list[Kind]()
    acts = {clause.act for _, clause in deeds}
    again = "reject" not in acts or "book" in acts
    rejected = {kind for _, clause in deeds if clause.act == "reject" for kind in clause.kinds}
    frame, focus = state.frame, dialogue.step.before.frame
    taken = frame is not None and frame.taken and frame.status == "open" and not frame.raised
    moved_on = (
        focus and focus.shown and focus.status == "open" and not focus.raised and asked in ("ask_book", "ask_sure")
    )
    raised = () if moved_on and dialogue.transcript.before[-1].reply else state.raised
    for name, clause in deeds:
        if name == "replace" and state.moving:
            kinds.append(state.moving.kind)
        if name not in ("book", "again"):
            continue
        both = asked == "ask_both" and clause.choice == Choice(that=True)
        points, books = bool(clause.kinds or (clause.choice and not both)), name == "book"
        every, frames = clause.choice == Choice(every=True) and not clause.kinds, on_table(state, clause)
        for frame in _both(frames) if every else frames:
            meant = points or not raised or frame.kind in raised or taken
            if (books or (frame.raised and again)) and meant and not points_nowhere(frame, clause):
                kinds.append(frame.kind)
        if points or not books:
            continue
        if asked == "ask_both":
            kinds += [frame.kind for frame in _both([each for each in state.trip.of_status("open") if each.chosen])]
        elif not taken and (asked != "ask_book" or len(raised) == 1):
            kinds += raised
    kinds += [kind for kind in state.raised if _extras_changed(dialogue, state.trip.frames[kind])]
    return [kind for kind in dict.fromkeys(kinds) if kind not in rejected]


def _extras_changed(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether the message adds, changes or drops an extra (bags, a seat, a meal, a request) of a part."""
    step, now = dialogue.step, len(dialogue.steps) - 1
    before, heard = (state.trip.frames.get(frame.kind, frame).slots for state in (step.before, step.heard))
    changed = (name not in heard or heard[name].turn == now for name in _EXTRAS & {*before, *heard})
    return step.before.at == dialogue.state.at and any(changed)


def _both(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Return the parts that "both" and "all" refer to: those whose offers the traveller took, if several, else all."""
    taken = [frame for frame in frames if frame.taken]
    return taken if len(taken) > 1 else frames


def drops_trip(state: State, clause: Clause) -> bool:
    """Return whether "cancel the trip" only drops the plans: nothing is booked, and the clause names no booking."""
    named = clause.kinds or (clause.choice and clause.choice.reference)
    booked = state.bookings or state.trip.of_status("booked")
    return state.trip.begun and not booked and not named


def _booking_calls(dialogue: Dialogue, name: Deed, clause: Clause) -> list[Call]:
    """Return the calls that change an existing booking, or `list_bookings`, which must come first to miss none."""
    state = dialogue.state
    if name in ("bags", "seats") and (flight := booked_flight(state)):
        return _flight_calls(dialogue, name, clause, flight)
    if dialogue.step.question != "ask_booking" and dialogue.last_of("list_bookings") is None:
        return [("list_bookings", {})]
    meant = cancellable(state, clause) if name == "cancel" else []
    certain = len(meant) == 1 or (clause.choice and clause.choice.every) or {*meant} == booked_at(state, clause)
    return [("cancel_booking", {"booking": each}) for each in meant] if certain else []


def _flight_calls(dialogue: Dialogue, name: Deed, clause: Clause, flight: Booking) -> list[Call]:
    """Return the call that adds bags to a booked flight, or that chooses its seats, from its seat map."""
    booking = {"booking": str(flight.facts["booking"])}
    if name == "bags":
        company, _ = company_of(dialogue.state, "flight", dialogue.standing)
        people = company.adults + company.children if clause.choice and clause.choice.every else 1
        return [("add_bags", {**booking, "bags": people * (clause.wishes.bags or 1)})]
    seat_map, offer = dialogue.last_of("seat_map"), flight.offer or {}
    if seat_map is None:
        return [("seat_map", {"offer_id": offer["offer_id"]})] if offer else []
    selectable = offer.get("seat_choice") != "at check-in"
    seats = seats_for(dialogue, seat_map, latest_only=True) if selectable else []
    return [("choose_seats", {**booking, "seats": seats})] if seats else []


def booked_flight(state: State) -> Booking | None:
    """Return the booked flight of the current trip, else the only flight among all bookings, or None."""
    frame = state.trip.frames.get("flight")
    if frame and frame.booking:
        return state.bookings.get(frame.booking)
    flights = [each for each in state.bookings.values() if each.live and each.facts.get("kind") == "flight"]
    return flights[0] if len(flights) == 1 else None


def cancellable(state: State, clause: Clause) -> list[str]:
    """Return the references of the active bookings that "cancel …" may refer to."""
    live, choice = {name: each.facts for name, each in state.bookings.items() if each.live}, clause.choice
    if choice and choice.reference:
        return [name for name in live if name == choice.reference]
    named = [name for name, facts in live.items() if not clause.kinds or facts.get("kind") in clause.kinds]
    if choice and choice.ordinal is not None and len(named) > 1:
        return named[choice.ordinal : choice.ordinal + 1]
    if at_place := booked_at(state, clause):
        return [name for name in named if name in at_place]
    of_trip = {frame.booking for at in state.journeys for frame in state.trips[at].frames.values()}
    current = [name for name in named if name in of_trip]
    return current if len(current) == 1 and not (choice and choice.every) else named
