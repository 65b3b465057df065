"""Resolves descriptions of days to dates: numbers without a month, weekdays, holidays, weekends, parts of a month."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from models.offline.reading.form import Form, Parts
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.tables import READING
from text.numbers import MONTH_NUMBERS, WEEKDAYS, WEEKDAYS_JA
from text.tables import Words

_HOLIDAYS = READING.table("holidays")
_NEAR = 4
"""A weekday less than this many days after a day of the current trip is the one after it, else the one before it."""


@dataclass(frozen=True, slots=True)
class Day:
    """The description of a day; `on` is a full date, `following` is True if the weekday had "next" before it."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    on: date | None = None
    following: bool = False
    holiday: bool = False


def weekday_of(said: str) -> int:
    """Return the number of the weekday whose name, or a short form of it, `said` begins with; Monday is 0."""
    return next(at for at, name in enumerate(WEEKDAYS) if said.startswith(name[:3]) or said.startswith(WEEKDAYS_JA[at]))


def months_ahead(day: date, months: int) -> date:
    """Return the same day `months` later, or the last day of a shorter month."""
    at = day.year * 12 + day.month - 1 + months
    year, month = at // 12, at % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def nth_weekday(nth: int, weekday: int, first: date, last: date) -> date:
    """Return the first (0), second (1) or last (-1) such weekday between the `first` and `last` day of a month."""
    if nth < 0:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * nth)


def month_days(month: int, year: int | None, today: date, first: int = 1, last: int = 31) -> tuple[date, date]:
    """Return the days `first` and `last` (at most its last day) of a month, which is the next one if `year` is None."""
    year = year or today.year + (month < today.month)
    return date(year, month, first), date(year, month, min(last, monthrange(year, month)[1]))


def _holiday(name: str, year: int) -> date:
    """Return the date of a holiday; Easter is the Sunday after the first ecclesiastical full moon of spring."""
    if on := _HOLIDAYS["date"].get(name):
        return date(year, *on)
    if name == "thanksgiving":
        return nth_weekday(3, 3, date(year, 11, 1), date(year, 11, 30))
    century, golden = year // 100, year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    moon -= moon // 29 or (moon // 28 and golden // 11)
    full = date(year, 3, 21) + timedelta(days=moon)
    days = {"good_friday": -2, "easter_monday": 1}.get(name, 0) + 7 - (full.weekday() + 1) % 7
    return full + timedelta(days=days)


def resolve(described: Day, context: ReadingContext, start: date | None = None) -> date | None:
    """Return the date that a description means; None if there is no such date.

    Args:
        described: The description.
        context: Today's date and the current trip.
        start: The day out, if the description is of the day home, which comes later.
    """
    if described.on or (described.weekday is not None and described.day is None):
        return described.on or _weekday(described, context, start)
    after = start or context.today
    fits = [day for day in _candidates(described, context, after) if day >= after or described.year]
    on_weekday = [day for day in fits if described.weekday in {None, day.weekday()}]
    return next(iter(on_weekday or fits), None)


def _candidates(described: Day, context: ReadingContext, after: date) -> Iterator[date]:
    """Yield the dates that have the day and month of a description, the likeliest first."""
    if described.month:
        years = [described.year] if described.year else range(after.year, after.year + 3)
        months = [date(year, described.month, 1) for year in years]
    else:
        near = context.window[0] if context.window else context.start
        base = max(near, after) if near and after == context.today else after
        months = [months_ahead(base.replace(day=1), step) for step in range(14)]
    for first in months:
        if described.day and described.day <= monthrange(first.year, first.month)[1]:
            yield first.replace(day=described.day)


def _weekday(described: Day, context: ReadingContext, start: date | None) -> date:
    """Return the date that a weekday means: one close to a day of the current trip, else the next one."""
    assert described.weekday is not None
    former = sorted(day for day in context.former_days if day.weekday() == described.weekday)
    current = {day.weekday() for day in (context.start, context.end) if day}
    if former and start is None and described.weekday not in current:
        return former[0]
    near = context.end if start else context.start or (context.window and context.window[0])
    if near and not described.following and (start is None or near > start):
        ahead = (described.weekday - near.weekday()) % 7
        within = context.window and near == context.window[0]
        if context.about not in (None, "flight") and context.end and not start:
            within = within or near + timedelta(days=ahead) < context.end  # "a hotel from the Saturday"
        day = near + timedelta(days=ahead if ahead < _NEAR or within else ahead - 7)
        if day > (start or context.today):
            return day
    after = start or context.today
    day = after + timedelta(days=(described.weekday - after.weekday() - 1) % 7 + 1)
    later = described.following and start is None and described.weekday > context.today.weekday()
    return day + timedelta(days=7 if later else 0)


