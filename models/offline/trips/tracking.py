"""The rules by which a message changes the state of the trips. Each rule is a pure function."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from models.offline.reading.understanding import Act, Clause, Dates, Kind, Party, Understanding, Wishes
from models.offline.trips.choosing import OPENING, pick, point_at, seeks_offers
from models.offline.trips.family import names_more
from models.offline.trips.frames import Company, Frame, Source, State, Trip
from models.offline.trips.legs import begin_leg, for_each, last_named, settle, spread
from models.offline.trips.merging import (
    Hearing,
    company_after,
    days_after,
    go_back,
    hear_places,
    home_told,
    is_counted,
    is_day_there,
    is_unsure,
    with_young,
)
from models.offline.trips.moving import as_booked, is_as_booked, move_booking, with_remaining_budget
from models.offline.trips.wishes import NEEDS, OWN, TOPICS, WISHES, merged_wish, said_wishes, wishes_of

Rule = Callable[[State, Clause, Hearing], State]


def hear(state: State, said: Understanding, hearing: Hearing) -> State:
    """Return the state after a message, of which each of the journeys planned together hears what is about it."""
    names = {place.name: place.said for clause in said.clauses for place in clause.places if place.said}
    state, legs = replace(state, names={**state.names, **names}), [each for each in said.clauses if each.onward]
    state = replace(state, at=state.journeys[0], legs=()) if legs else state  # said anew, they replace those before
    said = replace(said, clauses=tuple(each for each in said.clauses if not each.onward))
    parts, current = for_each(state, said, hearing.question), last_named(state, said)
    for at, part in parts:
        state = _heard(replace(state, at=at), part, hearing)
        current = current if state.at in state.legs and parts[1:] else state.at
    state = settle(spread(replace(state, at=current), said), said)
    for clause in legs:
        begun = begin_leg(state, clause, hearing)
        state = _heard(begun, replace(said, clauses=(replace(clause, places=(), dates=None),)), hearing)
    return replace(state, at=current) if legs else state


def _heard(state: State, said: Understanding, hearing: Hearing) -> State:
    """Return the state after a message; an alternative ("else the cheapest") is skipped if the clause before worked."""
    initial = before = state
    for clause in said.clauses:
        opened = state.focus not in initial.trip.frames  # a no after a request refuses nothing of it
        skipped = (clause.otherwise and state is not before) or (clause.act == "reject" and opened)
        before = state
        clause = replace(clause, party=None) if is_counted(clause.party, said, initial.trip) else clause
        for rule in () if skipped else RULES.get(clause.act, ()):
            state = rule(state, clause, hearing)
    opens = [clause.act in OPENING or seeks_offers(initial, clause) for clause in said.clauses]
    if initial.changing and not any(opens) and any(clause.act == "reject" for clause in said.clauses):
        state = as_booked(state, hearing)
    return with_remaining_budget(_imply_part(state, said, hearing) if any(opens) else state, hearing)


def hear_question(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state after a question: one that needs a search is a request, others only set a focus or a place."""
    if seeks_offers(state, clause):
        for rule in _TELLING:
            state = rule(state, clause, hearing)
        return state
    if clause.topic in ("place", "weather") or clause.topic not in TOPICS["beside_trips"]:
        state = point_at(focus_on(state, clause, hearing), clause)
    named = [place.name for place in clause.places]
    if clause.topic not in TOPICS["beside_trips"] and (back := go_back(state, named)):
        return back
    if named and not state.trip.value("destination"):
        state = state.fill(hearing.turn, destination=named[-1])
        return hear_days(state, clause, hearing) if clause.dates and clause.dates.end else state
    return state


