"""Months in words, and the days meant by a part of one ("second week of next month", "end of May")."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from models.offline.calendar_days import Holiday, holiday_days, next_month
from text.numbers import MONTH as ANY_MONTH
from text.numbers import MONTH_NUMBERS

MONTH = rf"(?P<month{{0}}>{ANY_MONTH})\b\.?"
YEAR = r"(?:,? (?P<year>20\d\d))?"

_WEEKS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_PARTS = {"early": 1, "beginning": 1, "start": 1, "mid": 12, "middle": 12}
_PART_OF = re.compile(
    r"\b(?:(?P<week>first|second|third|fourth|last|1st|2nd|3rd|4th) (?:full )?week (?:of|in)|"
    r"(?P<part>early|mid|late)(?: in)?|(?P<place>beginning|start|middle|end) of)[ -]"
    r"(?:the )?(?:(?P<near>(?:this |next )?month)\b|" + MONTH.format("") + YEAR + ")"
)
_BARE = re.compile(
    r"\b(?:the )?(?:(?P<week>first|second|third|fourth|last|1st|2nd|3rd|4th) (?:full )?week|"
    r"(?P<part>early)(?: on| in the month)?|(?:the )?(?P<place>beginning|start|middle|end))$"
)
"""The part of a month that is settled already."""
_HOLIDAYS: dict[Holiday, str] = {
    "easter": "easter",
    "christmas": "christmas|xmas",
    "new_year": "new year(?:'?s)?(?: eve)?",
}
_AT = (
    r"(?:^|\b(?:at|around|over|for|during|about|by) )(?:the )?(?:{})(?: (?:weekend|holidays?|break|time))?"
    r"(?=$|[ .,!?]*(?:$|[,.!?]|(?:with|from|for|in|to|and|please|or|i|we|my|this|next)\b))"
)


def month_named(name: str, today: date, year: str | None = None) -> date:
    """The first day of the month `name`: of `year`, else of the running month or the next one of that name."""
    number = MONTH_NUMBERS[name]
    return date(int(year) if year else today.year + (number < today.month), number, 1)


def part_of_month(text: str, today: date, month: date | None = None) -> tuple[date, date] | None:
    """First and last day of the part of a month that plain `text` names, or None; always seven days.

    `month` is the one already settled on, which a text may leave unsaid ("the second week").

    Weeks are counted from the first of the month, whatever its weekday: the second is the 8th to the 14th. Early is
    the 1st to the 7th, the middle the 12th to the 18th, and the end, like the last week, the last seven days. A part
    that has passed is that of the next year; one of this month that has passed is none.
    """
    match = _PART_OF.search(text)
    if match is None:
        bare = _BARE.search(text.strip(" .,!")) if month else None
        return _days_of(bare, month) if bare and month else None
    if match["near"]:
        found = _days_of(match, next_month(today) if "next" in match["near"] else today.replace(day=1))
        return found if found[1] >= today else None
    named = month_named(match["month"], today, match["year"])
    found = _days_of(match, named)
    return found if match["year"] or found[1] >= today else _days_of(match, named.replace(year=named.year + 1))


def holiday(text: str, today: date) -> tuple[date, date] | None:
    """First and last day of the holiday at which plain `text` wants to travel ("around Easter"), or None."""
    found = (name for name, words in _HOLIDAYS.items() if re.search(_AT.format(words), text))
    name = next(found, None)
    return holiday_days(name, today) if name else None


def _days_of(match: re.Match[str], month: date) -> tuple[date, date]:
    if match["week"] in _WEEKS:
        first = 7 * _WEEKS[match["week"]] - 6
    else:
        last_days = calendar.monthrange(month.year, month.month)[1] - 6
        first = _PARTS.get(match["part"] or match["place"] or "", last_days)
    start = month.replace(day=first)
    return start, start + timedelta(days=6)
