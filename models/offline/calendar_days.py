"""What a text says of time, months that follow each other, and the days of holidays."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Dates:
    """What a text says of time; None where it says nothing. `month` is the first day of a month named alone."""

    start: date | None = None
    end: date | None = None
    nights: int | None = None
    vague: str | None = None
    month: date | None = None
    flexible: bool = False


def next_month(day: date) -> date:
    """Return the first day of the month after `day`."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def holiday_days(name: Holiday, today: date) -> tuple[date, date]:
    """Return the first and last day of the next such holiday that begins on `today` or later."""
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
    """Return Easter Sunday of the Gregorian calendar: the Sunday after the first ecclesiastical full moon of spring."""
    century = year // 100
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    moon -= moon // 29 or (moon // 28 and golden // 11)
    full = date(year, 3, 21) + timedelta(days=moon)
    return full + timedelta(days=7 - (full.weekday() + 1) % 7)
