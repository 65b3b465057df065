"""Writes the end of a reply: the response to a message that called no tool, and the one question that comes last."""

from collections.abc import Iterator

from models.offline.dialogue.acts import booked_flight, drops_trip
from models.offline.dialogue.turn import Dialogue
from models.offline.dialogue.unclear import unclear
from models.offline.reading.understanding import Kind
from models.offline.trips.choosing import on_table, points_nowhere
from models.offline.trips.frames import Frame
from models.offline.trips.legs import are_alternatives
from models.offline.trips.offers import SEARCHES, booking_of, name_of, results
from models.offline.trips.searching import missing
from models.offline.wording.bookings import which_place
from models.offline.wording.facts import party, spoken_place
from models.offline.wording.offers import nothing_found, restated
from models.offline.wording.understood import changed, named_place


def without_outcome(dialogue: Dialogue, answered: bool) -> str:
    """Return the response to a choice, a yes or a no without tool calls; a yes that is `answered` already gets none."""
    clauses, say, step, state = dialogue.step.said.clauses, dialogue.say, dialogue.step, dialogue.state
    acts, frame = {clause.act for clause in clauses}, state.frame
    noted = any(call["name"] == "save_memory_note" for call in dialogue.now.calls)
    if dialogue.outcomes or "ask" in acts or (noted and not step.before.trip.begun):
        return ""  # the message was about a note, and there is no trip
    settled = frame is not None and frame.status == "booked" and not state.changing
    taken = frame is not None and frame.taken and frame.chosen is not None and not settled
    picks = [clause for clause in clauses if clause.act in ("choose", "book") and clause.choice]
    missed = [each for clause in picks for each in on_table(step.before, clause) if points_nowhere(each, clause)]
    if "restart" in acts or any(clause.act == "cancel" and drops_trip(step.before, clause) for clause in clauses):
        return say("restart")
    if ("drop" in acts and step.heard != step.before) or any(c.act == "reject" and c.kinds for c in clauses):
        return say("left_out")
    part = missed[0] if missed else frame if picks and not taken else None
    if part and (part.shown or part.given):
        return say("ask_number", count=len(part.shown)) if part.shown else nothing_found(dialogue, part)
    if taken and {"choose", "book", "confirm"} & acts:
        return "\n\n".join(restated(dialogue, each) for each in _just_taken(dialogue))
    if frame and frame.shown and any(c.act == "inform" and c.wishes.sort and not c.one_way for c in clauses):
        return say("same_offers")
    if acts & {"book", "hold"}:
        return "" if frame and frame.chosen else say("nothing_to_book")
    if "change" in acts and state.changing:
        return say("ask_new_days")
    if acts & {"bags", "seats"} and not (booked_flight(state) or state.trip.frames or dialogue.now.calls):
        return say("bookings_none")
    return _small_response(dialogue, answered)


def _just_taken(dialogue: Dialogue) -> list[Frame]:
    """Return the parts for which the message chose an offer, and the part in focus if its offer was taken before."""
    step, frame = dialogue.step, dialogue.step.heard.frame
    before = {kind: each.chosen for kind, each in step.before.trip.frames.items() if each.taken}
    taken = [each for each in step.heard.trip.of_status("open") if each.taken and each.chosen != before.get(each.kind)]
    add_focus = frame and frame.taken and all(each.kind != frame.kind for each in taken)
    return [*taken, frame] if frame and add_focus else taken


def _small_response(dialogue: Dialogue, answered: bool) -> str:
    """Return the response to a goodbye, a no or a yes."""
    say, asked, frame = dialogue.say, dialogue.step.question, dialogue.state.frame
    acts = {clause.act for clause in dialogue.step.said.clauses}
    if "bye" in acts:
        return say("goodbye", name="")
    if "reject" in acts:
        if asked in ("ask_hotel_too", "ask_extras"):
            return say("all_set")
        pending = frame and frame.shown and frame.status == "open"
        key = "rejected" if any(each.live for each in dialogue.state.bookings.values()) else "not_yet"
        return f"{say(key, why='')} {say('ask_change_what')}" if pending else say("decline")
    if "confirm" not in acts or answered:
        return ""
    return say("ask_which_extra") if asked == "ask_extras" else "" if frame and frame.shown else say("accept")


def _ask_for(dialogue: Dialogue, detail: str) -> str:
    """Return the question for a missing detail: for one of several places, for days of a known month, or `detail`."""
    say, state, window = dialogue.say, dialogue.state, dialogue.state.trip.value("window")
    if state.between:
        return say("ask_either", places=[spoken_place(dialogue.words, each) for each in state.between[1]])
    in_month = detail == "dates" and window and window[0].month == window[1].month
    return say("ask_days", month=window[0]) if in_month else say(f"ask_{detail}")


def question(dialogue: Dialogue, text: str = "") -> str:
    """Return the question to end with: about the first journey that lacks a detail, about all, or the current one."""
    journeys = dialogue.journeys
    lacks = [each for each in journeys if any(_details(each))]
    offers = [each for each in journeys if {frame.kind for frame in each.state.trip.shown} & _new(each)]
    orders = {clause.act for clause in dialogue.step.said.clauses} & {"book", "hold", "confirm"}
    if offers[1:] and not (lacks or (orders and unclear(dialogue))):
        count = sum(len(frame.shown) for each in offers for frame in each.state.trip.shown)
        return dialogue.say("ask_number", count=count) if are_alternatives(dialogue.state) else dialogue.say("ask_all")
    current = (each for each in journeys if each.state.at == dialogue.state.at)
    return _question(next(iter(lacks), None) or next(current), text)


