"""Check the days of a query: from today, in local time, to a year ahead, in the right order."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from config.errors import DateInPastError, TravelDateError

DAYS_AHEAD = 365


def today_in(zone: str, now: datetime) -> date:
    """Return the date there."""
    return now.astimezone(ZoneInfo(zone)).date()


def check_day(day: date, today: date, what: str) -> None:
    """Raise DateInPastError or TravelDateError unless `what` on `day` can be sold today."""
    if day < today:
        raise DateInPastError(f"{what} {day} is in the past: it is {today} there. Ask for a date from today on.")
    last = today + timedelta(days=DAYS_AHEAD)
    if day > last:
        raise TravelDateError(f"{what} {day} is too far ahead: nothing is sold after {last}. Ask for an earlier date.")


def check_order(start: date, end: date, what: str, *, least_days: int = 0, most_days: int = DAYS_AHEAD) -> None:
    """Raise TravelDateError unless `end` follows `start` by so many days."""
    days = (end - start).days
    if days < least_days:
        raise TravelDateError(f"{what}: {end} is too early for a start on {start}. Ask which date is meant.")
    if days > most_days:
        raise TravelDateError(f"{what}: {days} days are more than the {most_days} that are sold at a stretch.")


def code(day: date) -> str:
    """Return the date in an offer id, as in `261203`."""
    return f"{day:%y%m%d}"


def from_code(text: str) -> date:
    """Return the date of an offer id."""
    return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:6]))
