"""Reads when a journey is: days, ranges, parts of months, holidays, lengths of stay, and shifts of what stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from models.offline.en.patterns import Groups, pattern, patterns
from models.offline.en.periods import holiday_name, read_period
from models.offline.en.tokens import BLANK, Form
from models.offline.reading import days
from models.offline.reading.days import Day
from models.offline.reading.understanding import Dates, ReadingContext
from text.numbers import COUNT_WORDS, MONTH_NUMBERS, MONTHS, WEEKDAYS

_SPELT = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_RELATIVE = {
    "tomorrow week": 8,
    "a week tomorrow": 8,
    "a week from tomorrow": 8,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}
_ALONE = re.compile(r"(?:^|[,;(]| make it| make that| just| only| say| maybe) $")
_GOES_ON = re.compile(r" (?:in|at|from|starting|away|somewhere)\b")
_OPEN_DAYS = 3
"""By how many days a journey shifts whose dates are "flexible"."""


@dataclass(slots=True)
class _Found:
    """A day in a clause: where it stands, and what was said of it."""

    start: int
    end: int
    day: Day
    joined: bool = False
    """True when it is the right end of a range."""


def read_dates(form: Form, context: ReadingContext) -> Dates | None:
    """Return what is left of a clause says of time, and blank it out; None for nothing."""
    found = _lengths(form)
    start, end, window = read_period("period", form, context.today)
    near = replace(context, start=start, end=end) if start else replace(context, window=window or context.window)
    first, last = _resolved(_roles(form, _days(form, context)), near)
    later = first and not last and context.start and first > context.start
    if later and (context.asked == "end" or first == context.end):
        first, last = None, first
    if not (window or start or first):
        *_, window = read_period("month", form, context.today)
    if first and not last and form.first(pattern("dates", "length", "day_trip"), "dates"):
        last = first
    found = replace(found, start=first or start, end=last or end, window=None if first else window)
    if found.start is None and found.window is None and form.first(pattern("dates", "length", "same"), "dates"):
        found = replace(found, same=True)
    return found if found != Dates() else None


def _lengths(form: Form) -> Dates:
    """Return shifts, the length of the stay, flexibility, and one way or both."""
    known, found = patterns("dates", "length"), Dates()
    for key in ("shift", "week_after", "move", "extra", "extend", "beside"):
        if match := form.first(known[key], "dates"):
            found = _shift(match, form, found)
            break
    if match := form.first(known["flexible"], "dates"):
        said = match["count"] or match["either"] or match["by"]
        found = replace(found, flexible_days=(2 if match["two"] else _count(said)) if said else _OPEN_DAYS)
    if form.first(known["weekend"], "dates"):
        found = replace(found, nights=3)
    for match in form.take(known["nights"], "dates"):
        told = match["count"] not in {"a", "an"} or re.search(r"for|stay|about|night", match[0])
        before = form.whole[: match.start()].rstrip() + " "
        if not (told or _ALONE.search(before) or _GOES_ON.match(form.whole[match.end() :])):
            form.taken.pop()
            continue
        found = replace(found, nights=_count(match["count"]) * _nights_of(match["unit"]))
    one_way, both = known["one_way"].search(form.whole), known["round_trip"].search(form.whole)
    return replace(found, one_way=bool(one_way), round_trip=bool(both and not one_way and not found.shift_end))


def _shift(match: re.Match[str], form: Form, found: Dates) -> Dates:
    parts = match.groupdict()
    said = next((parts[key] for key in ("count", "another", "times", "by", "moved") if parts.get(key)), "1")
    unit = parts.get("unit") or parts.get("period") or ""
    by = _count(said) * (7 if unit.startswith("week") else 1)
    way = parts.get("way") or {"before": "earlier", "after": "later"}.get(parts.get("side") or "", parts.get("side"))
    if parts.get("moved"):
        way = "earlier" if parts["to"] in {"forward", "up", "earlier"} else "later"
    if way in {"later", "earlier", "sooner", "forward", "back"}:
        by = -by if way in {"earlier", "sooner", "back"} else by
        known = patterns("dates", "length")
        whole = known["stands"].sub(" ", form.whole.replace(match[0], " "))
        end, start = pattern("dates", "links", "end").search(whole), known["outward"].search(whole)
        if whole.count(" ") and known["stands"].search(form.whole) and not (start or end):
            kept = pattern("dates", "links", "end").search(form.whole)
            start, end = (kept, None) if kept else (None, known["outward"].search(form.whole))
        both = pattern("dates", "length", "both").search(form.whole) or bool(end) == bool(start)
        return replace(found, shift_start=by if both or start else 0, shift_end=by if both or end else 0)
    return replace(found, longer=-by if way in {"shorter", "less", "fewer"} else by)


def _nights_of(unit: str) -> int:
    return 7 if unit.startswith("week") else 14 if unit.startswith("fortnight") else 1


def _count(said: str) -> int:
    return int(said) if said.isdigit() else COUNT_WORDS[said]


def _days(form: Form, context: ReadingContext) -> list[_Found]:
    """Return the days of a clause in their order, each blanked out."""
    links = patterns("dates", "links")
    found: list[_Found] = []
    open_to = context.asked in {"dates", "end"} or context.window or context.trip_open
    alone = form.whole if open_to else ""
    if match := (
        links["pair"].search(alone) or (context.asked in {"dates", "end"} and links["one"].search(alone)) or None
    ):
        ends = [Day(day=int(each)) for key, each in match.groupdict().items() if key.startswith("day")]
        form.blank(match.start(), match.end(), "dates")
        return [_Found(at, at, day, joined=at > 0) for at, day in enumerate(ends)]
    at = 0
    while (at := form.text.find(" ", at) + 1) and at < len(form.text):
        if match := links["left"].match(form.text, at):
            found.append(_Found(at, match.end(), Day(day=int(match["day"]))))
        elif not (one := _day_at(form, at, context)):
            continue
        elif links["not"].search(form.text[:at]):
            form.blank(one.start, one.end, "dates")
            at = one.end
            continue
        else:
            found.append(one)
        at = _end_of_range(form, found, links)
    holiday = pattern("dates", "day", "holiday")
    if len(found) > 2:  # "new year in Lisbon, 29 december to 2 january"
        found = [each for each in found if not holiday.match(form.text, each.start)]
    for each in found:
        form.blank(each.start, each.end, "dates")
    return found


def _end_of_range(form: Form, found: list[_Found], links: Groups) -> int:
    """Mark a day that ends a range, add the bare number that ends one ("3 may to 7"), and return where to go on."""
    last = found[-1]
    between = form.text[found[-2].end : last.start] if len(found) > 1 else ""
    last.joined = bool(len(found) > 1 and links["range"].fullmatch(between))
    right = links["right"].match(form.text, last.end)
    if right and (last.day.month or last.day.day) and not _day_follows(form, right.start("day")):
        found.append(_Found(right.start(), right.end(), Day(day=int(right["day"])), joined=True))
    return found[-1].end


def _day_follows(form: Form, at: int) -> bool:
    return any(
        known.match(form.text, at) for key, known in patterns("dates", "day").items() if key in {"day_month", "nth"}
    )


def _day_at(form: Form, at: int, context: ReadingContext) -> _Found | None:
    for key, known in patterns("dates", "day").items():
        match = known.match(form.text, at)
        if not match or BLANK in match[0] or not form.text.startswith(" ", match.end()):
            continue
        if key == "nth" and pattern("dates", "links", "needs_cue").match(match[0]) and not _is_day(form, match):
            continue
        if day := _said(match, context):
            return _Found(at, match.end(), day)
    return None


def _is_day(form: Form, match: re.Match[str]) -> bool:
    """Return True where "the 2nd" is a day and no offer: by the word before it, or in a range."""
    after = re.match(r" (?:-|to|until|till|through) (?:the )?\d{1,2}", form.text[match.end() :])
    before = re.search(r"(?:\d|st|nd|rd|th) (?:-|to|until|till|through) (?:the )?$", form.text[: match.start()])
    return bool(after or before or pattern("dates", "links", "cue").search(form.text[: match.start()]))


def _said(match: re.Match[str], context: ReadingContext) -> Day | None:
    """Return what a match says of a day, or None for numbers that are no day."""
    parts = {key: value for key, value in match.groupdict().items() if value}
    parts |= {name: parts[f"{name}2"] for name in ("day", "number") if f"{name}2" in parts}
    today = context.today
    if "iso" in parts:
        try:
            return Day(on=date(*map(int, parts["iso"].split("-"))))
        except ValueError:
            return None
    if "relative" in parts:
        return Day(on=today + timedelta(days=_RELATIVE.get(parts["relative"], 0)))
    if "ahead" in parts:
        unit = {"d": 1, "w": 7, "m": 30}[parts["unit"][0]]
        return Day(on=today + timedelta(days=_count(parts["ahead"]) * unit))
    if "beside" in parts:
        return _beside(match, parts, today)
    if "holiday" in parts:
        return Day(on=days.holiday(holiday_name(match), today))
    weekday = WEEKDAYS.index({"sun": "sunday"}.get(parts["weekday"], parts["weekday"])) if "weekday" in parts else None
    if "day" not in parts and "spelt" not in parts:
        if "week" in parts or "week2" in parts:
            ahead = ((weekday or 0) - today.weekday() - 1) % 7 + 1
            return Day(on=today + timedelta(days=ahead + 7))
        return Day(weekday=weekday, following="next" in parts and parts["next"] == "next ")
    day = int(parts["day"]) if "day" in parts else _SPELT.index(parts["spelt"]) + 1
    month = MONTH_NUMBERS[parts["month"]] if "month" in parts else int(parts.get("number", 0)) or None
    if month and month > len(MONTHS):
        day, month = month, day
    year = int(parts["year"]) if "year" in parts else int(parts.get("short", 0)) or None
    if not 1 <= day <= 31 or (month and month > len(MONTHS)):
        return None
    return Day(day, month, year + 2000 if year and year < 100 else year, weekday)


def _beside(match: re.Match[str], parts: dict[str, str], today: date) -> Day:
    """Return "the day after sunday", "the saturday before christmas"."""
    step = 1 if parts["side"] == "after" else -1
    if "weekday" in parts:
        return Day(weekday=(WEEKDAYS.index(parts["weekday"]) + step) % 7)
    near = days.holiday(holiday_name(match), today) + timedelta(days=step)
    while parts["beside"] != "day" and WEEKDAYS[near.weekday()] != parts["beside"]:
        near += timedelta(days=step)
    return Day(on=near)


def _roles(form: Form, found: list[_Found]) -> tuple[Day | None, Day | None]:
    """Return the day out and the day home: by the words before them, else by their order. The last one said counts."""
    start: Day | None = None
    end: Day | None = None
    at = 0
    for place, each in enumerate(found):
        opens = place + 1 < len(found) and found[place + 1].joined and not each.joined
        cues = [
            (match.end(), key)
            for key in ("start", "end")
            for match in pattern("dates", "links", key).finditer(form.whole, at)
            if match.end() <= each.start + 1 < each.end + 1
        ]
        at = each.end
        role = "end" if each.joined else "start" if opens else max(cues, default=(0, ""))[1]
        again = role == "start" and start is not None and end is None and start != each.day
        if role == "end" or again or (not role and start and (end is None or each.day.month)):
            end = each.day
        elif role == "start" or start is None:
            start = each.day
    return start, end


def _resolved(ends: tuple[Day | None, Day | None], context: ReadingContext) -> tuple[date | None, date | None]:
    """Return the days: a start without a month is in that of the end, an end comes after the start."""
    first, last = ends
    if first and last and first.day and not first.month and not first.on and last.month:
        fits = not last.day or first.day <= last.day
        first = replace(
            first, month=last.month if fits else (last.month - 2) % 12 + 1, year=last.year if fits else None
        )
    if first and first.month and last and last.month and last.year and not first.year and first.month <= last.month:
        first = replace(first, year=last.year)
    start = days.resolve(first, context) if first else None
    end = days.resolve(last, context, start or context.start or context.today) if last else None
    return start, end
