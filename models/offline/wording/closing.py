"""Writes the end of a reply: what is said where no tool was called, and the one question that it ends with."""

from __future__ import annotations

from models.offline.dialogue.acts import booked_flight, drops_trip, unclear_people
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.offers import SEARCHES, booking_of
from models.offline.trips.searching import company_of, missing
from models.offline.wording.offers import restated
from models.offline.wording.understood import changed, company_words


def without_outcome(dialogue: Dialogue, told: bool) -> str:
    """Return what is said to a choice, a yes or a no that no tool was called for."""
    if dialogue.outcomes or any(clause.act == "ask" for clause in dialogue.step.said.clauses):
        return ""
    say, step, state = dialogue.say, dialogue.step, dialogue.state
    clauses = step.said.clauses
    acts = [clause.act for clause in clauses]
    frame = state.frame
    taken = frame is not None and frame.taken and frame.chosen is not None
    if "restart" in acts or any(clause.act == "cancel" and drops_trip(step.before, clause) for clause in clauses):
        return say("restart")
    if ("drop" in acts and step.heard != step.before) or any(
        clause.act == "reject" and clause.kinds for clause in clauses
    ):
        return say("left_out")
    if taken and frame and {"choose", "book", "confirm"} & {*acts}:
        return restated(dialogue, frame)
    wrong = [clause for clause in clauses if clause.act in ("choose", "book") and clause.choice]
    if wrong and frame and frame.shown and not taken:
        return say("no_such_number", count=len(frame.shown))
    if frame and frame.shown and any(clause.act == "inform" and clause.wishes.sort for clause in clauses):
        return say("same_offers")
    if "book" in acts or "hold" in acts:
        return "" if frame and frame.chosen else say("nothing_to_book")
    if "change" in acts and state.changing:
        return say("ask_new_days")
    if ("bags" in acts or "seats" in acts) and booked_flight(state) is None and not state.trip.frames:
        return "" if dialogue.now.calls else say("bookings_none")
    return _answered(dialogue, told)


def _answered(dialogue: Dialogue, told: bool) -> str:
    """Return what is said to a goodbye, a no or a yes."""
    say, question_asked = dialogue.say, dialogue.step.question
    acts = {clause.act for clause in dialogue.step.said.clauses}
    frame = dialogue.state.frame
    shown = bool(frame and frame.shown)
    if "bye" in acts:
        return say("goodbye", name="")
    if "reject" in acts:
        if question_asked in ("ask_hotel_too", "ask_extras"):
            return say("all_set")
        open_offers = shown and frame is not None and frame.status == "open"
        return f"{say('not_yet')} {say('ask_change_what')}" if open_offers else say("decline")
    if "confirm" not in acts or told:
        return ""
    return say("ask_extras") if question_asked == "ask_extras" else "" if shown else say("accept")


def question(dialogue: Dialogue) -> str:
    """Return the one question to end with: a missing detail, a yes to what is proposed, what comes next."""
    say, state = dialogue.say, dialogue.state
    acts = {clause.act for clause in dialogue.step.said.clauses}
    open_frames = state.trip.of_status("open")
    wanted = acts & {"book", "hold", "confirm"} and any(frame.chosen for frame in open_frames)
    if wanted and (said := unclear_people(dialogue)):
        company, _ = company_of(state, state.focus, dialogue.standing)
        return say("ask_people", said=said, people=company_words(dialogue, company))
    if acts & {"choose"} and state.frame and state.frame.taken and state.frame.status == "open":
        return say("ask_sure")
    for frame in open_frames:
        if lacks := missing(state, frame.kind, dialogue.standing):
            return _ask(dialogue, lacks)
    if any(booking_of(each) for each in dialogue.outcomes):
        return _next(dialogue)
    if not dialogue.travels and open_frames and changed(dialogue):
        return say("no_inventory")
    if state.changing and (flight := state.trip.frames.get("flight")) and flight.given and flight.chosen:
        return say("ask_change")
    shown = [frame for frame in open_frames if frame.shown and frame.chosen]
    if not shown or (acts & {"reject", "drop"} and not any(each.tool in SEARCHES for each in dialogue.outcomes)):
        return ""
    fresh = {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}
    both = [frame for frame in shown if frame.kind in fresh and frame.kind in ("flight", "hotel")]
    if len(both) == 2:
        return say("ask_both")
    focus = state.frame if state.frame in shown else shown[-1]
    return say("ask_sure" if focus is not None and (focus.taken or not fresh) else "ask_book")


def _ask(dialogue: Dialogue, lacks: str) -> str:
    window = dialogue.state.trip.value("window")
    if lacks == "dates" and window and window[0].month == window[1].month:
        month = f"{window[0]:%B}" if dialogue.words.code != "ja" else f"{window[0].month}月"
        return dialogue.say("ask_days", month=month)
    return dialogue.say(f"ask_{lacks}")


def _next(dialogue: Dialogue) -> str:
    """Return what comes after a booking: a hotel where none was spoken of, then what else there is, each asked once."""
    if not any(each.tool == "book_offer" and booking_of(each) for each in dialogue.outcomes):
        return ""
    trip = dialogue.state.trip
    waiting = [frame for frame in trip.of_status("open") if frame.shown]
    if waiting:
        return dialogue.say("ask_other", kind=dialogue.say(f"kind_{waiting[0].kind}"))
    booked = {frame.kind for frame in trip.frames.values() if frame.status == "booked"}
    stay = bool(trip.value("end") and trip.value("end") != trip.value("start"))
    if "flight" in booked and "hotel" not in trip.frames and stay and not dialogue.said_before("ask_hotel_too"):
        return dialogue.say("ask_hotel_too")
    if not {"insurance", "activity"} & {*trip.frames} and not dialogue.said_before("ask_extras"):
        return dialogue.say("ask_extras")
    return dialogue.say("all_set")
