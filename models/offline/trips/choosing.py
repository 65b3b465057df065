"""Which of the offers on the table is meant: by number, name, hour, price, or what it is like."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, Understanding
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import Offer, amount_of, best_by, clock, is_called, ways
from models.offline.trips.wishes import WISHES, fits, said_wishes

_CHOOSING: frozenset[Act] = frozenset({"choose", "book", "hold", "change", "confirm"})


def pick_again(state: State, said: Understanding) -> State:
    """Return the state with the offers taken that a message means, now that they are on the table.

    Nobody can mean by "it" what they have not seen.
    """
    before = state
    for clause in said.clauses:
        unseen = clause.choice == Choice(that=True)
        if clause.act in _CHOOSING and not unseen and not (clause.otherwise and state is not before):
            before = state
            state = pick(state, clause)
    return state


def pick(state: State, clause: Clause) -> State:
    """Return the state with the offers taken that `clause` means; the same state where it means none of those shown."""
    wishes = said_wishes(clause.wishes)
    choice = clause.choice or (Choice(sort=clause.wishes.sort) if clause.wishes.sort else None)
    for frame in on_table(state, clause):
        about = {name: value for name, value in wishes.items() if frame.kind in WISHES[name].kinds}
        offer = chosen_offer(frame, choice, about)
        if offer is not None:
            state = replace(state.with_frame(replace(frame, chosen=offer, taken=True)), focus=frame.kind)
    return state


def point_at(state: State, clause: Clause) -> State:
    """Return the state with the offer that a question is about proposed, where none was taken."""
    for frame in on_table(state, clause) if clause.choice else ():
        offer = None if frame.taken else chosen_offer(frame, clause.choice, {})
        state = state.with_frame(replace(frame, chosen=offer)) if offer else state
    return state


def on_table(state: State, clause: Clause) -> list[Frame]:
    """Return the parts of which an offer may be meant: those named, else those that have the name, else one.

    A part that is talked about and has no offers stands for itself: no offer of another part is meant.
    """
    frames, choice = state.trip.frames, clause.choice
    shown = state.trip.shown
    flight = frames.get("flight")
    if state.changing and flight and flight.shown and flight not in shown:
        shown.append(flight)
    if clause.kinds or (choice and choice.every):
        return [frame for frame in shown if not clause.kinds or frame.kind in clause.kinds]
    named = [frame for frame in shown if choice and choice.name and chosen_offer(frame, choice, {})]
    focused = [frame for frame in shown if frame.kind == state.focus]
    waits = state.frame is not None and state.frame.status == "open" and not state.frame.shown
    return named[:1] or focused or ([] if waits else shown[-1:])


def booked_at(state: State, clause: Clause) -> set[str]:
    """Return the references of the bookings that name a place of a clause."""
    names = {name for place in clause.places for name in (place.name, place.said) if name}
    live = {name: str(each.facts.get("what")) for name, each in state.bookings.items() if each.live}
    return {reference for reference, what in live.items() if any(name in what for name in names)}


def points_nowhere(frame: Frame, clause: Clause) -> bool:
    """Return whether a message names an offer that is not among those shown: another one is not meant then."""
    choice = clause.choice
    points = choice is not None and (choice.name or choice.hour or choice.price or choice.ordinal is not None)
    wishes = {} if clause.act == "ask" else said_wishes(clause.wishes)  # what is asked of an offer chooses none
    return bool(points) and chosen_offer(frame, choice, wishes) is None


def chosen_offer(frame: Frame, choice: Choice | None, wishes: Mapping[str, Any]) -> Offer | None:
    """Return the one of the offers shown that is taken, or None where that is none of them, or not clear."""
    offers = [offer for offer in frame.shown if fits(frame.kind, offer, wishes)]
    if not offers or choice is None:
        return None
    if choice.name and choice.ordinal is None:
        named = [offer for offer in offers if is_called(choice.name, offer)]
        if len(named) == 1 or not (named or choice.sort):
            return named[0] if named else None
        offers = named or offers
    if choice.hour is not None:
        hour = f"{choice.hour:%H:%M}" if choice.hour.minute else f"{choice.hour:%H}:"
        leaves = (
            (each, next((clock(w, "departs") for w in ways(each)), str(each.get("starts"))[-5:])) for each in offers
        )
        return _only(each for each, at in leaves if at.startswith(hour))
    if choice.price is not None:
        prices = ("price", "per_night", "per_day")
        return _only(each for each in offers if any(abs(amount_of(each.get(p)) - choice.price) < 1 for p in prices))
    if choice.ordinal is not None:
        listed = offers if wishes else list(frame.shown)
        return listed[choice.ordinal] if -len(listed) <= choice.ordinal < len(listed) else None
    if sort := choice.sort or wishes.get("sort"):
        return best_by(str(sort), offers)
    return frame.chosen if choice.that and frame.chosen in offers else None


def _only(found: Iterable[Offer]) -> Offer | None:
    listed = list(found)
    return listed[0] if len(listed) == 1 else None
