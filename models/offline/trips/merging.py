"""Merges the places, people and days of a message into the state of the trips. Each function is pure."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from models.offline.reading.understanding import Choice, Clause, Dates, Kind, Party, Place, Role, Understanding
from models.offline.reading.values.names import city_of, is_airport_of, other_airport
from models.offline.reading.values.people import ADULT, CHILD, GROWN
from models.offline.trips.frames import SHARED, Company, Frame, Slot, State, Trip
from text import fold


@dataclass(frozen=True, slots=True)
class Hearing:
    """The context of a message: the number of its turn, today's date, and the question that the last reply asked.

    `family` returns the traveller's family, and `usual` who usually travels, according to notes. Both read all notes,
    so they are called only for messages that mention people.
    """

    turn: int
    today: date
    question: str = ""
    family: Callable[[], Company | None] = lambda: None
    usual: Callable[[], Company | None] = lambda: None


def hear_places(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the places of a clause; a new destination may return to a trip, or begin or change one."""
    clause, flight = _with_airport_role(state, clause)
    if flight and clause.places[0].role == "destination":
        return state.fill(hearing.turn, flight, destination=clause.places[0].name)
    named = _chosen_places(state, clause)
    several = [place for place in named if place.either or place.others]
    if names := tuple(dict.fromkeys(name for place in several for name in (*place.others, place.name))):
        city, role = city_of(names), several[-1].role  # several airports of one city stand for the city
        state = state if city else replace(state, between=(role, names))
        named = (*(place for place in named if place not in several), *((Place(city, role),) if city else ()))
    places = {place.role: place.name for place in named}
    state = replace(state, between=None) if state.between and state.between[0] in places else state
    origin, destination = places.get("origin"), places.get("destination") or places.get("unsaid")
    start = state.trip.slot("origin")
    if clause.kinds and "flight" not in clause.kinds and origin == destination:
        origin = None  # "a car from Munich, back in Munich"
    if start and start.first == destination != start.value:
        origin, destination = destination, None  # "Lyon was better"
    if destination and destination != (origin or state.trip.value("origin")):
        state = _towards(state, clause, destination, hearing)
    return state.fill(hearing.turn, origin=origin) if origin and origin != state.trip.value("destination") else state


