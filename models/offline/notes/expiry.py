"""Reads until when a statement holds: "until June", "for two months", "due in August"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from models.offline.reading import read
from models.offline.reading.understanding import ReadingContext
from text.numbers import COUNT, count, kanji_number

_YEAR_END = re.compile(r"\b(?:until|till|through) (?:the )?end of (?:the|this) year\b|年末まで|年内", re.IGNORECASE)
_UNTIL = re.compile(
    r"\b(?:until|till|through|due (?:in|on))\s+(?P<day>.+)|(?P<day_ja>[^、。]+)(?:まで|に出産)", re.IGNORECASE
)
_SPAN = re.compile(
    rf"\b(?:for|over) (?:the )?(?:next )?(?P<count>{COUNT}) (?:more )?(?P<unit>day|week|month)s?\b"
    r"|(?P<count_ja>[\d一二三四五六七八九十]+)(?P<unit_ja>日|週|[かヶカ箇]月)間?",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "month": 30, "日": 1, "週": 7}
_DECEMBER = 12


def last_day(text: str, today: date) -> date | None:
    """Return the last day on which `text` holds, where it names one."""
    if _YEAR_END.search(text):
        return date(today.year, _DECEMBER, 31)
    if found := _UNTIL.search(text):
        named = found["day_ja"] or f"in {found['day']}"
        context = ReadingContext(today, asked="dates", trip_open=True)
        when = next((clause.dates for clause in read(named, context).clauses if clause.dates), None)
        if when is None:
            return None
        return when.end or when.start or (when.window[1] if when.window else None)
    if found := _SPAN.search(text):
        number = count(found["count"].lower()) if found["count"] else kanji_number(found["count_ja"])
        return today + timedelta(days=number * _DAYS.get((found["unit"] or found["unit_ja"]).lower(), _DAYS["month"]))
    return None
