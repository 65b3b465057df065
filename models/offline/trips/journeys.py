"""Which journey a message is about: the one under way, one from before, or another one."""

from dataclasses import dataclass, replace
from datetime import date

from models.offline.reading.understanding import Clause, Understanding
from models.offline.trips.frames import SHARED, Frame, State, Trip
from text import fold


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a message is heard against: its place in the conversation, the day, and what the last reply asked."""

    turn: int
    today: date
    question: str = ""


def hear_places(state: State, clause: Clause, hearing: Hearing) -> State:
    """A first place is filled in; a known one is gone back to; a new one with days or parts is another trip."""
    places = {place.role: place.name for place in clause.places}
    unsaid = [place.name for place in clause.places if place.role == "unsaid"]
    origin, destination = places.get("origin"), places.get("destination")
    if unsaid and not origin and (len(unsaid) > 1 or hearing.question == "ask_origin"):
        origin = unsaid.pop(0)
    destination = destination or (unsaid[-1] if unsaid else None)
    start = state.trip.slot("origin")
    if start and destination and not origin and start.first == destination != start.value:
        origin, destination = destination, None  # "Lyon was better"
    if destination and destination != (origin or state.trip.value("origin")):
        state = _towards(state, clause, destination, hearing)
    elif clause.another and state.trip.begun:
        state = _another_trip(state, clause, hearing)
    if origin and origin != state.trip.value("destination"):
        state = state.with_trip(state.trip.with_slots(hearing.turn, origin=origin))
    hotel, area = state.trip.frames.get("hotel"), places.get("area")
    if area and hotel and not clause.wishes.area:
        state = state.with_frame(hotel.with_slots(hearing.turn, area=area))
    return state


def go_back(state: State, named: list[str]) -> State | None:
    """Return the state on the latest trip to one of the places named; None where that is the one under way, or none."""
    before = [at for at, trip in enumerate(state.trips) if trip.value("destination") in named]
    if not before or state.at in before:
        return None
    return replace(state, at=before[-1], focus=state.trips[before[-1]].last)


def _towards(state: State, clause: Clause, destination: str, hearing: Hearing) -> State:
    trip, known = state.trip, state.trip.value("destination")
    if known == destination and not clause.another:
        return state
    if known != destination and (back := go_back(state, [destination])):
        return back
    if known is None and not clause.another:
        return state.with_trip(trip.with_slots(hearing.turn, destination=destination))
    other_parts = bool(clause.kinds) and not {*clause.kinds} & trip.frames.keys()
    dated = clause.dates is not None and (clause.dates.start or clause.dates.window)
    if clause.another or dated or other_parts or trip.of_status("booked"):
        return _another_trip(state, clause, hearing, destination=destination, dates=not dated and other_parts)
    frames = {}
    for frame in trip.of_status("open"):
        wishes = {name: slot for name, slot in frame.slots.items() if name not in ("area", *SHARED)}
        frames[frame.kind] = Frame(frame.kind, wishes)
    return state.with_trip(replace(trip, frames=frames).with_slots(hearing.turn, destination=destination))


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


def place_meant(text: str, said: Understanding, places: tuple[str, ...]) -> str:
    """Return the code of the one of `places` that a message means, or an empty string."""
    at = next((clause.choice.ordinal for clause in said.clauses if clause.choice), None)
    if at is None or at >= len(places):
        words = [fold(word) for word in text.split() if len(word) > 2 or word.isupper()]
        scores = [sum(each.strip("(),.") in words for each in fold(place).split()) for place in places]
        best = max(scores, default=0)
        at = scores.index(best) if best and scores.count(best) == 1 else None
    return "" if at is None else places[at].rpartition("(")[2].strip(")")
