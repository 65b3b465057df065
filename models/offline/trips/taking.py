"""Which of the offers on the table a message takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, Kind, Understanding
from models.offline.trips.choosing import WISH_KINDS, chosen_offer, said_wishes
from models.offline.trips.frames import Frame, State

_CHOOSING: frozenset[Act] = frozenset({"choose", "book", "hold", "change", "confirm"})


def pick_again(state: State, said: Understanding) -> State:
    """Return the state with the offers taken that a message means, now that they are on the table."""
    before = state
    for clause in said.clauses:
        if clause.act in _CHOOSING and not (clause.otherwise and state is not before):
            before = state
            state = pick(state, clause)
    return state


def pick(state: State, clause: Clause) -> State:
    """Return the state with the offers taken that `clause` means; the same state where it means none of those shown."""
    wishes = said_wishes(clause.wishes)
    choice = clause.choice or (Choice(sort=clause.wishes.sort) if clause.wishes.sort else None)
    for frame in on_table(state, clause):
        offer = chosen_offer(frame, choice, _about(frame.kind, wishes))
        if offer is not None:
            state = replace(state.with_frame(replace(frame, chosen=offer, taken=True)), focus=frame.kind)
    return state


def _about(kind: Kind, wishes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if kind in WISH_KINDS[name]}


def on_table(state: State, clause: Clause) -> list[Frame]:
    """Return the parts of which an offer may be meant: those named, else those that have the name, else one.

    A part that is talked about and has no offers stands for itself: no offer of another part is meant.
    """
    shown = [frame for frame in state.trip.frames.values() if frame.shown and frame.status == "open"]
    if state.changing and (flight := state.trip.frames.get("flight")) and flight.shown and flight not in shown:
        shown.append(flight)
    if clause.kinds or (clause.choice and clause.choice.every):
        return [frame for frame in shown if not clause.kinds or frame.kind in clause.kinds]
    name = clause.choice.name if clause.choice else ""
    named = [frame for frame in shown if name and chosen_offer(frame, clause.choice, {})]
    focused = [frame for frame in shown if frame.kind == state.focus]
    waits = state.frame is not None and state.frame.status == "open" and not state.frame.shown
    return named[:1] or focused or ([] if waits else shown[-1:])
