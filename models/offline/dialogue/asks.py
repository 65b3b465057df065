"""Which tool a question is answered with, where the conversation does not hold the answer."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Clause
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import amount_of, currency_of
from models.offline.trips.searching import days_of

Call = tuple[str, dict[str, Any]]
_POLICIES = {"payment": "payment", "cancellation": "cancelling", "refund": "cancelling", "change_fee": "changing"}


def question_calls(dialogue: Dialogue) -> list[Call]:
    """Return the calls that the questions of the running message need."""
    return [call for clause in dialogue.step.said.clauses if clause.act == "ask" for call in _calls(dialogue, clause)]


def _calls(dialogue: Dialogue, clause: Clause) -> list[Call]:
    state = dialogue.step.heard
    if clause.conversion:
        return _conversion(dialogue, clause)
    match clause.topic:
        case "documents":
            return _documents(state, clause)
        case "bookings" | "reference":
            return [("list_bookings", {})]
        case "total" if not _offered(state):
            return [("list_bookings", {})]
        case "calendar":
            return [("export_calendar", {})]
        case "itinerary":
            return [("show_itinerary", {})]
        case "policy" | "payment":
            return [("booking_policy", {"topic": _POLICIES.get(clause.topic, "all")})]
        case "cancellation" | "refund" | "change_fee" if subject(state, clause) is None:
            return [("booking_policy", {"topic": _POLICIES[clause.topic]})]
        case "seat":
            frame = state.trip.frames.get("flight")
            chosen = frame.chosen if frame else None
            return [("seat_map", {"offer_id": chosen["offer_id"]})] if chosen else []
    return []


def subject(state: State, clause: Clause) -> Frame | None:
    """Return the part that a question is about: one that it names, else the one talked about, else any shown."""
    shown = [frame for frame in state.trip.frames.values() if frame.chosen and frame.status != "dropped"]
    for kind in (*clause.kinds, *_KINDS_OF.get(clause.topic, ())):
        if found := next((frame for frame in shown if frame.kind == kind), None):
            return found
    if clause.kinds or clause.topic in _KINDS_OF:
        return None
    return next((frame for frame in shown if frame.kind == state.focus), shown[-1] if shown else None)


_KINDS_OF: dict[str, tuple[Any, ...]] = {
    "breakfast": ("hotel",), "stars": ("hotel",), "rooms": ("hotel",), "stops": ("flight",), "bags": ("flight",),
    "seat": ("flight",), "airline": ("flight",), "change_fee": ("flight",), "meal": ("flight", "hotel"),
    "area": ("hotel",), "distance": ("hotel",),
}  # fmt: skip


def _offered(state: State) -> bool:
    return any(frame.shown and frame.status == "open" for frame in state.trip.frames.values())


def _documents(state: State, clause: Clause) -> list[Call]:
    """Return the question for papers: for the place and days of the trip, or those that the clause names together."""
    start, end = days_of(state, "flight")
    place = state.trip.value("destination")
    named = next((each.name for each in clause.places if each.role == "destination"), "")
    if clause.dates and clause.dates.start and named:
        place, start = named, clause.dates.start.isoformat()
        end = clause.dates.end.isoformat() if clause.dates.end else None
    if not (place and start):
        return []
    place = state.codes.get(place.casefold(), place)
    return [("check_documents", {"destination": place, "start": start, "end": end or start})]


def _conversion(dialogue: Dialogue, clause: Clause) -> list[Call]:
    """Return the sum asked about; where none is said, the one converted last, else the price talked about."""
    asked = clause.conversion
    if asked is None or not asked.target:
        return []
    last = next((turn_call for turn in dialogue.transcript.before[::-1] for turn_call in turn.calls[::-1]
                 if turn_call["name"] == "convert_money"), None)  # fmt: skip
    amount, source = asked.amount, asked.source
    recent = dialogue.transcript.before[-1].calls if dialogue.transcript.before else []
    if amount is None and last is not None and last in recent:
        amount, source = float(last["args"]["amount"]), source or str(last["args"]["source"])
    if amount is None:
        price = shown_price(dialogue.step.heard, clause)
        if not price:
            return []
        amount, source = amount_of(price), currency_of(price)
    source = source or dialogue.standing.currency
    return [("convert_money", {"amount": amount, "source": source, "target": asked.target})] if source else []


def shown_price(state: State, clause: Clause) -> str:
    """Return the price that is talked about: of the offer at hand, else of what was booked last."""
    frame = subject(state, clause)
    if frame and frame.chosen:
        return str(frame.chosen.get("price"))
    paid = [str(booking.facts.get("paid")) for booking in state.bookings.values() if booking.live]
    return paid[-1] if paid else ""
