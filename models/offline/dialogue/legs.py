"""Moves on to the next leg of a multi-leg journey once the leg before it is done."""

from collections.abc import Sequence
from dataclasses import replace

from models.offline.reading import read
from models.offline.reading.understanding import Dates, ReadingContext, Understanding
from models.offline.trips.choosing import OPENING


def with_next_leg(
    later: Sequence[str] | None, text: str, said: Understanding, context: ReadingContext, *, asked: bool
) -> Understanding:
    """Return `said` with the clauses of the next leg (`later[0]`) added if it accepts that leg or names its place.

    Days in the message are read relative to those of the leg ("do Istanbul on the 17th instead").
    """
    if not later:
        return said
    leg = read(later[0], ReadingContext(context.today), said.language)
    opening = [clause for clause in said.clauses if clause.act in OPENING]
    named = {place.name for clause in opening for place in clause.places}
    goals = {place.name for clause in leg.clauses for place in clause.places if place.role != "origin"}
    agrees = asked and not named and any(clause.act == "confirm" for clause in opening)
    if not (agrees or goals & named):
        return said
    dates = next((clause.dates for clause in leg.clauses if clause.dates), None) or Dates()
    leg_context = replace(context, start=dates.start, end=dates.end, window=dates.window, one_way=dates.one_way)
    rest = (clause for clause in read(text, leg_context, said.language).clauses if clause.act != "confirm")
    return replace(leg, clauses=(*leg.clauses, *rest))
