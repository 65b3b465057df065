"""Plans the journeys of one message together: how each begins, and which of them a clause or an outcome is about."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.offline.dialogue.transcript import Outcome
from models.offline.reading.form import ends_of
from models.offline.reading.understanding import Act, Choice, Clause, Dates, Place, Understanding
from models.offline.reading.values.dates import MOST_SHOWN
from models.offline.trips.choosing import OPENING, chosen_offer, seeks_offers
from models.offline.trips.frames import Slot, State, Trip
from models.offline.trips.merging import Hearing, unsearched
from models.offline.trips.offers import SEARCHES
from models.offline.trips.searching import Standing, arguments
from models.offline.trips.wishes import WISHES, said_wishes


def begin_leg(state: State, clause: Clause, hearing: Hearing) -> State:
    """Return the state with a journey of its own for a clause that goes on from the current one, as the current one.

    It starts where that ended, unless the clause names a place, and goes home if it names no destination. A flight in
    a row of journeys is one way, and its last day is that of a stay.
    """
    old, when, (origin, goal) = state.trip, clause.dates or Dates(), ends_of(clause)
    goal = goal or state.trips[state.journeys[0]].value("origin")
    flies = "flight" in clause.kinds or not (clause.kinds or old.frames.keys() - {"flight"})
    meets = not (when.start and old.value("end")) or when.start == old.value("end")
    chained = flies and meets and origin in (None, old.value("destination"))
    if chained and old.value("end"):
        state = state.fill(hearing.turn, one_way=True)
    same = when.same or (clause.dates is None and not flies and "flight" in old.frames)
    start = when.start or when.end or old.value("start" if same else "end")
    end = old.value("end") if same else when.end if when.start else None
    values = {
        "origin": (origin or old.value("destination")) if flies else old.value("origin"),
        "destination": goal, "start": start, "end": end, "party": old.value("party"), "nights": when.nights,
        "one_way": (flies and (chained or not end)) or None,
    }  # fmt: skip
    slots = {name: Slot(value, "said", hearing.turn, value) for name, value in values.items() if value is not None}
    trip = Trip(slots, {} if clause.kinds else unsearched(old))
    legs, focus = (*state.journeys, len(state.trips)), next(iter(trip.frames), None)
    return replace(state, trips=(*state.trips, trip), at=len(state.trips), legs=legs, focus=focus)


def spread(state: State, said: Understanding) -> State:
    """Return the state with a journey to each of several places to choose between, if a message wants all of them."""
    role, names = state.between or ("origin", ())
    choices = [clause.choice for clause in said.clauses if clause.choice]
    if role == "origin" or not any(choice.every or choice.compares for choice in choices):
        return state
    trip = state.trip
    first, *others = (
        replace(trip, slots={**trip.slots, "destination": Slot(name)}, frames=unsearched(trip)) for name in names
    )
    known = state.with_trip(first).trips
    legs = (state.at, *range(len(known), len(known) + len(others)))
    return replace(state, trips=(*known, *others), legs=legs, between=None)


def are_alternatives(state: State) -> bool:
    """Return whether only one of the journeys can be taken: all of them leave from one place on one day."""
    trips = [state.trips[at] for at in state.journeys]
    starts = {(each.value("origin"), each.value("start"), next(iter(each.frames), "")) for each in trips}
    return len(trips) > 1 and len(starts) == 1


def settle(state: State, said: Understanding) -> State:
    """Return the state without the alternatives to the journey that a message decides for ("Faro it is")."""
    decides = [clause for clause in said.clauses if clause.act in OPENING and clause.holds <= {"places"}]
    at = last_named(state, replace(said, clauses=tuple(decides)))
    if not decides or not are_alternatives(state) or _named(state, decides[-1]) != [at]:
        return state
    for other in {*state.journeys} - {at}:
        for frame in state.trips[other].of_status("open"):
            state = state.with_frame(replace(frame, status="dropped"), other)
    return replace(state, at=at)


def for_each(state: State, said: Understanding, question: str) -> list[tuple[int, Understanding]]:
    """Return what a message says about each of the journeys planned together, by the index of the journey."""
    if len(state.journeys) == 1:
        return [(state.at, said)]
    parts: dict[int, list[Clause]] = {at: [] for at in state.journeys}
    for clause in said.clauses:
        for at, own in _meant(state, clause, question):
            parts[at].append(own)
    return [(at, replace(said, clauses=tuple(clauses))) for at, clauses in parts.items()]


def last_named(state: State, said: Understanding) -> int:
    """Return the journey that a message is about in the end: the last one that it names, else the current one."""
    named = [about[0] for clause in said.clauses if (about := _named(state, clause)) and not about[1:]]
    return (named or [state.at])[-1] if state.journeys[1:] else state.at


def heard_by(before: State, heard: State, said: Understanding, question: str) -> dict[int, Understanding]:
    """Return what a message said about each of the journeys planned together after it; all of it if it began them."""
    if heard.journeys != before.journeys:
        return dict.fromkeys(heard.journeys, said)
    return dict(for_each(before, said, question))


def _meant(state: State, clause: Clause, question: str) -> Iterator[tuple[int, Clause]]:
    """Yield the journeys that a clause is about, each with the clause as it concerns that journey.

    These are the ones that it names; else all, for a yes to all and for details that any journey may have; else the
    current one. A choice that may mean one of several books nothing.
    """
    choice, about = clause.choice or Choice(), _named(state, clause)
    if about is None:
        agrees = question == "ask_all" and clause.act in ("confirm", "book", "hold")
        about = _of_kinds(state, clause) if agrees or _is_general(state, clause) else (state.at,)
    undecided = are_alternatives(state) and sum(bool(state.trips[at].of_status("open")) for at in state.journeys) > 1
    several = len(about) > 1 and choice not in (Choice(), Choice(that=True))
    unsure = (several and not (choice.every or clause.places)) or (undecided and _named(state, clause) is None)
    act: Act = "choose" if unsure and clause.act in ("book", "hold", "confirm") else clause.act
    for at in about:
        own = choice
        if choice.ordinal is not None and choice.ordinal >= 0 and not choice.every:
            ordinal, *rows = (_local(state, at, each) for each in (choice.ordinal, *choice.rows))
            own = replace(choice, ordinal=ordinal, rows=tuple(rows))
        yield at, replace(clause, act=act, choice=own if clause.choice else None, places=_own_places(state, clause, at))


def _named(state: State, clause: Clause) -> Sequence[int] | None:
    """Return the journeys that a clause names, or None: by position, place, the number of an offer, or its name."""
    legs, choice = state.journeys, clause.choice or Choice()
    if clause.leg is not None:
        return legs[clause.leg : clause.leg + 1 or None] if -len(legs) <= clause.leg else ()
    origins, goals = ({each.name for each in clause.places if (each.role == "origin") is is_origin}
                      for is_origin in (True, False))  # fmt: skip
    there = [at for at in legs if state.trips[at].value("destination") in goals]
    starting = [at for at in legs if state.trips[at].value("origin") in origins]
    if there or (starting and starting != [legs[0]]):
        return [at for at in there if at in starting] or there or starting
    if choice.ordinal is not None and choice.ordinal >= 0 and not choice.every:
        return legs[choice.ordinal // MOST_SHOWN :][:1] or None
    return _offering(state, choice) or None


def _of_kinds(state: State, clause: Clause) -> Sequence[int]:
    """Return the journeys that have a part of the kinds that a clause is about, else those that can have one."""
    wanted = {*clause.kinds} or {kind for name in said_wishes(clause.wishes) for kind in WISHES[name].kinds}
    left = [at for at in state.journeys if state.trips[at].of_status("open", "booked") or not state.trips[at].frames]
    having = [at for at in left if wanted & state.trips[at].frames.keys()]
    return having or [at for at in left if "flight" in wanted or not wanted or not _is_way_home(state, at)]


def _offering(state: State, choice: Choice) -> list[int]:
    """Return the journeys that have an offer of the name, hour or price that is chosen."""
    if not (choice.name or choice.hour or choice.price):
        return []
    return [at for at in state.journeys if any(chosen_offer(each, choice, {}) for each in state.trips[at].shown)]


def _is_general(state: State, clause: Clause) -> bool:
    """Return whether a clause chooses for all journeys, or has details that any may have: people, wishes, a part."""
    choice = clause.choice or Choice()
    if choice.every or (choice.sort and clause.act != "ask"):
        return True
    wants = clause.act in ("inform", "drop", "bags", "seats") or (clause.act == "ask" and seeks_offers(state, clause))
    details = clause.party or clause.kinds or said_wishes(clause.wishes) or clause.wishes.dropped
    return bool(wants and details and clause.dates in (None, Dates(same=True)))


def _local(state: State, at: int, row: int) -> int:
    """Return the position of a numbered offer within the list of a journey, or one that the list doesn't have."""
    local = row - replace(state, at=at).first_row
    return local if 0 <= local < MOST_SHOWN else MOST_SHOWN