def period_of(words: Words, parts: Parts, today: date) -> Dates:
    """Return the period that the groups of a match describe: the days of a journey, or the window they fall in."""
    table = words.table("dates")
    if "holiday" in parts:
        return _beside_holiday(words, parts, today)
    if "season" in parts:
        first_month, day, last_month, last_day = table["seasons"][parts["season"]]
        begins = today.year + (date(today.year, first_month, day) < today)
        ends = begins + (last_month < first_month)
        return _window(today, date(begins, first_month, day), date(ends, last_month, last_day))
    if not ({"month", "near", "nth"} & set(parts)):
        weeks = table["weeks"].get(parts.get("week"), 0)
        if "weekend" in parts:
            weeks -= weeks > 0 and today.weekday() == 6
            return _weekend(today + timedelta(days=(5 - today.weekday()) % 7 + 7 * weeks))
        monday = today + timedelta(days=7 * weeks - today.weekday())
        return _window(today, monday)
    month, year = month_of(words, parts, today)
    first, last = month_days(month, year, today)
    if "nth" in parts:
        nth, weeks = table["nth"][parts["nth"]], words.number(parts.get("weeks", "1"))
        length = timedelta(days=7 * weeks - 1)
        start = last - length if nth < 0 else first + timedelta(days=7 * nth)
        weekend = _weekend(nth_weekday(nth, 5, first, last))
        return weekend if "weekend" in parts else _window(today, start, start + length)
    if "day" in parts:
        on = first.replace(day=min(max(1, int(parts["day"])), last.day))
        saturday = on + timedelta(days=5 - on.weekday())
        return _weekend(saturday) if "weekend" in parts else _window(today, on)
    return _window(today, *month_days(month, year, today, *table["parts"].get(parts.get("part"), ())))


def _weekend(saturday: date) -> Dates:
    return Dates(saturday, saturday + timedelta(days=1))


def _window(today: date, first: date, last: date | None = None) -> Dates:
    """Return a window that begins no earlier than today, one week long if it has no last day."""
    if last and last < today:
        first, last = months_ahead(first, 12), months_ahead(last, 12)  # "mid november", at the end of november
    return Dates(window=(max(first, today), last or first + timedelta(days=6)))


def _beside_holiday(words: Words, parts: Parts, today: date) -> Dates:
    day = holiday_of(words, parts["holiday"], today)
    if "side" not in parts:  # a trip over a holiday takes some days around it
        around = _HOLIDAYS["around"].get(words.first(parts["holiday"], "dates", "holidays"), (0, 1))
        return Dates(day + timedelta(around[0]), day + timedelta(around[1]))
    before = parts["side"] in words.table("dates")["before"]
    if "week" in parts:
        return _window(today, day + timedelta(days=-7 if before else 1))
    return _weekend(
        day - timedelta(days=day.weekday() + 2) if before else day + timedelta(days=(4 - day.weekday()) % 7 + 1)
    )


def holiday_of(words: Words, said: str, today: date) -> date:
    """Return the next date of the holiday whose name is `said`."""
    name = words.first(said, "dates", "holidays")
    return next(day for year in (today.year, today.year + 1) if (day := _holiday(name, year)) >= today)


def day_of(form: Form, parts: Parts, today: date) -> Day | None:
    """Return the description of a day by the groups of a match, or None if the numbers are no day."""
    words, table = form.words, form.words.table("dates")
    weekday = weekday_of(parts["weekday"]) if "weekday" in parts else None
    if "relative" in parts and "ahead" not in parts:
        return Day(on=today + timedelta(days=table["days_away"][parts["relative"]]))
    if "ahead" in parts:
        count = words.number(parts["ahead"])
        today += timedelta(days=table["days_away"].get(parts.get("relative"), 0))
        if parts["unit"].startswith(tuple(table["months"])):
            return Day(on=months_ahead(today, count))
        on = today + timedelta(days=count * days_in_unit(form, parts))
        return Day(on=on + timedelta(days=weekday - on.weekday()) if weekday is not None else on)
    if "beside" in parts:
        return day_beside(form, parts, today)
    if "holiday" in parts:
        return Day(on=holiday_of(words, parts["holiday"], today), holiday=True)
    if "nth" in parts and weekday is not None:
        of_month = month_days(*month_of(words, parts, today), today)
        return Day(on=nth_weekday(table["nth"][parts["nth"]], weekday, *of_month))
    if "day" not in parts:
        return _day_of_week(words, parts, weekday, today)
    month, year = month_of(words, parts, today) if {"month", "near"} & set(parts) else (None, None)
    day = words.number(parts["day"])
    if "number" in parts:
        month, year = words.number(parts["number"]), year_of(words, parts, today)
        turned = f"{parts['day']}/" in form.text and form.patterns("dates", "links")["month_first"].search(form.text)
        day, month = (month, day) if month > 12 or turned else (day, month)
    return Day(day, month, year, weekday) if 1 <= day <= 31 and (month is None or 1 <= month <= 12) else None


