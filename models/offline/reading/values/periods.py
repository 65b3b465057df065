"""Reads lengths and periods: how long, how much later, one way; weeks and parts of a month, weekends, seasons."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from models.offline.reading.form import Form
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.reading.values import days
from models.offline.reading.values.days import Day
from models.offline.tables import Words
from text.numbers import MONTH_NUMBERS, WEEKDAYS

Parts = dict[str, str]
"""The groups of a pattern that matched, by their names."""


@dataclass(frozen=True, slots=True)
class Period:
    """The first and the last day of a period; `exact` says that those are the days of the journey, not a window."""

    days: tuple[date, date]
    exact: bool = False


def _from(first: date, count: int, *, exact: bool = False) -> Period:
    return Period((first, first + timedelta(days=count - 1)), exact)


def parts_of(match: re.Match[str]) -> Parts:
    """Return the groups that matched; what a pattern has at a second place goes by the same name."""
    return {key.rstrip("2"): value for key, value in match.groupdict().items() if value is not None}


def period_of(words: Words, parts: Parts, today: date) -> Period | None:
    """Return the period that the groups of a match stand for."""
    table = words.table("dates")
    if "holiday" in parts:
        return _beside_holiday(words, parts, today)
    if "season" in parts:
        first_month, day, last_month, last_day = table["seasons"][parts["season"]]
        begins = today.year + (date(today.year, first_month, day) < today)
        ends = begins + (last_month < first_month)
        return Period((date(begins, first_month, day), date(ends, last_month, last_day)))
    if not ({"month", "near", "nth"} & set(parts)):
        weeks = table["weeks"].get(parts.get("week"), 0)
        if "weekend" in parts:
            weeks -= weeks > 0 and today.weekday() == 6
            return _from(today + timedelta(days=(5 - today.weekday()) % 7 + 7 * weeks), 2, exact=True)
        monday = today + timedelta(days=7 * weeks - today.weekday())
        return Period((max(monday, today), monday + timedelta(days=6)))
    month, year = month_of(words, parts, today)
    first, last = days.month_days(month, year, today)
    if "weeks" in parts:
        length = timedelta(days=7 * words.number(parts["weeks"]) - 1)
        return Period((last - length, last) if table["nth"][parts["nth"]] < 0 else (first, first + length))
    if "nth" in parts:
        nth = table["nth"][parts["nth"]]
        saturday = days.nth_weekday(nth, 5, first, last)
        start = last - timedelta(days=6) if nth < 0 else first + timedelta(days=7 * nth)
        return _from(saturday, 2, exact=True) if "weekend" in parts else _from(start, 7)
    if "day" in parts:
        on = first.replace(day=min(max(1, int(parts["day"])), last.day))
        saturday = on + timedelta(days=5 - on.weekday())
        return _from(saturday, 2, exact=True) if "weekend" in parts else _from(on, 7)
    return Period(days.month_days(month, year, today, table["parts"][parts["part"]] if "part" in parts else ""))


def _beside_holiday(words: Words, parts: Parts, today: date) -> Period:
    day = holiday_of(words, parts["holiday"], today)
    if "side" not in parts:  # people travel some days around it
        around = days.AROUND.get(words.first(parts["holiday"], "dates", "holidays"), (0, 1))
        return Period((day + timedelta(around[0]), day + timedelta(around[1])), exact=True)
    before = parts["side"] in words.table("dates")["before"]
    if "week" in parts:
        return _from(day - timedelta(days=7) if before else day + timedelta(days=1), 7)
    return _from(days.saturday_beside(day, before), 2, exact=True)


def holiday_of(words: Words, said: str, today: date) -> date:
    """Return the next day of the holiday that is called so."""
    return days.holiday(words.first(said, "dates", "holidays"), today)


def day_beside(form: Form, parts: Parts, today: date) -> Day:
    """Return "the day after sunday", "the saturday before christmas"."""
    step = 1 if parts["side"] == "after" else -1
    if "weekday" in parts:
        return Day(weekday=(days.weekday_of(parts["weekday"]) + step) % 7)
    near = holiday_of(form.words, parts["holiday"], today) + timedelta(days=step)
    while parts["beside"] != "day" and WEEKDAYS[near.weekday()] != parts["beside"]:
        near += timedelta(days=step)
    return Day(on=near)


def month_of(words: Words, parts: Parts, today: date) -> tuple[int, int | None]:
    """Return the month and the year that were said, the year None where it was not; `near` counts from this month."""
    if name := parts.get("month"):
        return MONTH_NUMBERS.get(name) or words.number(name.removesuffix("月")), year_of(words, parts, today)
    first = days.months_ahead(today.replace(day=1), words.table("dates")["near"].get(parts.get("near"), 0))
    return first.month, first.year


def year_of(words: Words, parts: Parts, today: date) -> int | None:
    """Return the year that was said; None for none."""
    years, said = words.table("dates")["years"], parts.get("year", "")
    year = today.year + years[said] if said in years else int(said) if said else None
    return year + 2000 if year and year < 100 else year


def in_month(month: date, context: ReadingContext) -> tuple[date | None, date | None]:
    """Return the days of the trip under way in another month ("I meant March")."""
    assert context.start is not None
    by = 12 * (month.year - context.start.year) + month.month - context.start.month
    return days.months_ahead(context.start, by), days.months_ahead(context.end, by) if context.end else None


_OPEN_DAYS = 3
"""By how many days a journey shifts whose dates are "flexible"."""


def read_lengths(form: Form, context: ReadingContext) -> Dates:
    """Return shifts, the length of the stay, flexibility, and one way or both."""
    known, found = form.patterns("dates", "length"), Dates()
    of_trip = form.patterns("dates", "moves_of_trip").values() if context.start else ()
    for pattern in (*of_trip, *form.patterns("dates", "moves").values()):
        if matches := list(form.take(pattern, "dates")):
            moves = [_moved(match, form) for match in matches]
            found = moves[0]
            if len(moves) > 1:  # "a day earlier there and a day later back": of the way out first
                out, home = (each.shift_start or each.shift_end for each in moves[:2])
                found = Dates(shift_start=out, shift_end=home)
            break
    if match := form.first(known["flexible"], "dates"):
        parts = parts_of(match)
        by = form.words.number(parts["count"]) + ("two" in parts) if "count" in parts else _OPEN_DAYS
        found = replace(found, flexible_days=by)
    for pattern in form.patterns("dates", "nights").values():
        for match in form.take(pattern, "dates"):
            parts = parts_of(match)
            count = form.words.number(parts.get("count", "1"))
            nights = max(1, count - 1) if "days" in parts else count * days_in_unit(form, parts)
            found = replace(found, nights=nights)  # as many days are a night less
    one_way, both = form.first(known["one_way"], "dates"), form.first(known["round_trip"], "dates")
    return replace(found, one_way=bool(one_way), round_trip=bool(both and not one_way and not found.shift_end))


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
    if "home" in parts:
        return Dates(shift_end=by)
    rest = links["stands"].sub(" ", form.whole[: match.start()] + " / " + form.whole[match.end() :])
    end, start = bool(links["way_home"].search(rest)), bool(links["way_out"].search(rest))
    return Dates(shift_start=by if start or not end else 0, shift_end=by if end or not start else 0)


def from_eve(found: Dates, context: ReadingContext) -> Dates:
    """Return the days counted from one that is named: "the wedding is on 5 June, we leave the day after"."""
    eve = found.start or (context.window[0] if context.window and context.window[0] == context.window[1] else None)
    if not eve or context.start or (found.end and not found.shift_start):
        return found
    end = eve + timedelta(found.shift_end) if found.shift_end and not found.shift_start else found.end
    start = eve + timedelta(found.shift_start) if found.shift_start else found.start
    return replace(found, start=start, end=end, shift_start=0, shift_end=0)