def home_told(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with the traveller's home, or their usual airport, as the origin, unless there is one."""
    origin = next((place.name for place in clause.places if place.role == "origin"), "")
    slot = state.trip.slot("origin")
    free = slot is None or (slot.turn == hearing.turn and origin.endswith(")"))  # 「家は横浜。いつも羽田から」
    return state.fill(hearing.turn, origin=origin) if origin and free else state


def _chosen_places(state: State, clause: Clause) -> tuple[Place, ...]:
    """Return the places of a clause, or the one that it picks if the traveller has several to choose between."""
    role, names = state.between or ("unsaid", ())
    if not names or any(place.name not in names for place in clause.places):
        return clause.places
    if clause.places:
        return (replace(clause.places[-1], role=role),)
    choice = clause.choice or Choice()
    any_of_them = (choice.every and role == "origin") or choice.sort or clause.wishes.sort
    at = 0 if choice.ordinal is None and any_of_them else choice.ordinal
    return () if at is None or not -len(names) <= at < len(names) else (Place(names[at], role),)


def _with_airport_role(state: State, clause: Clause) -> tuple[Clause, Frame | None]:
    """Return a clause on an airport of a trip's city with that city's role, and the flight; other clauses with None."""
    flight = state.trip.frames.get("flight")
    others = [other for name in clause.wishes.without if (other := other_airport(name))]  # "not Haneda": Narita
    places = clause.places or tuple(Place(name) for name in others)
    place = places[0] if len(places) == 1 else None
    roles: tuple[Role, ...] = ("origin", "destination")
    matches = (role for role in roles if place and is_airport_of(place.name, state.trip.value(role, "flight")))
    role = next(matches, None)
    return (replace(clause, places=(replace(place, role=role),)), flight) if place and role else (clause, None)


def go_back(state: State, named: list[str]) -> State | None:
    """Return the state with the latest trip to one of the places as the current one; None if there is no other."""
    before = [at for at, trip in enumerate(state.trips) if trip.value("destination") in named]
    if not before or state.at in before:
        return None
    return replace(state, at=before[-1], focus=state.trips[before[-1]].last)


def _towards(state: State, clause: Clause, destination: str, hearing: Hearing) -> State:
    """Return the state with a trip to `destination`: an earlier one, a new one, or the current one changed."""
    trip, current = state.trip, state.trip.value("destination")
    if current == destination and not clause.another:
        return state
    if current != destination and (back := go_back(state, [destination])):
        return back
    if current is None:
        return state.fill(hearing.turn, destination=destination)
    other_parts = bool(clause.kinds) and not {*clause.kinds} & trip.frames.keys()
    dated = clause.dates is not None and (clause.dates.start or clause.dates.window)
    if clause.another or dated or other_parts or trip.of_status("booked"):
        return _another_trip(state, clause, hearing, destination, dates=not dated and other_parts)
    return state.with_trip(replace(trip, frames=unsearched(trip))).fill(hearing.turn, destination=destination)


def unsearched(trip: Trip) -> dict[Kind, Frame]:
    """Return the open parts of a trip with their wishes alone, for another place."""
    frames = {}
    for frame in trip.of_status("open"):
        wishes = {name: slot for name, slot in frame.slots.items() if name not in ("area", *SHARED)}
        frames[frame.kind] = Frame(frame.kind, wishes)
    return frames


def _another_trip(state: State, clause: Clause, hearing: Hearing, destination: str, *, dates: bool) -> State:
    """Return the state with a new trip that keeps the origin and the travellers, and with `dates` also the days."""
    old = state.trip
    carried = ("origin", "party", *(("start", "end", "nights") if dates else ()))
    slots = {name: old.slots[name] for name in carried if name in old.slots}
    parts = () if clause.kinds else tuple(frame.kind for frame in old.of_status("open"))
    trips = (*state.trips, Trip(slots, {kind: Frame(kind) for kind in parts}))
    state = replace(state, trips=trips, at=len(state.trips), focus=next(iter(parts), None), changing="")
    return state.fill(hearing.turn, destination=destination)


def place_meant(text: str, said: Understanding, places: tuple[str, ...]) -> str:
    """Return the one of `places` that a message picks, with its code, or an empty string."""
    at = next((clause.choice.ordinal for clause in said.clauses if clause.choice and clause.act != "ask"), None)
    if at is None or at >= len(places):
        words = [fold(word) for word in text.split() if len(word) > 2 or word.isupper()]
        scores = [sum(each.strip("(),.") in words for each in fold(place).split()) for place in places]
        best = max(scores, default=0)
        at = scores.index(best) if best and scores.count(best) == 1 else None
    return "" if at is None else places[at]


def without_sights(state: State, said: Understanding) -> Understanding:
    """Return `said` without unknown places if it is only about activities on a trip: they are sights, not cities."""
    kinds = {kind for clause in said.clauses for kind in clause.kinds}
    if kinds != {"activity"} or not state.trip.value("destination"):
        return said
    clauses = []
    for clause in said.clauses:
        unknown = tuple(place.said for place in clause.places if not place.known)
        known = tuple(place for place in clause.places if place.known)
        clauses.append(replace(clause, places=known, unread=(*clause.unread, *unknown)))
    return replace(said, clauses=tuple(clauses))


_PAIR = 2
"""The largest number of people that is taken to include no children unless they are mentioned."""
_SHORT_WINDOW = 9
"""A window of fewer days is proposed as a whole if no length of stay is known."""


def company_after(known: Company | None, said: Party) -> Company:
    """Return the updated travellers: the counts that `said` gives replace the known ones, the others stay."""
    own, before = _by_age(said), known or Company()
    if said == Party(total=1):
        return Company()  # "on my own this time", after a trip of the whole family
    if before.uncounted and not (said.total or said.adults or said.joins or said.leaves):
        said = replace(said, total=before.everybody)  # "a family of four", then "the kids are 4 and 9"
    if said.joins or said.leaves:
        sign = 1 if said.joins else -1
        adults = max(0, own.adults or (said.total or 0) - own.children - own.infants)
        children, infants = before.children + sign * own.children, before.infants + sign * own.infants
        ages = before.ages + own.ages if said.joins else () if own.children or own.infants else before.ages
        return Company(max(1, before.adults + sign * adults), max(0, children), max(0, infants), ages)
    if all(count is None for count in (said.total, said.adults, said.children, said.infants)):
        return _with_ages(before, own, said.ages)
    if said == Party(children=before.children + before.infants):
        return before
    if known and said.total == before.everybody + own.infants and not (own.children or before.infants):
        return replace(before, infants=own.infants, ages=before.ages + own.ages)  # "and the baby too, so five of us"
    if said == Party(children=1, ages=said.ages) and {*said.ages} & {*before.ages}:
        return before  # "our 4 year old is shy", when there are two children
    if said == Party(children=1, ages=said.ages) and {each - 1 for each in said.ages} & {*before.ages}:
        return _with_ages(before, own, said.ages)  # "look again with him as a 2 year old"
    if before.infants and said.total == before.adults + before.children > 1:
        ages = tuple(age for age in before.ages if age >= CHILD)
        return replace(before, infants=0, ages=ages)  # "just the four of us", without the baby
    young_said = own.children or own.infants or 0 in (said.children, said.infants)
    children, infants = (own.children, own.infants) if young_said else (before.children, before.infants)
    if own.infants and not (said.total or own.children):
        children = before.children
    adults = own.adults or (said.total - children - infants if said.total else before.adults)
    uncounted = (said.total or 0) > _PAIR and not (said.adults or young_said)
    ages = own.ages or (before.ages if children + infants else ())
    return Company(max(1, adults), children, infants, ages, uncounted)


def is_unsure(known: Company | None, said: Party) -> bool:
    """Return whether a name, or a "he" who leaves a party with children, may be that of any of the travellers."""
    return bool(said.unsure) and bool(not said.leaves or (known and known.children + known.infants))


def is_counted(party: Party | None, said: Understanding, before: Trip) -> bool:
    """Return whether a total in the message counts those who join or leave ("make it three, my sister is coming")."""
    total = next((each.party.total for each in said.clauses if each.party and each.party.total), 0)
    more = total - (before.value("party") or Company()).everybody
    known = total and party and (before.begun or before.value("party"))
    return bool(known and party and ((party.joins and more > 0) or (party.leaves and more < 0)))


def with_young(known: Slot | None, said: Party, hearing: Hearing) -> Party:
    """Return `said`, or one adult if it counts a single person right after children in the same message."""
    has_young = known is not None and known.turn == hearing.turn and (known.value.ages or known.value.children > 1)
    alone = 1 in (said.total, said.adults) and not (said.children or said.infants or said.joins or said.leaves)
    return Party(adults=1) if has_young and alone else said  # "two kids, 8 and 10. Just me as the adult"


def _by_age(said: Party) -> Company:
    """Return the adults, children and infants of a message; people whose age it gives are counted by that."""
    infants = sum(age < CHILD for age in said.ages)
    children = sum(CHILD <= age < ADULT for age in said.ages)
    grown = len(said.ages) - infants - children
    if len(said.ages) < (said.children or 0) + (said.infants or 0):
        infants, children, grown = said.infants or 0, said.children or 0, 0
    return Company((said.adults or 0) + grown, children, infants, tuple(age for age in said.ages if age < ADULT))


def _with_ages(before: Company, own: Company, new: tuple[int, ...]) -> Company:
    """Return the party with `new` ages: of its children, if there are as many, else of more people.

    Ages from adulthood on count as adults. An age one year above a known one is that child's birthday.
    """
    ages, children, infants = list(before.ages), before.children, before.infants
    if len(new) == children + infants:
        ages, children, infants = [], 0, 0
    elif new and new[0] - 1 in ages:
        ages.remove(new[0] - 1)
        children, infants = (children - 1, infants) if new[0] > CHILD else (children, infants - 1)
    young = (*ages, *own.ages)
    others = sum(age >= GROWN for age in new)  # "she's 82" is about somebody who is counted already
    adults = max(before.adults, 1 + others) + own.adults - others
    return Company(adults, children + own.children, infants + own.infants, young)


def days_after(trip: Trip, kind: Kind | None, said: Dates, today: date) -> dict[str, Any]:
    """Return the slots that `said` changes. A new start keeps the length of the stay, a new end keeps the start."""
    if said.first:
        return {name: slot.first for name in ("start", "end") if (slot := trip.slot(name, kind))}
    out, home = trip.slot("start", kind), trip.slot("end", kind)
    old_starts = {out.first, out.former} if out else set()
    if home and said.start in {home.first, home.former} - {home.value, None, *old_starts} and not said.end:
        said = replace(said, start=None, end=said.start)  # "no, keep the 8th", of the day home before the last change
    start, end = trip.value("start", kind), trip.value("end", kind)
    nights = said.nights or (None if said.end else trip.value("nights", kind) or (start and end and (end - start).days))
    changed: dict[str, Any] = {}
    if said.one_way or said.round_trip or (said.start and said.end):
        changed["one_way"] = said.one_way or None  # a last day alone ends the stay ("I'm there until May")
    if said.flexible_days is not None:
        changed["flexible_days"] = said.flexible_days
    if said.window:
        if start and not said.nights and said.window[0] <= start <= (end or start) <= said.window[1]:
            return changed  # "is it hot there in May?" doesn't move a trip from the 8th to the 15th of May
        return {**changed, **_within(said.window, nights, today)}
    new_start = said.start or (start and start + timedelta(said.shift_start))
    new_end = said.end or (end and end + timedelta(said.shift_end + said.longer))
    if said.start and not said.end:
        stays = end and said.start < end != start and not said.nights
        moved = None if nights is None else said.start + timedelta(nights)
        new_end = end if stays else moved
    elif said.nights and new_start:
        new_end = new_start + timedelta(said.nights)
    if said.one_way or (new_start and new_end and new_end < new_start):
        new_end = None
    stay = new_end and (new_end - new_start).days if new_start else trip.value("nights", kind)
    changed |= {"start": new_start, "end": new_end, "nights": said.nights or stay}
    return {**changed, "window": None, "flexible_days": said.flexible_days} if said.start or said.end else changed


def _within(window: tuple[date, date], nights: int | None, today: date) -> dict[str, Any]:
    """Return proposed days within a window: the first `nights` of it, or the whole window if it is short, else none."""
    first, last = max(window[0], today + timedelta(1)), window[1]
    if nights:
        return {"window": window, "start": first, "end": first + timedelta(nights), "nights": nights}
    short = 0 < (last - first).days < _SHORT_WINDOW
    return {"window": window, "start": first if short else None, "end": last if short else None, "nights": None}


def is_day_there(state: State, clause: Clause) -> bool:
    """Return whether a clause names just a day of the stay while an activity is in focus."""
    day, start, end = clause.dates and clause.dates.start, state.trip.value("start"), state.trip.value("end")
    stays = day and start and end and clause.dates == Dates(day) and start <= day <= end
    return bool(stays and state.focus == "activity")
