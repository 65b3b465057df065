"""Reads periods: weeks and parts of a month, weekends, holidays, seasons, months."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from models.offline.en.patterns import patterns
from models.offline.en.tokens import BLANK, Form
from models.offline.reading import days
from text.numbers import MONTH_NUMBERS, WEEKDAYS

_WEEKS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
_PARTS = {"early": "early", "start": "early", "beginning": "early", "mid": "mid", "middle": "mid", "late": "late",
          "end": "late", "first": "first", "second": "second"}  # fmt: skip
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
Span = tuple[date, date]


def read_period(group: str, form: Form, today: date) -> tuple[date | None, date | None, Span | None]:
    """Return the days, or else the window, that a part of a month, a weekend, a week or a season stands for."""
    for key, known in patterns("dates", group).items():
        for match in known.finditer(form.text):
            if BLANK not in match[0]:
                span, exact = _PERIODS[key](match, today)
                form.blank(match.start(), match.end(), "dates")
                return (*span, None) if exact else (None, None, span)
    return None, None, None


def _week_of_month(match: re.Match[str], today: date) -> tuple[Span, bool]:
    weekend = match["what"] == "weekend"
    within = days.weekend_of_month if weekend else days.week_of_month
    return within(_WEEKS[match["which"]], *_named_month(match, today), today), weekend


def _part_of_month(match: re.Match[str], today: date) -> tuple[Span, bool]:
    part = _PARTS[match["part"].split(" ")[0]]
    return days.month_days(*_named_month(match, today), today, part), False


def _weekend_beside(match: re.Match[str], today: date) -> tuple[Span, bool]:
    return days.weekend_beside(days.holiday(holiday_name(match), today), match["side"] == "before"), True


def _week_beside(match: re.Match[str], today: date) -> tuple[Span, bool]:
    day = days.holiday(holiday_name(match), today)
    first = day - timedelta(days=7) if match["side"] == "before" else day + timedelta(days=1)
    return (first, first + timedelta(days=6)), False


def _over(match: re.Match[str], today: date) -> tuple[Span, bool]:
    return days.over_holiday(holiday_name(match), today), True


def _weekend(match: re.Match[str], today: date) -> tuple[Span, bool]:
    if "which" not in match.groupdict():
        return days.weekend(today, 2), True
    later = match["which"] in {"next", "the next", "following"} and today.weekday() < len(WEEKDAYS) - 1
    return days.weekend(today, int(later)), True


def _week(match: re.Match[str], today: date) -> tuple[Span, bool]:
    weeks = 2 if match["later"] else {"this": 0, "next": 1}[match["which"]]
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks)
    return (max(monday, today), monday + timedelta(days=6)), False


def _month(match: re.Match[str], today: date) -> tuple[Span, bool]:
    name = match.groupdict().get("month") or match[0].strip()
    year = _year(match) if "year" in match.groupdict() else None
    return days.month_days(MONTH_NUMBERS[name], year, today), False


def _near_month(match: re.Match[str], today: date) -> tuple[Span, bool]:
    first = days.next_month(today) if match["which"] == "next" else today
    return (first, days.next_month(first) - timedelta(days=1)), False


def _season(match: re.Match[str], today: date) -> tuple[Span, bool]:
    first, _ = days.month_days(_SEASONS[match["season"]], None, today)
    last = days.next_month(days.next_month(days.next_month(first))) - timedelta(days=1)
    return (first, last), False


def _week_of(match: re.Match[str], today: date) -> tuple[Span, bool]:
    first, last = days.month_days(MONTH_NUMBERS[match["month"]], _year(match), today)
    start = first.replace(day=min(max(1, int(match["day"])), last.day))
    return (start, start + timedelta(days=6)), False


def _some_weeks(match: re.Match[str], today: date) -> tuple[Span, bool]:
    first, last = days.month_days(MONTH_NUMBERS[match["month"]], _year(match), today)
    length = timedelta(days=7 * {"two": 2, "2": 2}.get(match["weeks"], 3) - 1)
    return ((first, first + length) if match["which"] == "first" else (last - length, last)), False


def _weekend_of(match: re.Match[str], today: date) -> tuple[Span, bool]:
    (day, _), _ = _week_of(match, today)
    saturday = day + timedelta(days=5 - day.weekday())
    return (saturday, saturday + timedelta(days=1)), True


_PERIODS: dict[str, Callable[[re.Match[str], date], tuple[Span, bool]]] = {
    "some_weeks": _some_weeks, "weekend_of": _weekend_of, "week_of": _week_of, "week_of_month": _week_of_month,
    "part_of_month": _part_of_month, "beside": _weekend_beside, "week_beside": _week_beside,
    "holiday_weekend": _over, "over": _over, "weekend_after_next": _weekend, "weekend": _weekend, "week": _week,
    "next_month": _near_month, "season": _season, "month": _month, "month_alone": _month,
}  # fmt: skip
"""Each kind of period, with what it stands for and whether those are days, or a window for them."""


def _named_month(match: re.Match[str], today: date) -> tuple[int, int | None]:
    """Return the month and year that a period lies in: a named one, or this or the next month."""
    if match["near"]:
        first = days.next_month(today) if match["near"] == "next" else today
        return first.month, first.year
    return MONTH_NUMBERS[match["month"]], _year(match)


def _year(match: re.Match[str]) -> int | None:
    said = match["year"] or match["short"]
    return (int(said) if len(said) == 4 else 2000 + int(said)) if said else None


def holiday_name(match: re.Match[str]) -> str:
    """Return the holiday that a match names, as the calendar calls it."""
    said = re.sub(r"\byears?(?: s)?\b", "year", re.sub(r"[^a-z ]", "", match["holiday"]))
    said = re.sub(
        r"(?<=christmas) day$|(?<=new year) day$|(?<=valentine) day$| sunday$",
        "",
        " ".join(said.split()).replace("valentines", "valentine"),
    )
    return said.replace(" ", "_")
