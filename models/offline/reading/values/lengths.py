"""Reads how long a journey is, by how much it moves, how flexible it is, and whether it leads back."""

import re
from dataclasses import replace

from models.offline.reading.form import Form
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.reading.values.periods import Parts, parts_of

_OPEN_DAYS = 3
"""By how many days a journey shifts whose dates are "flexible"."""


def read_lengths(form: Form, context: ReadingContext) -> Dates:
    """Return shifts, the length of the stay, flexibility, and one way or both."""
    known, found = form.patterns("dates", "length"), Dates()
    of_trip = form.patterns("dates", "moves_of_trip").values() if context.start else ()
    for pattern in (*of_trip, *form.patterns("dates", "moves").values()):
        if matches := list(form.take(pattern, "dates")):
            moves = [_moved(match, form) for match in matches]
            found = _each_way(moves) if len(moves) > 1 else moves[0]
            break
    if match := form.first(known["flexible"], "dates"):
        parts = parts_of(match)
        by = form.words.number(parts["count"]) + ("two" in parts) if "count" in parts else _OPEN_DAYS
        found = replace(found, flexible_days=by)
    for pattern in form.patterns("dates", "nights").values():
        for match in form.take(pattern, "dates"):
            found = replace(found, nights=_nights(form, parts_of(match)))
    one_way, both = form.first(known["one_way"], "dates"), form.first(known["round_trip"], "dates")
    return replace(found, one_way=bool(one_way), round_trip=bool(both and not one_way and not found.shift_end))


def _nights(form: Form, parts: Parts) -> int:
    """Return a number of nights; as many `days` are a night less."""
    count = form.words.number(parts.get("count", "1"))
    if "none" in parts:
        return 0
    return max(1, count - 1) if "days" in parts else count * days_in_unit(form, parts)


def days_in_unit(form: Form, parts: Parts) -> int:
    """Return how many days the unit is that a length was said in; 1 for one that is not known."""
    units: dict[str, int] = form.words.table("dates")["units"]
    return next((units[name] for name in units if parts.get("unit", "").startswith(name)), 1)


def _moved(match: re.Match[str], form: Form) -> Dates:
    """Return by how much days move or the stay grows: `earlier`, `later`, `shorter`, else longer."""
    parts, links = parts_of(match), form.patterns("dates", "links")
    by = form.words.number(parts.get("count", "1")) * days_in_unit(form, parts)
    if not ("earlier" in parts or "later" in parts):
        return Dates(longer=-by if "shorter" in parts else by)
    by = -by if "earlier" in parts else by
    rest = links["stands"].sub(" ", form.whole[: match.start()] + " / " + form.whole[match.end() :])
    end, start = links["way_home"].search(rest), links["way_out"].search(rest)
    if links["stands"].search(form.whole) and not (start or end):
        start = links["way_home"].search(form.whole)
        end = None if start else links["way_out"].search(form.whole)
    both = bool(links["both_ways"].search(form.whole)) or bool(end) == bool(start)
    return Dates(shift_start=by if both or start else 0, shift_end=by if both or end else 0)


def _each_way(moves: list[Dates]) -> Dates:
    """Return "a day earlier there and a day later back" as one move: of the way out first."""
    out, home = (each.shift_start or each.shift_end for each in moves[:2])
    return Dates(shift_start=out, shift_end=home)
