"""A moment as a place's clock shows it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AwareDatetime, model_validator

from memory.records.notes import Record


class LocalTime(Record):
    """A moment at a place: `at` carries the place's offset of that day, `zone` is its IANA name."""

    at: AwareDatetime
    zone: str

    @model_validator(mode="after")
    def _shows_local_time(self) -> Self:
        try:
            zone = ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{self.zone!r} is no IANA time zone") from error
        # What was read from JSON has a fixed offset; arithmetic on it would miss the clock change.
        object.__setattr__(self, "at", self.at.astimezone(zone))
        return self

    @classmethod
    def on(cls, day: date, clock: time, zone: str) -> LocalTime:
        """Return what the clock of `zone` shows on that day. A time that it skips in spring moves on with it."""
        wall = datetime.combine(day, clock, ZoneInfo(zone))
        return cls(at=wall.astimezone(UTC), zone=zone)

    @property
    def utc(self) -> datetime:
        """The moment in UTC, for comparing and subtracting: Python subtracts times of one zone by their clocks."""
        return self.at.astimezone(UTC)

    @property
    def day(self) -> date:
        """The date there."""
        return self.at.date()

    def after(self, minutes: int) -> LocalTime:
        """Return the time so many minutes later."""
        return LocalTime(at=self.utc + timedelta(minutes=minutes), zone=self.zone)

    def minutes_to(self, later: LocalTime) -> int:
        """Return whole minutes that pass until `later`; negative when it is earlier."""
        return round((later.utc - self.utc).total_seconds() / 60)

    def days_to(self, end: LocalTime) -> int:
        """Return how many days later the calendar at the end is: 1 for an overnight flight, -1 across the date line."""
        return (end.day - self.day).days

    def __str__(self) -> str:
        """Format the local time as in `2026-12-03 18:40`."""
        return f"{self.at:%Y-%m-%d %H:%M}"
