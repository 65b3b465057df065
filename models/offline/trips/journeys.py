"""Which journey a message is about: the one under way, one from before, or another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from models.offline.reading.understanding import Clause, Kind
from models.offline.trips.frames import SHARED, Frame, Slot, State, Trip
from text import fold


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a message is heard against: its place in the conversation, the day, and what the last reply asked."""

    turn: int
    today: date
    question: str = ""


def hear_places(state: State, clause: Clause, hearing: Hearing) -> State:
    """A first place is filled in; a known one is gone back to; a new one with days or parts is another trip."""
    origin, destination = _ends(clause, hearing)
    if destination and destination != state.trip.value("origin"):
        state = _towards(state, clause, destination, hearing)
    elif clause.another and state.trip.begun:
        state = _another_trip(state, clause, hearing)
    if origin and origin != state.trip.value("destination"):
        state = state.with_trip(state.trip.with_slots(hearing.turn, origin=origin))
    area = next((place.name for place in clause.places if place.role == "area"), None)
    frame = state.trip.frames.get("hotel")
    if area and frame and not clause.wishes.area:
        state = state.with_frame(frame.with_slots(hearing.turn, area=area))
    return state


def _ends(clause: Clause, hearing: Hearing) -> tuple[str | None, str | None]:
    found = {place.role: place.name for place in clause.places}
    unsaid = [place.name for place in clause.places if place.role == "unsaid"]
    origin, destination = found.get("origin"), found.get("destination")
    if unsaid and not origin and (len(unsaid) > 1 or hearing.question == "ask_origin"):
        origin = unsaid.pop(0)
    if unsaid and not destination:
        destination = unsaid[-1]
    return origin, destination


def _towards(state: State, clause: Clause, destination: str, hearing: Hearing) -> State:
    trip = state.trip
    known = trip.value("destination")
    if known == destination and not clause.another:
        return state
    before = [at for at, each in enumerate(state.trips) if each.value("destination") == destination]
    if before and known != destination:
        return replace(state, at=before[-1], focus=last_part(state.trips[before[-1]]))
    if known is None and not clause.another:
        return state.with_trip(trip.with_slots(hearing.turn, destination=destination))
    other_parts = bool(clause.kinds) and not {*clause.kinds} & trip.frames.keys()
    booked = any(frame.status == "booked" for frame in trip.frames.values())
    dated = clause.dates is not None and (clause.dates.start or clause.dates.window)
    if clause.another or dated or other_parts or booked:
        return _another_trip(state, clause, hearing, destination=destination, dates=not dated and other_parts)
    frames = {kind: Frame(kind, _kept_wishes(frame)) for kind, frame in trip.frames.items() if frame.status == "open"}
    return state.with_trip(replace(trip, frames=frames).with_slots(hearing.turn, destination=destination))


def _kept_wishes(frame: Frame) -> dict[str, Slot]:
    """Return what holds of a part in another place too: all but what names a place."""
    return {name: slot for name, slot in frame.slots.items() if name not in ("area", *SHARED)}


def _another_trip(
    state: State, clause: Clause, hearing: Hearing, *, destination: str | None = None, dates: bool = False
) -> State:
    """Return the state with a new trip, which takes over who travels and from where, and days where none are said."""
    old = state.trip
    carried = ("origin", "party", *(("start", "end", "nights") if dates else ()))
    slots = {name: replace(old.slots[name], source="carried") for name in carried if name in old.slots}
    parts = () if clause.kinds else tuple(frame.kind for frame in old.of_status("open"))
    trip = Trip(slots, {kind: Frame(kind) for kind in parts}).with_slots(hearing.turn, destination=destination)
    return replace(state, trips=(*state.trips, trip), at=len(state.trips), focus=next(iter(parts), None), changing="")


def last_part(trip: Trip) -> Kind | None:
    """Return the part of a trip that was put on the table last."""
    shown = [frame.kind for frame in trip.frames.values() if frame.shown and frame.status == "open"]
    return shown[-1] if shown else next(iter(trip.frames), None)


def answers_place(said: str, clause_ordinal: int | None, places: tuple[str, ...]) -> str:
    """Return the code of the one of `places` that a message means, or an empty string."""
    if clause_ordinal is not None and clause_ordinal < len(places):
        return _code(places[clause_ordinal])
    words = [fold(word) for word in said.split() if len(word) > 2 or word.isupper()]
    scored = [sum(each.strip("(),.") in words for each in fold(place).split()) for place in places]
    best = max(scored, default=0)
    return _code(places[scored.index(best)]) if best and scored.count(best) == 1 else ""


def _code(place: str) -> str:
    return place.rpartition("(")[2].strip(")")
