"""Turns what was said of days into days: numbers without a month, weekdays, holidays, weekends, parts of a month."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from models.offline.reading.understanding import ReadingContext
from text.numbers import WEEKDAYS, WEEKDAYS_JA

_FIXED: dict[str, tuple[int, int]] = {
    "christmas_eve": (12, 24), "christmas": (12, 25), "boxing_day": (12, 26), "new_year_eve": (12, 31),
    "new_year": (1, 1), "valentine": (2, 14), "halloween": (10, 31), "golden_week": (4, 29), "obon": (8, 13),
}  # fmt: skip
AROUND: dict[str, tuple[int, int]] = {
    "christmas": (-1, 2), "new_year": (-2, 1), "easter": (-2, 1), "thanksgiving": (-1, 3), "golden_week": (0, 6),
    "obon": (0, 3),
}  # fmt: skip
"""From and until how many days around the holiday people travel "over" it."""
_PARTS: dict[str, tuple[int, int]] = {
    "early": (1, 10), "mid": (11, 20), "late": (21, 31), "first": (1, 15), "second": (16, 31),
}  # fmt: skip
_NEAR = 4
"""Days within which a weekday means the one beside a day of the trip under way."""


@dataclass(frozen=True, slots=True)
class Day:
    """What was said of a day; `on` is a whole date, `following` says that "next" stood before the weekday."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    on: date | None = None
    following: bool = False
    holiday: bool = False


def weekday_of(said: str) -> int:
    """Return the number of the day of the week that a name begins with, Monday 0."""
    return next(at for at, name in enumerate(WEEKDAYS) if said.startswith(name[:3]) or said.startswith(WEEKDAYS_JA[at]))


def months_ahead(day: date, months: int) -> date:
    """Return the same day so many months later, or the last one of a shorter month."""
    at = day.year * 12 + day.month - 1 + months
    year, month = at // 12, at % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def nth_weekday(nth: int, weekday: int, first: date, last: date) -> date:
    """Return the first (0), second or last (-1) such weekday of a month from its `first` to its `last` day."""
    if nth < 0:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * nth)


def month_days(month: int, year: int | None, today: date, part: str = "") -> tuple[date, date]:
    """Return the first and last day of the next such month that is not over, or of a part of it, as in `early`."""
    year = year or today.year + (month < today.month)
    first, last = _PARTS.get(part, (1, 31))
    return date(year, month, first), date(year, month, min(last, monthrange(year, month)[1]))


def saturday_beside(day: date, before: bool) -> date:
    """Return the Saturday of the last weekend that ends before `day`, or of the first that begins after it."""
    if not before:
        return day + timedelta(days=(4 - day.weekday()) % 7 + 1)
    return day - timedelta(days=day.weekday() + 2)


def holiday(name: str, today: date) -> date:
    """Return the next day of that holiday from `today` on."""
    return next(day for year in (today.year, today.year + 1) if (day := _holiday(name, year)) >= today)


def _holiday(name: str, year: int) -> date:
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    return _easter(year) + timedelta(days={"good_friday": -2, "easter_monday": 1}.get(name, 0))


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar: the Sunday after the first ecclesiastical full moon of spring."""
    century = year // 100
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    moon -= moon // 29 or (moon // 28 and golden // 11)
    full = date(year, 3, 21) + timedelta(days=moon)
    return full + timedelta(days=7 - (full.weekday() + 1) % 7)


def resolve(said: Day, context: ReadingContext, start: date | None = None) -> date | None:
    """Return the date that was meant; None for one that no month has.

    Args:
        said: What was said of it.
        context: The day of today, and the trip under way.
        start: The day out, where the day home is meant; it comes after it.
    """
    if said.on or (said.weekday is not None and said.day is None):
        return said.on or _weekday(said, context, start)
    after = start or context.today
    fits = [day for day in _candidates(said, context, after) if day >= after or said.year]
    on_weekday = [day for day in fits if said.weekday in {None, day.weekday()}]
    return next(iter(on_weekday or fits), None)


def _candidates(said: Day, context: ReadingContext, after: date) -> Iterator[date]:
    """Yield the dates with the day and month that were said, the likeliest first."""
    if said.month:
        years = [said.year] if said.year else range(after.year, after.year + (9 if said.weekday is not None else 3))
        months = [(year, said.month) for year in years]
        months = months[:3] if said.day != 29 else months
    else:
        base = after
        if after == context.today and (near := context.window or (context.start and (context.start, context.start))):
            base = max(near[0].replace(day=1), after.replace(day=1))
        months = [
            ((base.year * 12 + base.month - 1 + step) // 12, (base.month - 1 + step) % 12 + 1) for step in range(14)
        ]
    for year, month in months:
        if said.day and said.day <= monthrange(year, month)[1]:
            yield date(year, month, said.day)


def _weekday(said: Day, context: ReadingContext, start: date | None) -> date:
    """Return the day of the week that was meant: beside a day of the trip under way, else the next one."""
    assert said.weekday is not None
    former = sorted(day for day in context.former_days if day.weekday() == said.weekday)
    current = {day.weekday() for day in (context.start, context.end) if day}
    if former and start is None and said.weekday not in current:
        return former[0]
    near = context.end if start else context.start or (context.window and context.window[0])
    if near and not said.following and (start is None or near > start):
        ahead = (said.weekday - near.weekday()) % 7
        within = context.window and near == context.window[0]
        if context.about not in (None, "flight") and context.end and not start:
            within = within or near + timedelta(days=ahead) < context.end  # "a hotel from the Saturday"
        day = near + timedelta(days=ahead if ahead < _NEAR or within else ahead - 7)
        if day > (start or context.today):
            return day
    after = start or context.today
    day = after + timedelta(days=(said.weekday - after.weekday() - 1) % 7 + 1)
    later = said.following and start is None and said.weekday > context.today.weekday()
    return day + timedelta(days=7 if later else 0)
