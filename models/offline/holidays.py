"""The days of holidays that travellers name instead of dates."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

Holiday = Literal["easter", "christmas", "new_year", "golden_week", "obon"]
_FIXED: dict[Holiday, tuple[int, int, int]] = {
    "christmas": (12, 24, 3),
    "new_year": (12, 30, 3),
    "golden_week": (4, 29, 6),
    "obon": (8, 13, 3),
}
"""Month, day and nights."""


def holiday_days(name: Holiday, today: date) -> tuple[date, date]:
    """First and last day of the next such holiday that has not begun before `today`; Easter is Friday to Monday."""
    found = (_days(name, year) for year in (today.year, today.year + 1))
    return next(days for days in found if days[0] >= today)


def _days(name: Holiday, year: int) -> tuple[date, date]:
    if name == "easter":
        sunday = _easter(year)
        return sunday - timedelta(days=2), sunday + timedelta(days=1)
    month, day, nights = _FIXED[name]
    start = date(year, month, day)
    return start, start + timedelta(days=nights)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar: the Sunday after the first ecclesiastical full moon of spring."""
    century = year // 100
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    moon -= moon // 29 or (moon // 28 and golden // 11)
    full = date(year, 3, 21) + timedelta(days=moon)
    return full + timedelta(days=7 - (full.weekday() + 1) % 7)
