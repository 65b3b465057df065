"""Reads the length of a journey and how its dates change: nights, shifts, flexibility, one way or return."""

import re
from dataclasses import replace

from models.offline.reading.form import Form, parts_of
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.reading.values import days

_WITHIN = ("activity", "car", "insurance")
"""Kinds of offers whose flexible days do not move the journey itself ("any day while we're there")."""
_OPEN_DAYS = 3
"""By how many days a journey may shift if its dates are only called "flexible"."""


def read_lengths(form: Form, context: ReadingContext) -> Dates:
    """Return shifts, the length of the stay, flexibility, and one way or return, and blank them out."""
    patterns, dates = form.patterns("dates", "length"), Dates()
    of_trip = form.patterns("dates", "moves_of_trip").values() if context.start else ()
    for pattern in (*of_trip, *form.patterns("dates", "moves").values()):
        if matches := list(form.take(pattern, "dates")):
            moves = [_moved(match, form) for match in matches]
            dates = moves[0]
            if len(moves) > 1:  # "a day earlier there and a day later back": the way out is named first
                out, home = (each.shift_start or each.shift_end for each in moves[:2])
                dates = Dates(shift_start=out, shift_end=home)
            break
    aside = context.start and context.about in _WITHIN
    if (match := form.take_first(patterns["flexible"], "dates")) and not aside:
        parts = parts_of(match)
        by = form.words.number(parts["count"]) + ("two" in parts) if "count" in parts else _OPEN_DAYS
        dates = replace(dates, flexible_days=by)
    for pattern in form.patterns("dates", "nights").values():
        for match in form.take(pattern, "dates"):
            parts = parts_of(match)
            count = form.words.number(parts.get("count", "1"))
            nights = max(1, count - 1) if "days" in parts else count * days.days_in_unit(form, parts)
            dates = replace(dates, nights=nights)  # a trip of n days has n - 1 nights
    one_way, both = form.take_first(patterns["one_way"], "dates"), form.take_first(patterns["round_trip"], "dates")
    return replace(dates, one_way=bool(one_way), round_trip=bool(both and not one_way and not dates.shift_end))


def _moved(match: re.Match[str], form: Form) -> Dates:
    """Return by how much the days move (`earlier`, `later`) or the stay changes its length (`shorter`, else longer)."""
    parts, links = parts_of(match), form.patterns("dates", "links")
    by = form.words.number(parts.get("count", "1")) * days.days_in_unit(form, parts)
    if not ("earlier" in parts or "later" in parts):
        return Dates(longer=-by if "shorter" in parts else by)
    by = -by if "earlier" in parts else by
    if "home" in parts:
        return Dates(shift_end=by)
    rest = links["stands"].sub(" ", form.text[: match.start()] + " / " + form.text[match.end() :])
    end, start = bool(links["way_home"].search(rest)), bool(links["way_out"].search(rest))
    return Dates(shift_start=by if start or not end else 0, shift_end=by if end or not start else 0)
