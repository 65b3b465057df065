"""Updates the state with the tools' answers: offers, bookings, ambiguous places and exchange rates."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.reading import read_values
from models.offline.reading.understanding import ReadingContext, Understanding
from models.offline.trips import offers
from models.offline.trips.choosing import pick_again
from models.offline.trips.frames import Booking, Frame, Slot, State
from models.offline.trips.legs import go_on, owner_of
from models.offline.trips.offers import SEARCHES, Offer, amount_of, error_text, product_key, results, ways
from models.offline.trips.searching import Standing, company_of, shelf
from models.offline.trips.wishes import SEARCHED

_ANY_DAY = ReadingContext(date(2000, 1, 1), trip_open=True)
"""Any day will do to read the description of a booking, since its dates name the year."""


def after_all(
    heard: State, outcomes: Iterable[Outcome], standing: Standing, parts: Mapping[int, Understanding]
) -> tuple[State, list[int]]:
    """Return the state after all outcomes of a turn, and the journey of each; `parts` is what was said about each."""
    after, owners = heard, list[int]()
    for outcome in outcomes:
        at = owner_of(after, outcome, standing)
        own = answered(replace(after, at=at), outcome, standing, replace(heard, at=at))
        if outcome.tool in SEARCHES and at in parts:
            own = pick_again(own, parts[at], replace(heard, at=at))
        after, owners = replace(own, at=after.at), [*owners, at]
    return go_on(after), owners


def answered(state: State, outcome: Outcome, standing: Standing, heard: State) -> State:
    """Return the state after a tool answered; `heard` is the state after the message, before any tool answered."""
    if outcome.tool in SEARCHES:
        return _searched(state, outcome, standing, heard)
    if outcome.tool in offers.ACTS:
        return _acted(state, outcome)
    if outcome.tool == "list_bookings" and not error_text(outcome):
        for facts in outcome.listed("bookings"):
            state = _with_booking(state, facts, None)
        return _with_booked_parts(_on_booked_days(state) if state.trip.value("as_booked") else state)
    if outcome.tool == "convert_money" and (rate := amount_of(outcome.answer.get("rate"))):
        pair = (str(outcome.given.get("source")), str(outcome.given.get("target")))
        state = replace(state, rates={**state.rates, pair: rate})
        for frame in state.trip.of_status("open"):  # the budget can be compared with the prices now
            if frame.value("budget") and frame.found and not frame.note:
                state = _shown(state, frame, standing)
    return state


def _searched(state: State, outcome: Outcome, standing: Standing, heard: State) -> State:
    kind, given = SEARCHES[outcome.tool], outcome.given
    frame = state.trip.frames.get(kind) or Frame(kind)
    name, places = offers.ambiguous_places(outcome)
    if places:
        return replace(state.with_frame(replace(frame, given=given)), unclear=(name, places), focus=kind)
    state, note = replace(state, unclear=("", ())), str(outcome.answer.get("note") or "")
    if found := tuple(results(outcome)):
        return _shown(state, replace(frame, given=given, found=found, note=note), standing)
    old = heard.trip.frames.get(kind) or frame  # the traveller has not seen what this turn found so far
    if any(given.get(name) != (old.given or {}).get(name) for name in SEARCHED["core"][kind]):
        old = Frame(kind)  # its offers were for other days or people
    empty = (*frame.empty, given) if offers.found_nothing(outcome) else frame.empty
    frame = replace(frame, empty=empty, found=old.found, shown=old.shown, chosen=old.chosen, taken=old.taken)
    return state.with_frame(_without_area(replace(frame, given=given, note=note)))


def _without_area(frame: Frame) -> Frame:
    """Return the part with an unknown area moved to the slot `landmark`, so that the next search omits it."""
    areas, area = frame.note.partition("rooms in ")[2], frame.value("area")
    if not area or not areas or str(area).casefold() in areas.casefold():
        return frame
    slots = {name: slot for name, slot in frame.slots.items() if name != "area"}
    return replace(frame, slots={**slots, "landmark": Slot(area, "said", frame.slots["area"].turn)})


def _shown(state: State, frame: Frame, standing: Standing) -> State:
    """Return the state with the first fitting offers of a part shown, the first of them as the recommended one."""
    offers, _ = shelf(frame, state, company_of(state, frame.kind, standing)[0])
    seen = frame.seen | {product_key(each) for each in offers}
    shown = replace(frame, shown=tuple(offers), chosen=offers[0], taken=False, seen=seen)
    return replace(state.with_frame(shown), focus=state.focus if state.focus in state.trip.frames else frame.kind)


def _acted(state: State, outcome: Outcome) -> State:
    """Return the state after a call that makes, changes or cancels a booking; it may have failed or been rejected."""
    offer_id = outcome.given.get("offer_id") or outcome.given.get("new_offer_id")
    facts, found = offers.booking_of(outcome), _find(state, offer_id)
    books = outcome.tool in ("book_offer", "change_booking")
    if facts is None:
        return _raised(state, *found[:2]) if books and found else state
    reference = str(facts["booking"])
    state = _with_booking(state, facts, found[2] if found else None)
    if books and found:
        at, frame, offer = found
        done = replace(frame, status="booked", booking=reference, chosen=offer, taken=True, raised=False)
        moved = replace(state.with_frame(done, at), changing="")
        days = [date.fromisoformat(str(way["departs"])[:10]) for way in ways(offer)]
        if not (days and at == state.at and (flexible := state.trip.slots.get("flexible_days"))):
            return moved
        return moved.fill(flexible.turn, start=days[0], end=days[1] if days[1:] else None, flexible_days=None)
    if outcome.tool == "cancel_booking" and state.changing == reference:
        state = replace(state, changing="")
    for at, trip in enumerate(state.trips if outcome.tool == "cancel_booking" else ()):
        for frame in (each for each in trip.frames.values() if each.booking == reference):
            state = state.with_frame(replace(frame, status="dropped", booking=""), at)
    return state


def _raised(state: State, at: int, frame: Frame) -> State:
    """Return the state after a booking was put up for approval and not made; the traveller now talks about it."""
    state = state.with_frame(replace(frame, raised=True), at)
    return replace(state, focus=frame.kind) if at == state.at else state


def _find(state: State, offer_id: Any) -> tuple[int, Frame, Offer] | None:
    """Return the index of the trip that has an offer, its part, and the offer; None if no trip has it."""
    frames = [(at, frame) for at, trip in enumerate(state.trips) for frame in trip.frames.values()]
    listed = ((at, frame, offer) for at, frame in frames for offer in (*frame.found, frame.chosen or {}))
    return next((each for each in listed if offer_id and each[2].get("offer_id") == offer_id), None)


def _with_booking(state: State, facts: Mapping[str, Any], offer: Offer | None) -> State:
    known = state.bookings.get(str(facts.get("booking"))) or Booking(facts)
    before = str(known.facts.get("paid", "")) if known.facts.get("paid") != facts.get("paid") else ""
    booking = Booking(facts, offer or known.offer, before or known.before)
    return replace(state, bookings={**state.bookings, str(facts.get("booking")): booking})


def _on_booked_days(state: State) -> State:
    """Return the state with the days of the bookings at the destination, else of all, if these agree on one period."""
    live = [each.facts for each in state.bookings.values() if each.live]
    there = [facts for facts in live if str(state.trip.value("destination")) in str(facts.get("what"))]
    dates = [clause.dates for facts in there or live for clause in read_values(str(facts.get("what")), _ANY_DAY)]
    days = {(each.start, each.end) for each in dates if each and each.start and each.end}
    if state.trip.value("start") or len(days) != 1:
        return state
    start, end = days.pop()
    return state.fill(state.trip.slots["as_booked"].turn, start=start, end=end, as_booked=None)


def _with_booked_parts(state: State) -> State:
    """Return the state with parts marked as booked for which an earlier conversation made a booking on these days."""
    first, last = state.trip.value("start"), state.trip.value("end") or state.trip.value("start")
    for reference, booking in state.bookings.items() if first else ():
        facts = booking.facts
        unbooked = [each for each in state.trip.of_status("open", "booked") if not each.booking]
        frame = next((each for each in unbooked if each.kind == facts.get("kind")), None)
        within = str(facts.get("starts")) <= last.isoformat() and first.isoformat() <= str(facts.get("ends"))
        if frame and facts.get("status") == "booked" and within and not frame.shown:
            state = state.with_frame(replace(frame, status="booked", booking=reference))
    return state
