"""What the tools answered, brought into the state: offers found, bookings made, places that were not clear."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.reading import read_values
from models.offline.reading.understanding import ReadingContext
from models.offline.trips import offers
from models.offline.trips.frames import Booking, Frame, Slot, State
from models.offline.trips.offers import SEARCHES, Offer, amount_of, error_text, product_key, results
from models.offline.trips.searching import Standing, company_of, shelf
from models.offline.trips.wishes import SEARCHED

_ANY_DAY = ReadingContext(date(2000, 1, 1), trip_open=True)
"""What the words of a booking say does not depend on the day: they name the year."""


def answered(state: State, outcome: Outcome, standing: Standing, heard: State) -> State:
    """Return the state after a tool answered; `heard` is that before any did in this turn."""
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
        for frame in state.trip.of_status("open"):  # now that a limit can be compared with the prices
            if frame.value("budget") and not frame.note:
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
    seen = heard.trip.frames.get(kind) or frame  # what this turn found before, nobody was shown
    if any(given.get(name) != (seen.given or {}).get(name) for name in SEARCHED["core"][kind]):
        seen = Frame(kind)  # those were for other days or people
    frame = replace(frame, found=seen.found, shown=seen.shown, chosen=seen.chosen, taken=seen.taken)
    return state.with_frame(_without_area(replace(frame, given=given, note=note)))


def _without_area(frame: Frame) -> Frame:
    """Return the part without an area that the town's parts don't have, so that the rest is looked for."""
    parts, area = frame.note.partition("rooms in ")[2], frame.value("area")
    if not area or not parts or str(area).casefold() in parts.casefold():
        return frame
    slots = {name: slot for name, slot in frame.slots.items() if name != "area"}
    return replace(frame, slots={**slots, "landmark": Slot(area, "said", frame.slots["area"].turn)})


def _shown(state: State, frame: Frame, standing: Standing) -> State:
    """Return the state with the first offers that fit on the table, the first of them recommended."""
    offers, _ = shelf(frame, state, company_of(state, frame.kind, standing)[0])
    seen = frame.seen | {product_key(each) for each in offers}
    shown = replace(frame, shown=tuple(offers), chosen=offers[0], taken=False, seen=seen)
    return replace(state.with_frame(shown), focus=state.focus if state.focus in state.trip.frames else frame.kind)


def _acted(state: State, outcome: Outcome) -> State:
    """Return the state after a booking was made, changed, cancelled or refused."""
    offer_id = outcome.given.get("offer_id") or outcome.given.get("new_offer_id")
    facts, found = offers.booking_of(outcome), _find(state, offer_id)
    books = outcome.tool in ("book_offer", "change_booking")
    if facts is None:
        return state.with_frame(replace(found[1], raised=True), found[0]) if books and found else state
    reference = str(facts["booking"])
    state = _with_booking(state, facts, found[2] if found else None)
    if books and found:
        at, frame, offer = found
        done = replace(frame, status="booked", booking=reference, chosen=offer, taken=True, raised=False)
        return replace(state.with_frame(done, at), changing="")
    if outcome.tool == "cancel_booking" and state.changing == reference:
        state = replace(state, changing="")
    for at, trip in enumerate(state.trips if outcome.tool == "cancel_booking" else ()):
        for frame in (each for each in trip.frames.values() if each.booking == reference):
            state = state.with_frame(replace(frame, status="dropped", booking=""), at)
    return state


def _find(state: State, offer_id: Any) -> tuple[int, Frame, Offer] | None:
    """Return where an offer is from: the place of its trip, its part, and the offer."""
    for at, trip in enumerate(state.trips):
        for frame in trip.frames.values():
            for offer in (*frame.found, frame.chosen or {}):
                if offer_id and offer.get("offer_id") == offer_id:
                    return at, frame, offer
    return None


def _with_booking(state: State, facts: Mapping[str, Any], offer: Offer | None) -> State:
    known = state.bookings.get(str(facts.get("booking"))) or Booking(facts)
    before = str(known.facts.get("paid", "")) if known.facts.get("paid") != facts.get("paid") else ""
    booking = Booking(facts, offer or known.offer, before or known.before)
    return replace(state, bookings={**state.bookings, str(facts.get("booking")): booking})


def _on_booked_days(state: State) -> State:
    """Return the state with the days of what is booked there, else of the one journey that is booked."""
    live = [each.facts for each in state.bookings.values() if each.live]
    there = [facts for facts in live if str(state.trip.value("destination")) in str(facts.get("what"))]
    told = [clause.dates for facts in there or live for clause in read_values(str(facts.get("what")), _ANY_DAY)]
    days = {(each.start, each.end) for each in told if each and each.start and each.end}
    if state.trip.value("start") or len(days) != 1:
        return state
    start, end = days.pop()
    return state.fill(state.trip.slots["as_booked"].turn, start=start, end=end, as_booked=None)


def _with_booked_parts(state: State) -> State:
    """Return the state with the parts of the trip that are booked, by their days, in an earlier conversation."""
    first, last = state.trip.value("start"), state.trip.value("end") or state.trip.value("start")
    for reference, booking in state.bookings.items() if first else ():
        facts = booking.facts
        waiting = [each for each in state.trip.of_status("open", "booked") if not each.booking]
        frame = next((each for each in waiting if each.kind == facts.get("kind")), None)
        within = str(facts.get("starts")) <= last.isoformat() and first.isoformat() <= str(facts.get("ends"))
        if frame and facts.get("status") == "booked" and within and not frame.shown:
            state = state.with_frame(replace(frame, status="booked", booking=reference))
    return state
