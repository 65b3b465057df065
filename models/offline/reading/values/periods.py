"""Turns what was said of a period into days: weeks and parts of a month, weekends, holidays, seasons, months."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from models.offline.reading.form import Words
from models.offline.reading.values import days
from text.numbers import MONTH_NUMBERS

Parts = dict[str, str]
"""The groups of a pattern that matched, by their names."""


@dataclass(frozen=True, slots=True)
class Period:
    """The first and the last day of a period; `exact` says that those are the days of the journey, not a window."""

    days: tuple[date, date]
    exact: bool = False


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
            return Period(days.weekend(today, weeks - (weeks > 0 and today.weekday() == 6)), exact=True)
        monday = today + timedelta(days=7 * weeks - today.weekday())
        return Period((max(monday, today), monday + timedelta(days=6)))
    month, year = month_of(words, parts, today)
    first, last = days.month_days(month, year, today)
    if "weeks" in parts:
        length = timedelta(days=7 * words.number(parts["weeks"]) - 1)
        return Period((last - length, last) if table["nth"][parts["nth"]] < 0 else (first, first + length))
    if "nth" in parts:
        within = days.weekend_of_month if "weekend" in parts else days.week_of_month
        return Period(within(table["nth"][parts["nth"]], month, year, today), exact="weekend" in parts)
    if "day" in parts:
        on = first.replace(day=min(max(1, int(parts["day"])), last.day))
        saturday = on + timedelta(days=5 - on.weekday())
        weekend = "weekend" in parts
        return Period((saturday, saturday + timedelta(days=1)) if weekend else (on, on + timedelta(days=6)), weekend)
    return Period(days.month_days(month, year, today, table["parts"][parts["part"]] if "part" in parts else ""))


def _beside_holiday(words: Words, parts: Parts, today: date) -> Period:
    if "side" not in parts:
        return Period(days.over_holiday(_holiday_name(words, parts["holiday"]), today), exact=True)
    day, before = holiday_of(words, parts["holiday"], today), parts["side"] in words.table("dates")["before"]
    if "week" in parts:
        first = day - timedelta(days=7) if before else day + timedelta(days=1)
        return Period((first, first + timedelta(days=6)))
    return Period(days.weekend_beside(day, before), exact=True)


def _holiday_name(words: Words, said: str) -> str:
    return next(name for name, known in words.patterns("dates", "holidays").items() if known.search(said))


def holiday_of(words: Words, said: str, today: date) -> date:
    """Return the next day of the holiday that is called so."""
    return days.holiday(_holiday_name(words, said), today)


def month_of(words: Words, parts: Parts, today: date) -> tuple[int, int | None]:
    """Return the month and the year that were said, the year None where it was not; `near` counts from this month."""
    years = words.table("dates")["years"]
    said = parts.get("year", "")
    year = today.year + years[said] if said in years else int(said) if said else None
    year = year + 2000 if year and year < 100 else year
    if "month" in parts:
        name = parts["month"]
        return MONTH_NUMBERS.get(name) or words.number(name.removesuffix("月")), year
    first = days.months_ahead(today.replace(day=1), words.table("dates")["near"].get(parts.get("near"), 0))
    return first.month, first.year
