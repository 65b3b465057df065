"""Reads dates in ordinary words ("the 3rd to the 9th", "second week of December", "tomorrow for 4 nights")."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from models.offline.calendar_days import Dates, next_month
from models.offline.en.trips.months import MONTH, YEAR, holiday, month_named, part_of_month
from text.numbers import COUNT, MONTH_NUMBERS, WEEKDAYS, count

_DAYS = {name: number for number, name in enumerate(WEEKDAYS)}
_DAY = r"(?:the )?(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_TO = r" ?(?:-|to|until|till|through|thru|and|up to) ?"
_COUNT = f"(?P<count>{COUNT})"

_ISO = re.compile(r"\b(20\d\d-\d\d-\d\d)\b")
_SPANS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b"
        + MONTH.format("")
        + " "
        + _DAY.format("")
        + _TO
        + MONTH.format("2")
        + " "
        + _DAY.format("2")
        + r"\b"
        + YEAR,
        r"\b"
        + _DAY.format("")
        + "(?: of)? "
        + MONTH.format("")
        + _TO
        + _DAY.format("2")
        + "(?: of)? "
        + MONTH.format("2")
        + YEAR,
        r"\b"
        + MONTH.format("")
        + " "
        + _DAY.format("")
        + _TO
        + _DAY.format("2")
        + r"\b(?! ?(?:people|adults|nights|am|pm))"
        + YEAR,
        r"\b" + _DAY.format("") + _TO + _DAY.format("2") + "(?: of)? " + MONTH.format("") + YEAR,
        r"\bthe (?P<day>\d{1,2})(?:st|nd|rd|th)?" + _TO + r"(?:the )?(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b",
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)" + _TO + r"(?:the )?(?P<day2>\d{1,2})(?:st|nd|rd|th)\b",
    )
)
_BARE_SPAN = re.compile(r"^(?:from )?(?P<day>\d{1,2})" + _TO + r"(?P<day2>\d{1,2})$")
_SINGLES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b" + MONTH.format("") + " " + _DAY.format("") + r"\b" + YEAR,
        r"\b" + _DAY.format("") + "(?: of)? " + MONTH.format("") + YEAR,
        r"\bthe (?P<day>\d{1,2})(?:st|nd|rd|th)\b",
    )
)
_IN_MONTH = re.compile(
    r"\b(?:in|during|sometime in|of|for|around|this|next|late|early|mid) "
    + MONTH.format("")
    + r"(?: (?P<year>20\d\d))?|^"
    + MONTH.format("3")
    + r"$"
)
_FOR = re.compile(r"\b(?:for |stay(?:ing)? |a |about |around )?" + _COUNT + r" (?P<unit>nights?|days?|weeks?)\b")
_IN_SOME = re.compile(r"\bin " + _COUNT + r" (?P<unit>days?|weeks?)\b")
_WEEKDAY = re.compile(r"\b(?P<next>next |this |on |from |coming )?(?P<day>" + "|".join(_DAYS) + r")\b")
_BACK = re.compile(
    r"\b(?:(?:come|coming|fly|flying|get|getting|be|head|heading|travel|traveling|go|going) )?"
    r"(?:back(?! to (?:me|you))|(?<=come )home|(?<=coming )home|(?<=fly )home|(?<=flying )home|return(?:ing|s)?"
    r"(?! (?:flights?|tickets?|trips?|journeys?|fares?))|until|till|check(?:ing)?[- ]?out)\b"
)
_NEAR = 30
_FLEXIBLE = re.compile(
    r"\b(?:flexible|any ?time|whenever|do not (?:know|mind|care)|not sure|no idea|open|any dates?|undecided|not "
    r"decided)\b"
)


def read_dates(text: str, today: date, asked: bool = False, month: date | None = None) -> Dates:
    """Dates in `plain` text. `asked` also takes bare numbers; `month` gives the month to days that name none."""
    nights, text = _nights(text)
    start, end = _with_return(text, today, asked, month)
    if end and not start:
        return Dates(end=end, nights=nights)
    if start and nights and (part_of_month(text, today, month if asked else None) or holiday(text, today)):
        end = None
    if start:
        return Dates(start=start, end=end if end and end > start else None, nights=nights)
    vague, named = _vague(text, today)
    return Dates(nights=nights, vague=vague, month=named, flexible=asked and bool(_FLEXIBLE.search(text)))


def _with_return(text: str, today: date, asked: bool, month: date | None) -> tuple[date | None, date | None]:
    """The days of `text`; what follows "back on" or "until" is the end, even where no start is said."""
    cue = _BACK.search(text)
    if cue is None or any(pattern.search(text) for pattern in _SPANS):
        return _days(text, today, asked, month)
    said = text[cue.end() : cue.end() + _NEAR]
    end, last = _days(said, today, False, month)
    end = last if last and part_of_month(said, today) else end
    if end is None:
        return _days(text, today, asked, month)
    start, _ = _days(text[: cue.start()], today, False, month)
    if start and end <= start:
        end, _ = _days(said, start, False, start.replace(day=1))
    return start, end


def _nights(text: str) -> tuple[int | None, str]:
    if re.search(r"\blong weekend\b", text):
        return 3, text
    match = _FOR.search(text)
    if not match or text[: match.start()].endswith("in "):
        return None, text
    nights = count(match["count"]) * (7 if match["unit"].startswith("week") else 1)
    return nights, text[: match.start()] + " " + text[match.end() :]


def _days(text: str, today: date, asked: bool, month: date | None) -> tuple[date | None, date | None]:
    iso = [found for found in map(_iso, _ISO.findall(text)) if found]
    if iso:
        return iso[0], iso[1] if len(iso) > 1 else None
    for pattern in (*_SPANS, *((_BARE_SPAN,) if asked else ())):
        if match := pattern.search(text):
            return _span(match, today, month)
    if part := part_of_month(text, today, month if asked else None):
        return part
    for pattern in _SINGLES:
        if match := pattern.search(text):
            return _made(match.groupdict(), "", today, month), None
    start, end = _relative(text, today)
    return (start, end) if start else holiday(text, today) or (None, None)


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _span(match: re.Match[str], today: date, month: date | None) -> tuple[date | None, date | None]:
    parts = match.groupdict()
    start = _made(parts, "", today, month)
    if start is None:
        return None, None
    second = {"day": parts["day2"], "month": parts.get("month2") or parts.get("month"), "year": parts.get("year")}
    end = _made(second, "", start, start.replace(day=1))
    return start, end


def _made(parts: dict[str, str | None], suffix: str, after: date, month: date | None) -> date | None:
    """The first day from `after` on that fits the parts."""
    day = int(parts["day" + suffix] or 0)
    name, year = parts.get("month" + suffix), parts.get("year")
    if name:
        wanted = MONTH_NUMBERS[name]
        years = [int(year)] if year else [after.year, after.year + 1]
        candidates = [(each, wanted) for each in years]
    elif month:
        following = next_month(month)
        candidates = [(month.year, month.month), (following.year, following.month)]
    else:
        following = next_month(after)
        candidates = [(after.year, after.month), (following.year, following.month)]
    for year_number, month_number in candidates:
        if 1 <= day <= calendar.monthrange(year_number, month_number)[1]:
            made = date(year_number, month_number, day)
            if made >= after or year:
                return made
    return None


def _relative(text: str, today: date) -> tuple[date | None, date | None]:
    if "day after tomorrow" in text:
        return today + timedelta(days=2), None
    if re.search(r"\btomorrow week\b|\ba week (?:from )?tomorrow\b", text):
        return today + timedelta(days=8), None
    if re.search(r"\btomorrow\b", text):
        return today + timedelta(days=1), None
    if re.search(r"\b(?:today|tonight)\b", text):
        return today, None
    if re.search(r"\b(?:this|next|the) (?:long )?weekend\b", text):
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        if "next" in text and saturday - today < timedelta(days=6):
            saturday += timedelta(days=7)
        return saturday, saturday + timedelta(days=1)
    if match := _IN_SOME.search(text):
        days = count(match["count"]) * (7 if match["unit"].startswith("week") else 1)
        return today + timedelta(days=days), None
    return _weekdays(text, today)


def _weekdays(text: str, today: date) -> tuple[date | None, date | None]:
    found: list[date] = []
    for match in _WEEKDAY.finditer(text):
        after = found[-1] if found else today
        ahead = (_DAYS[match["day"]] - after.weekday() - 1) % 7 + 1
        if not found and match["next"] == "next " and _DAYS[match["day"]] > today.weekday():
            ahead += 7
        found.append(after + timedelta(days=ahead))
    return (found[0] if found else None), (found[1] if len(found) > 1 else None)


def _vague(text: str, today: date) -> tuple[str | None, date | None]:
    if re.search(r"\bnext month\b", text):
        month = next_month(today)
        return f"{month:%B %Y}", month
    if re.search(r"\bthis month\b", text):
        return f"{today:%B %Y}", today.replace(day=1)
    if match := _IN_MONTH.search(text):
        month = month_named(match["month"] or match["month3"], today, match["year"])
        return f"{month:%B %Y}", month
    if match := re.search(
        r"\b(?:next|this|in the|in|over) (?P<what>week|spring|summer|autumn|fall|winter|year|christmas|easter|the "
        r"holidays)\b",
        text,
    ):
        return match[0], None
    return None, None