def open_parts(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the parts that a clause names opened, or reopened if dropped; booked parts stay booked."""
    trip = state.trip
    if clause.kinds and not trip.value("origin"):
        trip = replace(trip, frames={k: frame for k, frame in trip.frames.items() if not frame.implied or frame.given})
    origins, aim = {place.name for place in clause.places if place.role == "origin"}, trip.value("destination")
    travels = origins - {aim} and aim and not {"flight", "car"} & {*trip.frames, *clause.kinds}
    for kind in (*(("flight",) if travels else ()), *clause.kinds):
        frame = trip.frames.get(kind)
        trip = trip if frame and frame.status != "dropped" else trip.with_frame(Frame(kind))
    return focus_on(state.with_trip(trip), clause, hearing)


def focus_on(state: State, clause: Clause, _: Hearing) -> State:
    """Return the state with the focus on the first part of the trip that the clause names or that its topic implies."""
    kinds = clause.kinds or TOPICS["kinds"].get(clause.topic, ())
    named = [kind for kind in kinds if kind in state.trip.frames]
    return replace(state, focus=named[0]) if named else state


def hear_days(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the days of a clause, set for the trip, or for one part if they are about it alone."""
    said = clause.dates
    if said is None:
        return state
    part = _own_part(state, clause, "start")
    if said == Dates(same=True):
        if part:
            return state.fill(hearing.turn, part, start=None, end=None, nights=None)
        return state if state.trip.value("start") else state.fill(hearing.turn, as_booked=True)
    if part is None and not state.changing and _has_settled_days(state.trip):
        for kind in (each for each in clause.kinds if each != "flight"):
            state = hear_days(state, replace(clause, kinds=(kind,)), hearing)
        return state
    changed = days_after(state.trip, part.kind if part else None, said, hearing.today)
    if part and part.kind == "activity" and not (said.end or said.nights):
        changed["end"] = said.start
    known = state.trip.slot("start", part.kind if part else None)
    open_days = said.window or (known and known.source == "proposed")
    source: Source = "proposed" if open_days and not (said.start or said.end) else "said"
    heard = state.fill(hearing.turn, part, source, **changed)
    return replace(heard, changing="") if is_as_booked(heard) and not is_as_booked(state) else heard


def hear_party(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the people of a clause, set for the trip, or for one part if they are about it alone."""
    part, said = _own_part(state, clause, "party"), clause.party
    known: Company | None = state.trip.value("party", part.kind if part else None)
    if said is None or is_unsure(known, said):
        return state
    searched = any(frame.given for frame in state.trip.frames.values())
    family = hearing.family() if said.family else None
    if names_more(said, known if searched or not family else None):
        family = family and replace(family, adults=said.adults or family.adults)
        if family or (said.adults or 1) == 1:
            return state.fill(hearing.turn, part, "note", party=family) if family else state
    if said == Party(family=said.family):
        return state
    known = known or (hearing.usual() if said.joins or said.leaves else None)
    said = with_young(state.trip.slot("party", part.kind if part else None), replace(said, family=""), hearing)
    return state.fill(hearing.turn, part, party=company_after(known, said))


def _own_part(state: State, clause: Clause, name: str) -> Frame | None:
    """Return the part that a detail is about alone; None if it is about the whole trip, as a flight's details are."""
    settled = name == "start" and _has_settled_days(state.trip)
    focused = state.frame is not None and (name in state.frame.slots or settled or is_day_there(state, clause))
    kinds = clause.kinds or ((state.focus,) if state.focus and focused else ())
    part = state.trip.frames.get(kinds[0]) if len(kinds) == 1 and kinds[0] != "flight" else None
    return part if any(frame is not part for frame in state.trip.of_status("open", "booked")) else None


def _has_settled_days(trip: Trip) -> bool:
    """Return whether a flight is booked: the trip's days are those of the flight, which nothing moves unasked."""
    flight = trip.frames.get("flight")
    return bool(flight and flight.booking)


def hear_wishes(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with each wish of a clause added to the part that it applies to, and dropped wishes removed."""
    for name, value in wishes_of(clause).items():
        if name == "budget" and value.per == "total" and value.of is None:
            state = state.fill(hearing.turn, sum=value)
        frame = _part_for(state, clause, name)
        if frame is None:
            continue
        if name == "budget" and frame.kind == "hotel" and value.per in (None, "day"):
            value = replace(value, per="night")
        value = merged_wish(frame, name, value)
        per_person = clause.choice and clause.choice.every and len(state.trip.shown) < 2  # else "both" means the parts
        related: dict[str, Any] = {"bags_each": per_person or None} if name == "bags" else {}
        related |= {"seat_for": None} if name == "seat" else {}
        if other := _OPPOSITES.get(name):  # "BA", then "no, anything but BA"
            related = {other: tuple(each for each in frame.value(other) or () if each not in value) or None}
        state = state.fill(hearing.turn, frame, **{name: value, **related})
    for frame in state.trip.frames.values() if clause.wishes.others else ():
        if frame.kind in (clause.kinds or (state.focus,)):
            state = state.fill(hearing.turn, frame, others=True)
    return _without(state, hearing, clause.wishes.dropped)


def _part_for(state: State, clause: Clause, name: str) -> Frame | None:
    """Return the part that the wish `name` applies to, or a new part of the only kind that it can apply to, or None."""
    possible, frames = WISHES[name].kinds, state.trip.frames
    if name == "sort" and clause.wishes.sort == "central":
        return frames.get("hotel")  # no flight or car is closest to the centre
    requested = {*clause.wishes.requests} if name == "requests" else {""}
    own = [kind for kind, requests in OWN.items() if requested <= {*requests}]
    budget = clause.wishes.budget if name == "budget" else None
    if budget and budget.of and budget.of in frames:
        return frames[budget.of]
    if budget and budget.per == "total" and state.trip.several:
        return None
    for kind in (*own, *clause.kinds, state.focus, *frames):
        if kind in possible and kind in frames:
            return frames[kind]
    if clause.kinds or state.focus == "car":
        return None  # "a van, with pick-up at the airport" asks for no hotel there
    incidental = WISHES[name].met == "booking" or {*clause.wishes.features} == NEEDS  # "she needs a wheelchair"
    opens_none = incidental and (frames or not state.trip.begun)  # "a van, we're six with luggage"
    return Frame(possible[0]) if len(possible) == 1 and not opens_none else None


def _without(state: State, hearing: Hearing, dropped: tuple[str, ...]) -> State:
    """Return the state without the wishes and features in `dropped`."""
    for frame in state.trip.frames.values() if dropped else ():
        features = tuple(each for each in frame.value("features") or () if each not in dropped)
        values: dict[str, Any] = {name: None for name in dropped if name in frame.slots}
        values |= {"features": features or None} if "features" in frame.slots else {}
        state = state.fill(hearing.turn, frame, **values)
    return state


def choose(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the shown offer that a clause chooses; if none matches, its wishes lead to a new search."""
    picked = pick(state, clause)
    if picked is state:
        return hear_wishes(state, clause, hearing)
    wishes = said_wishes(clause.wishes).items()
    extras = Wishes(**{name: value for name, value in wishes if WISHES[name].met == "booking"})
    return hear_wishes(picked, replace(clause, wishes=extras), hearing)


def drop(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state without the wishes that a clause rejects, or without its parts; booked parts stay booked."""
    wishes = said_wishes(clause.wishes)
    names = clause.wishes.dropped or (*clause.wishes.features, *(name for name in wishes if name != "features"))
    state = _without(state, hearing, names)
    state = hear_wishes(state, clause, hearing) if clause.wishes.dropped else state
    kinds = () if names else clause.kinds or ((state.focus,) if state.focus else ())
    for kind in kinds:
        frame = state.trip.frames.get(kind)
        if frame and frame.status == "open":
            state = state.with_frame(replace(frame, status="dropped"))
    return replace(state, focus=state.trip.last if state.focus in kinds else state.focus)


def refuse(state: State, _: Clause, __: Hearing) -> State:
    """Return the state after a no: an optional part in focus whose offer was not taken is dropped; nothing else is."""
    frame = state.frame
    active = (each for each in state.trip.of_status("open", "booked") if each is not frame)
    others = [each for each in active if each.shown or each.status == "booked"]
    if frame and frame.kind in ("insurance", "activity", "car") and others and not (frame.taken or frame.booking):
        return replace(state.with_frame(replace(frame, status="dropped")), focus=others[-1].kind)
    return state


def start_over(state: State, _: Clause, __: Hearing) -> State:
    """Return the state with a new, empty trip as the current one; the bookings are kept."""
    return replace(state, trips=(*state.trips, Trip()), at=len(state.trips), focus=None, changing="")


def agree(state: State, _: Clause, hearing: Hearing) -> State:
    """Return the state after a yes to adding a hotel."""
    return replace(state.with_frame(Frame("hotel")), focus="hotel") if hearing.question == "ask_hotel_too" else state


def _imply_part(state: State, said: Understanding, hearing: Hearing) -> State:
    """Return the state with an implied part if the trip has none: a hotel for nights with no origin, else a flight."""
    trip = state.trip
    if trip.frames or not trip.begun:
        return state
    stays = any(clause.dates and clause.dates.nights for clause in said.clauses)
    kind: Kind = "hotel" if stays and not trip.value("origin") else "flight"
    state = replace(state.with_frame(Frame(kind, implied=True)), focus=kind)
    for clause in said.clauses:
        state = hear_wishes(state, clause, hearing)
    return state


_OPPOSITES = {"airline": "without", "without": "airline"}
_TELLING: tuple[Rule, ...] = (hear_places, open_parts, move_booking, hear_days, hear_party, hear_wishes)
_TAKING: tuple[Rule, ...] = (hear_places, open_parts, move_booking, hear_days, hear_party, choose)

RULES: dict[Act, tuple[Rule, ...]] = {
    "inform": _TELLING,
    "ask": (hear_question,),
    "choose": _TAKING,
    "book": _TAKING,
    "hold": _TAKING,
    "change": _TAKING,
    "confirm": (agree, *_TAKING),
    "bags": (focus_on, hear_wishes),
    "seats": (focus_on, hear_wishes),
    "cancel": (focus_on,),
    "drop": (drop,),
    "reject": (refuse,),
    "restart": (start_over,),
    "tell": (home_told,),
}
"""The rules to apply for each act, in order; other acts don't change the state."""