def day_of_trip(form: Form, parts: Parts, context: ReadingContext) -> Day | None:
    """Return the day of the trip that an activity is wanted on ("the second day"); None if it has no such day."""
    number, start, end = form.words.table("dates")["nth"][parts["nth"]], context.start, context.end
    day = end if number < 0 else start and start + timedelta(days=number)
    return Day(on=day) if context.about == "activity" and start and day and day <= (end or day) else None


def _day_of_week(words: Words, parts: Parts, weekday: int | None, today: date) -> Day | None:
    """Return a weekday, in a certain week if one is named (「来週の金曜」, "a week on friday")."""
    if weekday is None:
        return None
    if "week" in parts:
        on = today + timedelta(days=7 * words.table("dates")["weeks"][parts["week"]] + weekday - today.weekday())
        return Day(on=on if on >= today else on + timedelta(days=7))
    if "after_next" in parts:
        weeks = words.number(parts["after_next"].split()[0]) or 1
        return Day(on=today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1 + 7 * weeks))
    return Day(weekday=weekday, following="next" in parts)


def days_in_unit(form: Form, parts: Parts) -> int:
    """Return the number of days in the unit of a length; 1 for an unknown unit."""
    units: dict[str, int] = form.words.table("dates")["units"]
    return next((units[name] for name in units if parts.get("unit", "").startswith(name)), 1)


def day_beside(form: Form, parts: Parts, today: date) -> Day:
    """Return a day relative to another: "the day after sunday", "the saturday before christmas"."""
    step = 1 if parts["side"] == "after" else -1
    if "weekday" in parts:
        return Day(weekday=(weekday_of(parts["weekday"]) + step) % 7)
    on = holiday_of(form.words, parts["holiday"], today) + timedelta(days=step)
    while parts["beside"] != "day" and WEEKDAYS[on.weekday()] != parts["beside"]:
        on += timedelta(days=step)
    return Day(on=on)


def month_of(words: Words, parts: Parts, today: date) -> tuple[int, int | None]:
    """Return the month and the year (None if not given); the group `near` is relative to this month."""
    if name := parts.get("month"):
        return MONTH_NUMBERS.get(name) or words.number(name.removesuffix("月")), year_of(words, parts, today)
    first = months_ahead(today.replace(day=1), words.table("dates")["near"].get(parts.get("near"), 0))
    return first.month, first.year


def year_of(words: Words, parts: Parts, today: date) -> int | None:
    """Return the year of a match, or None if it has none."""
    years, text = words.table("dates")["years"], parts.get("year", "")
    year = today.year + years[text] if text in years else int(text) if text else None
    return year + 2000 if year and year < 100 else year


def in_month(month: date, context: ReadingContext) -> Dates:
    """Return the days of the current trip, moved to another month ("I meant March")."""
    assert context.start is not None
    by = 12 * (month.year - context.start.year) + month.month - context.start.month
    return Dates(months_ahead(context.start, by), months_ahead(context.end, by) if context.end else None)


def from_eve(dates: Dates, context: ReadingContext) -> Dates:
    """Return dates with shifts relative to an event resolved: "the wedding is on 5 June, we leave the day after"."""
    eve = dates.start or (context.window[0] if context.window and context.window[0] == context.window[1] else None)
    if not eve or context.start or (dates.end and not dates.shift_start):
        return dates
    end = eve + timedelta(dates.shift_end) if dates.shift_end and not dates.shift_start else dates.end
    start = eve + timedelta(dates.shift_start) if dates.shift_start else dates.start
    return replace(dates, start=start, end=end, shift_start=0, shift_end=0)


def shifted(
    near: ReadingContext, context: ReadingContext, dates: Dates
) -> tuple[ReadingContext, ReadingContext, Dates]:
    """Return both contexts and the dates with the shift applied, so that weekdays resolve near the moved trip."""
    moved = timedelta(dates.shift_start)
    near = replace(near, start=context.start and context.start + moved, end=context.end and context.end + moved)
    return near, replace(context, start=None, end=None), replace(dates, shift_start=0, shift_end=0)
