"""Reads when: days, stretches, nights and shifts (「12月15日から22日まで」「来週の金曜」「帰りを一日遅く」)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Literal

from models.offline.ja.form import Form, number, pattern, patterns, table
from models.offline.reading import days
from models.offline.reading.understanding import Dates, ReadingContext
from text.numbers import WEEKDAYS_JA

_table = partial(pattern, "dates")

_OVER = frozenset({"christmas", "new_year", "easter", "golden_week", "obon"})
"""Holidays that are several days."""
_LAST = ("最後", "最終", "最後の")
_Role = Literal["start", "end", "not", ""]


@dataclass(frozen=True, slots=True)
class _Named:
    """A day that was named, its role, and the last day where it is a stretch such as a weekend."""

    on: date
    role: _Role
    last: date | None = None


def read_dates(form: Form, context: ReadingContext) -> Dates | None:
    """Return what is said of time, or None; the words that say it are marked as read."""
    flexible = _flexible(form)
    found = _moves(form)
    nights = _nights(form)
    named = [] if found.get("same") or found.get("first") else _days(form, context)
    start, end = _ends(named, context)
    if start and not end and not nights:
        end = next((each.last for each in named if each.last), None)
    values = Dates(
        start=start, end=end, window=None if start or end else _window(form, context), nights=nights,
        flexible_days=flexible, one_way=bool(form.take(_table("one_way"))),
        round_trip=bool(form.take(_table("round_trip"))), **found,  # type: ignore[arg-type]
    )  # fmt: skip
    return None if values == Dates() else values


def _flexible(form: Form) -> int | None:
    if match := form.take(_table("flexible")):
        said = next((part for part in match.groups() if part), "3")
        return min(number(said), 3)
    return None


def _moves(form: Form) -> dict[str, int | bool]:
    """Return the shifts and the change of the length, and whether the days stay the same."""
    found: dict[str, int | bool] = {}
    if match := form.take(_table("longer")):
        count = number(match["count"] or match["more"] or "1")
        found["longer"] = -count if match["less"] else count
    elif match := form.take(_table("shift")):
        count = number(match["count"] or "1") * (7 if match["unit"] == "週間" else 1)
        count = -count if match["earlier"] or match["previous"] else count
        around = form.whole[: match.start()] + "/" + form.whole[match.end() : match.end() + 8]
        both = bool(_table("both_ways").search(form.whole))
        ends, starts = (bool(_table(way).search(around)) and not both for way in ("way_home", "way_out"))
        found["shift_start"] = 0 if ends and not starts else count
        found["shift_end"] = 0 if starts and not ends else count
    for name in ("first", "same"):
        if form.take(_table(name)):
            found[name] = True
    return found


def _nights(form: Form) -> int | None:
    if match := form.take(_table("nights")):
        return number(match[1] or "1")
    if match := form.take(_table("stretch")):
        return number(match[1]) * 7 if match[2] == "週間" else max(1, number(match[1]) - 1)
    return 0 if form.take(_table("day_trip")) else None


def _days(form: Form, context: ReadingContext) -> list[_Named]:
    """Return the days named, each read against those before it."""
    if context.asked in ("dates", "end") and _table("bare_days").match(form.left):
        form.whole = form.left = re.sub(r"(\d+)", r"\1日", form.left)
    found: list[_Named] = []
    for match in _table("day").finditer(form.left):
        role = _role(form.whole, match)
        before = [each for each in found if each.role != "not"]
        if before and before[-1].last and match["weekday"]:
            found.remove(before[-1])
            context = replace(context, start=before.pop().on, end=None)
        if stretch := _stretch(match, before, role, context):
            changed = "から" in form.whole[match.end() : match.end() + 2]
            if role == "not" and changed and stretch[0] not in (context.start, context.end):
                role = "start"
            found.append(_Named(stretch[0], role, stretch[1]))
            form.blank(*match.span())
    return found


def _role(whole: str, match: re.Match[str]) -> _Role:
    before, after = whole[max(0, match.start() - 14) : match.start()], whole[match.end() : match.end() + 20]
    if _table("not_after").match(after):
        return "not"
    if _table("start_before").search(before):
        return "start"
    if _table("end_before").search(before) or _table("end_after").match(after):
        return "end"
    return "start" if _table("start_after").match(after) else ""


def _ends(named: list[_Named], context: ReadingContext) -> tuple[date | None, date | None]:
    """Return the first and the last day of those named, by their roles, else by their order."""
    denied = {each.on for each in named if each.role == "not"}
    kept = [each for each in named if each.role != "not"]
    start = next((each.on for each in kept if each.role == "start"), None)
    end = next((each.on for each in reversed(kept) if each.role == "end"), None)
    free = [each.on for each in kept if not each.role]
    if len(kept) == 1 and free and (context.asked == "end" or context.end in denied):
        return None, free[0]
    if free and start is None and (end is None or free[0] < end):
        start = free.pop(0)
    if free and end is None:
        end = free[-1]
    return start, None if start and end and end < start else end


def _stretch(
    match: re.Match[str], before: list[_Named], role: _Role, context: ReadingContext
) -> tuple[date, date | None] | None:
    """Return the day that `match` names, with the last day of a stretch; None for no such day."""
    parts, today = match.groupdict(), context.today
    if parts["holiday"]:
        name = next(name for name, pattern in patterns("holidays") if pattern.search(match[0]))
        if parts["before"]:
            return days.weekend_beside(days.holiday(name, today), before=True)
        alone = days.holiday(name.removesuffix("_day"), today)
        return days.over_holiday(name, today) if name in _OVER else (alone, None)
    if parts["weekend"]:
        weeks = table("dates")["weeks"].get((parts["week"] or "").removesuffix("の").removesuffix("週"), 0)
        return days.weekend(today, weeks - (weeks > 0 and today.weekday() == 6))
    if parts["nth"] and parts["nth_weekday"] == "週末":
        month, year = _month(parts, today)
        return days.weekend_of_month(-1 if parts["nth"] in _LAST else number(parts["nth"]) - 1, month, year, today)
    on = _day(parts, before, role, context)
    return (on, None) if on else None


def _day(parts: dict[str, str | None], before: list[_Named], role: _Role, context: ReadingContext) -> date | None:
    today, week = context.today, parts["which_week"] or ""
    monday = today - timedelta(days=today.weekday())
    if parts["away"]:
        return today + timedelta(days=table("dates")["days_away"][parts["away"]])
    if parts["ahead"]:
        on = _ahead(number(parts["ahead"]), parts["unit"] or "", today)
        weekday = parts["ahead_weekday"]
        return on + timedelta(days=WEEKDAYS_JA.index(weekday) - on.weekday()) if weekday else on
    if parts["nth"]:
        month, year = _month(parts, today)
        return _nth(
            *days.month_days(month, year, today), parts["nth"], WEEKDAYS_JA.index((parts["nth_weekday"] or "")[0])
        )
    if parts["weekday"] and week in table("dates")["weeks"]:
        on = monday + timedelta(days=7 * table("dates")["weeks"][week] + WEEKDAYS_JA.index(parts["weekday"]))
        return on if on >= today else on + timedelta(days=7)
    later = before[-1].on if before else context.start if role == "end" or context.asked == "end" else None
    if parts["weekday"]:
        return days.resolve(days.Day(weekday=WEEKDAYS_JA.index(parts["weekday"])), context, later)
    said = int(parts["iso_day"] or parts["slash_day"] or number(parts["day"] or ""))
    if not (parts["iso_day"] or parts["slash_day"] or parts["month"]):
        return days.resolve(days.Day(day=said), context, later + timedelta(days=1) if later else None)
    month, year = _month(parts, before[-1].on if before else today)
    return days.resolve(days.Day(day=said, month=month, year=year), context, before[-1].on if before else None)


def _month(parts: dict[str, str | None], today: date) -> tuple[int, int | None]:
    """Return the month and the year that were said; the year of this month where the month is 「来月」."""
    said = parts.get("iso_month") or parts.get("slash_month") or (parts["month"] or "今月").removesuffix("の")
    if said == "年明け":
        return 1, today.year + 1
    if said in ("今月", "来月", "再来月"):
        ahead = today.year * 12 + today.month - 1 + ("今月", "来月", "再来月").index(said)
        return ahead % 12 + 1, ahead // 12
    year = parts.get("iso_year") or parts["year"]
    return number(said.removesuffix("月")), (
        None if year is None else today.year + (year == "来年") if year in ("来年", "今年") else int(year)
    )


def _ahead(count: int, unit: str, today: date) -> date:
    if unit in ("日", "週間"):
        return today + timedelta(days=count * (7 if unit == "週間" else 1))
    at = today.replace(day=1)
    for _ in range(count):
        at = days.next_month(at)
    return at.replace(day=min(today.day, (days.next_month(at) - timedelta(days=1)).day))


def _nth(first: date, last: date, which: str, weekday: int) -> date:
    """Return the second Saturday of a month, or its last one."""
    if which in _LAST:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number(which) - 1))


def _window(form: Form, context: ReadingContext) -> tuple[date, date] | None:
    """Return the first and last possible day where only a month, a week or a season was said."""
    match, today = form.take(_table("window")), context.today
    if match is None:
        return None
    parts = match.groupdict()
    if parts["season"]:
        one, two, three, four = table("dates")["seasons"][parts["season"]]
        begins = today.year + (date(today.year, one, two) < today)
        return date(begins, one, two), date(begins + (three < one), three, four)
    if parts["some_week"]:
        monday = today + timedelta(days=7 * table("dates")["weeks"][parts["some_week"]] - today.weekday())
        return max(monday, today), monday + timedelta(days=6)
    month, year = _month(parts, today)
    if which := parts["week_no"]:
        return days.week_of_month(-1 if which in _LAST else number(which[-1]) - 1, month, year, today)
    first, last = days.month_days(month, year, today, table("dates")["parts"].get(parts["part"] or "", ""))
    return max(first, today), last