def _details(dialogue: Dialogue) -> Iterator[str | None]:
    """Yield what each open part of the journey lacks, or None."""
    return (missing(dialogue.state, each.kind, dialogue.standing) for each in dialogue.state.trip.of_status("open"))


def _new(dialogue: Dialogue) -> set[Kind]:
    """Return the parts that were searched in this turn, or for which the message chose an offer."""
    return {*_fresh(dialogue), *(each.kind for each in _just_taken(dialogue))}


def _fresh(dialogue: Dialogue) -> set[Kind]:
    """Return the parts that were searched in this turn."""
    return {SEARCHES[each.tool] for each in dialogue.outcomes if each.tool in SEARCHES}


def _question(dialogue: Dialogue, text: str) -> str:
    """Return the question about one journey: for a missing detail, for a yes to a proposal, or about the next step.

    It names the offer that a yes would book unless `text`, the reply so far, names it and no other.
    """
    say, state, trip = dialogue.say, dialogue.state, dialogue.state.trip
    acts = {clause.act for clause in dialogue.step.said.clauses}
    open_parts = trip.of_status("open")
    orders = acts & {"book", "hold", "confirm"} and (state.moving or any(frame.chosen for frame in open_parts))
    if orders and (words := unclear(dialogue)):  # have the traveller confirm the details first
        clauses = (clause for step in dialogue.steps for clause in step.said.clauses)
        is_place = any(words in (each.said, each.name) for clause in clauses for each in clause.places)
        destination = named_place(dialogue, trip.value("destination")) if is_place else None
        return say("ask_people", said=words, place=destination, party=party(dialogue, state.focus))
    if "choose" in acts and state.frame and state.frame.taken and state.frame.status == "open":
        return say("ask_both" if len(_just_taken(dialogue)) > 1 else "ask_sure")
    if detail := next(filter(None, _details(dialogue)), None):
        return _ask_for(dialogue, detail)
    if open_parts and state.unclear[1]:
        return which_place(dialogue, *state.unclear)
    if any(booking_of(each) for each in dialogue.outcomes):
        return _next(dialogue)
    if not dialogue.travels and open_parts and changed(dialogue):
        return say("no_inventory")
    if (part := state.moving) and part.chosen and _has_new_offer(dialogue, part):
        paid, offer = state.bookings[part.booking].facts.get("paid"), part.chosen
        new = {"name": name_of(offer), "price": offer.get("price"), "paid": paid}
        return say("ask_change") if part.kind == "flight" else say("ask_replace", kind=part.kind, **new)
    shown = [frame for frame in open_parts if frame.shown and frame.chosen]
    fresh = _fresh(dialogue)
    if not shown or (acts & {"reject", "drop"} and not fresh):
        return ""
    if len([frame for frame in shown if frame.kind in fresh and frame.kind in ("flight", "hotel")]) > 1:
        return say("ask_both")
    if not ((focus := state.frame if state.frame in shown else shown[-1]) and (focus.taken or not fresh)):
        return say("ask_book")
    return _ask_to_book(dialogue, focus, text)


def _has_new_offer(dialogue: Dialogue, part: Frame) -> bool:
    """Return whether this turn or the one before found offers for a part; an older one is not on the table any more."""
    outcomes = (each for turn in (*dialogue.transcript.before[-1:], dialogue.now) for each in turn.outcomes)
    return any(SEARCHES.get(each.tool) == part.kind and results(each) for each in outcomes)


def _ask_to_book(dialogue: Dialogue, frame: Frame, text: str) -> str:
    """Return the question whether to book the chosen offer, by its number and name unless `text` names only it."""
    name, index = name_of(frame.chosen or {}), frame.shown.index(frame.chosen) if frame.chosen in frame.shown else 0
    others = [name_of(each) for each in frame.shown if name_of(each) != name]
    if not index and name in text and not any(other in text for other in others):
        return dialogue.say("ask_sure")
    number = dialogue.state.first_row + index + 1 if len(frame.shown) > 1 else None
    return dialogue.say("ask_sure", number=number, name=name)


def _next(dialogue: Dialogue) -> str:
    """Return the question after a booking: about other parts or legs, then a hotel, then extras, the last two once."""
    say, trip = dialogue.say, dialogue.state.trip
    if not any(each.tool == "book_offer" and booking_of(each) for each in dialogue.outcomes):
        return ""
    if trip.shown:
        return say("ask_other", kind=trip.shown[0].kind)
    if searched := [frame for frame in trip.of_status("open") if frame.given]:
        return nothing_found(dialogue, searched[0])
    stay = trip.value("end") and trip.value("end") != trip.value("start")
    flight = trip.frames.get("flight")
    booked = flight is not None and flight.status == "booked"
    if booked and stay and "hotel" not in trip.frames and not dialogue.said_before("ask_hotel_too"):
        return say("ask_hotel_too")
    if not {"insurance", "activity"} & {*trip.frames} and not dialogue.said_before("ask_extras"):
        return say("ask_extras")
    return say("all_set")
