"""Changes what is booked: which part a message moves, its days, the way back to them, and the budget that is left."""

from dataclasses import replace
from datetime import date
from typing import Any

from models.offline.reading.understanding import Clause, Dates
from models.offline.trips.choosing import chosen_offer
from models.offline.trips.frames import Frame, State
from models.offline.trips.merging import Hearing, is_day_there
from models.offline.trips.offers import amount_of, currency_of, name_of, ways
from models.offline.trips.wishes import WISHES, said_wishes


def move_booking(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state in which the next offer chosen replaces a booked one, if a clause moves or exchanges that.

    A stay is moved within its hotel, unless the clause has wishes for another one.
    """
    frame, when = _booked_part(state, clause), clause.dates or Dates()
    if frame is None or clause.another:
        return state
    if frame.kind == "flight":
        orders = frame.chosen if clause.act in ("book", "choose") and not state.trip.shown else None
        another = orders and chosen_offer(frame, clause.choice, {}) not in (None, orders)
        moves = clause.dates or clause.act == "change" or clause.wishes.is_timed or another
        return replace(state, changing=frame.booking, focus="flight") if moves else state
    days = booked_days(state, frame.booking)
    longer = frame.kind == "hotel" and when not in (Dates(), Dates(same=True))
    if clause.act != "change" and not (longer and (not when.start or when.start < days.get("end", when.start))):
        return state  # "a hotel from the 14th on" is another stay, after this one
    booking = state.bookings.get(frame.booking)
    if state.changing != frame.booking:
        house = name_of(booking.offer or {}) if booking and longer and not said_wishes(clause.wishes) else None
        own = (days if len(state.trip.frames) > 1 else {}) | ({"chain": house} if house else {})
        state = state.fill(hearing.turn, frame, **own)
    return replace(state, changing=frame.booking, focus=frame.kind)


def _booked_part(state: State, clause: Clause) -> Frame | None:
    """Return the booked part that a clause may move: the one it names, else the one in focus, else the flight."""
    booked = {frame.kind: frame for frame in state.trip.of_status("booked") if frame.booking}
    focus, when = state.frame, clause.dates or Dates()
    kind = focus.kind if focus else "flight"
    if clause.kinds:
        kind = "flight" if "flight" in clause.kinds else clause.kinds[0]
    elif clause.act == "change" or (focus and focus.status == "booked" and not when.start):
        kind = "flight" if "flight" in booked and not is_day_there(state, clause) else kind
    return booked.get(kind)


def booked_days(state: State, reference: str) -> dict[str, Any]:
    """Return the first and the last day of a booking as the slots `start` and `end`; empty if they are unknown."""
    booking = state.bookings.get(reference)
    legs = [way.get("departs") for way in ways(booking.offer or {})] if booking else []
    days = legs or ([booking.facts.get("starts"), booking.facts.get("ends")] if booking else [])
    return {name: date.fromisoformat(str(day)[:10]) for name, day in zip(("start", "end"), days, strict=False) if day}


def is_as_booked(state: State) -> bool:
    """Return whether the days of the part that is being moved are those of its booking ("no, Thursday stays")."""
    days, kind = booked_days(state, state.changing), state.moving.kind if state.moving else None
    return bool(days) and all(state.trip.value(name, kind) == day for name, day in days.items())


def as_booked(state: State, hearing: Hearing) -> State:
    """Return the state in which no booking is to be replaced, and the part that was keeps its booked days."""
    part, days = state.moving, booked_days(state, state.changing)
    own = part if part and "start" in part.slots else None
    return replace(state.fill(hearing.turn, own, **days, nights=None) if days else state, changing="")


def with_remaining_budget(state: State, hearing: Hearing) -> State:
    """Return the state with the trip's total budget, less its bookings, as the budget of its only open part."""
    total, booked = state.trip.value("sum"), state.trip.of_status("booked")
    paid = {name: booking.facts.get("paid") for name, booking in state.bookings.items()}
    prices = [(each.chosen or {}).get("price") or paid.get(each.booking) for each in booked]
    rates = [1.0 if total.currency in (None, to) else state.rates.get((total.currency, to))
             for to in map(currency_of, prices)] if total else []  # fmt: skip
    if not rates or None in rates or state.trip.several:
        return state
    spent = sum(amount_of(price) / (rate or 1) for price, rate in zip(prices, rates, strict=True))
    remaining = replace(total, amount=max(1, int(total.amount - spent)))
    for frame in state.trip.of_status("open"):
        if not (frame.given or frame.value("budget")) and frame.kind in WISHES["budget"].kinds:
            state = state.fill(hearing.turn, frame, budget=remaining)
    return state
