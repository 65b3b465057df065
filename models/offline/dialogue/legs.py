"""Takes up the next leg of a journey of several, as it was told, when the leg before it is done."""

from collections.abc import Sequence
from dataclasses import replace

from models.offline.reading import read
from models.offline.reading.understanding import Dates, ReadingContext, Understanding
from models.offline.trips.choosing import OPENING


def with_next_leg(
    later: Sequence[str] | None, text: str, said: Understanding, context: ReadingContext, *, asked: bool
) -> Understanding:
    """Return what is said after the first leg of `later`, where it is taken up: by a yes to the question, or its goal.

    What the message says of days is read against those of the leg ("do Istanbul on the 17th instead").
    """
    if not later:
        return said
    told = read(later[0], ReadingContext(context.today), said.language)
    opening = [clause for clause in said.clauses if clause.act in OPENING]
    named = {place.name for clause in opening for place in clause.places}
    goals = {place.name for clause in told.clauses for place in clause.places if place.role != "origin"}
    agrees = asked and not named and any(clause.act == "confirm" for clause in opening)
    if not (agrees or goals & named):
        return said
    when = next((clause.dates for clause in told.clauses if clause.dates), None) or Dates()
    beside = replace(context, start=when.start, end=when.end, window=when.window, one_way=when.one_way)
    rest = (clause for clause in read(text, beside, said.language).clauses if clause.act != "confirm")
    return replace(told, clauses=(*told.clauses, *rest))
