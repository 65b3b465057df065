"""What the tools answered, brought into the state: offers found, bookings made, places that were not clear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.reading.understanding import Kind
from models.offline.trips.frames import Booking, Frame, Slot, State
from models.offline.trips.offers import (
    ACTS,
    SEARCHES,
    Offer,
    ambiguous_places,
    amount_of,
    booking_of,
    error_text,
    product_key,
    results,
)
from models.offline.trips.searching import company_of, shelf
from models.offline.trips.standing import Standing

_CORE = (
    "origin", "destination", "city", "departing", "returning", "check_in", "check_out", "pick_up", "drop_off",
    "adults", "children", "infants", "guests", "start", "end",
)  # fmt: skip
"""What of a search says where, when and for whom."""


def answered(state: State, outcome: Outcome, standing: Standing) -> State:
    """Return the state after a tool answered."""
    if outcome.tool in SEARCHES:
        return _searched(state, SEARCHES[outcome.tool], outcome, standing)
    if outcome.tool in ACTS:
        return _acted(state, outcome)
    if outcome.tool == "list_bookings" and not error_text(outcome):
        listed = [each for each in outcome.answer.get("bookings", []) if isinstance(each, dict)]
        for facts in listed:
            state = _with_booking(state, facts, None)
        return _with_booked_parts(state)
    if outcome.tool == "convert_money" and outcome.given.get("amount"):
        rate = amount_of(outcome.answer.get("rate"))
        pair = (str(outcome.given.get("source")), str(outcome.given.get("target")))
        return _shown_anew(replace(state, rates={**state.rates, pair: rate}) if rate else state, standing)
    return state


def _searched(state: State, kind: Kind, outcome: Outcome, standing: Standing) -> State:
    frame = state.trip.frames.get(kind) or Frame(kind)
    name, places = ambiguous_places(outcome)
    if places:
        return replace(state.with_frame(replace(frame, given=outcome.given)), unclear=(name, places), focus=kind)
    state = replace(state, unclear=("", ()))
    found = tuple(results(outcome))
    note = str(outcome.answer.get("note") or "")
    if not found:
        noted = replace(frame, given=outcome.given, note=note)
        return state.with_frame(_without_area(_stale(noted, frame.given or {})))
    fresh = replace(frame, given=outcome.given, found=found, note=note, taken=False)
    return _shown(state, fresh, standing)


def _stale(frame: Frame, before: Mapping[str, Any]) -> Frame:
    """Return a part whose search found nothing: offers for other days, people or places are on the table no longer.

    Where only a wish found nothing they stand.
    """
    given = frame.given or {}
    moved = any(given.get(name) != before.get(name) for name in _CORE)
    return replace(frame, found=(), shown=(), chosen=None, taken=False) if moved else frame


def _without_area(frame: Frame) -> Frame:
    """Return the part without an area that the town's parts don't have, so that the rest is looked for."""
    parts = frame.note.partition("rooms in ")[2]
    area = frame.value("area")
    if not area or not parts or str(area).casefold() in parts.casefold():
        return frame
    slots = {name: slot for name, slot in frame.slots.items() if name != "area"}
    return replace(frame, slots={**slots, "landmark": Slot(area, "said", frame.slots["area"].turn)})


def _shown(state: State, frame: Frame, standing: Standing) -> State:
    """Return the state with the first offers that fit on the table, the first of them recommended."""
    company, _ = company_of(state, frame.kind, standing)
    offers, _ = shelf(frame, state, company)
    seen = frame.seen | {product_key(each) for each in offers}
    shown = replace(frame, shown=tuple(offers), chosen=offers[0], taken=False, seen=seen)
    return replace(state.with_frame(shown), focus=state.focus if state.focus in state.trip.frames else frame.kind)


def _shown_anew(state: State, standing: Standing) -> State:
    """Return the state with the tables as they are now that a limit can be compared with the prices.

    Where the latest search found nothing, what was shown before stands as it was.
    """
    for frame in state.trip.of_status("open"):
        if frame.found and frame.value("budget") and not frame.taken and not frame.note:
            state = _shown(state, frame, standing)
    return state


def _acted(state: State, outcome: Outcome) -> State:
    offer_id = outcome.given.get("offer_id") or outcome.given.get("new_offer_id")
    found = _find(state, offer_id)
    facts = booking_of(outcome)
    if facts is None:
        if outcome.tool in ("book_offer", "change_booking") and found:
            at, frame, _ = found
            state = _in_trip(state, at, replace(frame, raised=True))
            return replace(state, raised=tuple(dict.fromkeys((*state.raised, frame.kind))))
        return state
    state = _with_booking(state, facts, found[2] if found else None)
    if outcome.tool in ("book_offer", "change_booking") and found:
        at, frame, offer = found
        done = replace(frame, status="booked", booking=str(facts["booking"]), chosen=offer, taken=True, raised=False)
        state = replace(_in_trip(state, at, done), changing="")
        return replace(state, raised=tuple(kind for kind in state.raised if kind != frame.kind))
    if outcome.tool == "cancel_booking":
        return _cancelled(state, str(facts["booking"]))
    return state


def _find(state: State, offer_id: Any) -> tuple[int, Frame, Offer] | None:
    """Return where an offer is from: the place of its trip, its part, and the offer."""
    for at, trip in enumerate(state.trips):
        for frame in trip.frames.values():
            for offer in (*frame.found, *((frame.chosen,) if frame.chosen else ())):
                if offer.get("offer_id") == offer_id:
                    return at, frame, offer
    return None


def _in_trip(state: State, at: int, frame: Frame) -> State:
    trip = state.trips[at].with_frame(frame)
    return replace(state, trips=(*state.trips[:at], trip, *state.trips[at + 1 :]))


def _with_booking(state: State, facts: Mapping[str, Any], offer: Offer | None) -> State:
    reference = str(facts.get("booking"))
    known = state.bookings.get(reference)
    before = str(known.facts.get("paid", "")) if known and known.facts.get("paid") != facts.get("paid") else ""
    kept = before or (known.before if known else "")
    booking = Booking(facts, offer or (known.offer if known else None), kept)
    return replace(state, bookings={**state.bookings, reference: booking})


def _with_booked_parts(state: State) -> State:
    """Return the state with the parts of the trip that are booked, by their days, in an earlier conversation."""
    first, last = state.trip.value("start"), state.trip.value("end") or state.trip.value("start")
    for reference, booking in state.bookings.items() if first else ():
        facts = booking.facts
        frame = next((each for each in state.trip.of_status("open") if each.kind == facts.get("kind")), None)
        within = str(facts.get("starts")) <= last.isoformat() and first.isoformat() <= str(facts.get("ends"))
        if frame and facts.get("status") == "booked" and within and not frame.shown:
            state = state.with_frame(replace(frame, status="booked", booking=reference))
    return state


def _cancelled(state: State, reference: str) -> State:
    for at, trip in enumerate(state.trips):
        for frame in trip.frames.values():
            if frame.booking == reference:
                state = _in_trip(state, at, replace(frame, status="dropped", booking=""))
    return state