def _is_way_home(state: State, at: int) -> bool:
    """Return whether a journey ends where the first one began, so that there is no stay."""
    first = state.trips[state.journeys[0]].value("origin")
    return at != state.journeys[0] and first is not None and state.trips[at].value("destination") == first


def _own_places(state: State, clause: Clause, at: int) -> tuple[Place, ...]:
    """Return the places of a clause without the destinations of the other journeys."""
    others = {state.trips[each].value("destination") for each in state.journeys if each != at}
    others -= {state.trips[at].value("destination")}
    return tuple(place for place in clause.places if place.role == "origin" or place.name not in others)


def owner_of(state: State, outcome: Outcome, standing: Standing) -> int:
    """Return the journey of a tool's outcome: the one with the most arguments of a search, or the one of its offer."""
    if kind := SEARCHES.get(outcome.tool):
        wanted = {at: arguments(replace(state, at=at), kind, standing) or {} for at in state.journeys}
        return max(wanted, key=lambda at: sum(outcome.given.get(name) == value for name, value in wanted[at].items()))
    offer = outcome.given.get("offer_id")
    frames = ((at, frame) for at in state.journeys for frame in state.trips[at].frames.values())
    found = (at for at, frame in frames if offer and offer in [each.get("offer_id") for each in frame.found])
    return next(found, state.at)


def go_on(state: State) -> State:
    """Return the state with the next journey that has an open part as the current one, if the current has none left."""
    pending = [at for at in state.journeys if state.trips[at].of_status("open")]
    if not pending or state.at in pending or are_alternatives(state):
        return state
    return replace(state, at=pending[0], focus=state.trips[pending[0]].last)
