"""A point in time in the time zone of a place."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AwareDatetime, model_validator

from memory.records.notes import Record


class LocalTime(Record):
    """A point in time at a place: `at` has the time zone `zone`, which is an IANA name."""

    at: AwareDatetime
    zone: str

    @model_validator(mode="after")
    def _shows_local_time(self) -> Self:
        try:
            zone = ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"{self.zone!r} is no IANA time zone") from error
        # A value from JSON has a fixed UTC offset; arithmetic on it would ignore daylight saving changes.
        object.__setattr__(self, "at", self.at.astimezone(zone))
        return self

    @classmethod
    def on(cls, day: date, clock: time, zone: str) -> LocalTime:
        """Return the local time `clock` in `zone` on `day`; a time that daylight saving skips is moved forward."""
        wall = datetime.combine(day, clock, ZoneInfo(zone))
        return cls(at=wall.astimezone(UTC), zone=zone)

    @property
    def utc(self) -> datetime:
        """The time in UTC. Use it to compare and subtract: Python ignores UTC offsets within one zone."""
        return self.at.astimezone(UTC)

    @property
    def day(self) -> date:
        """The date there."""
        return self.at.date()

    def after(self, minutes: int) -> LocalTime:
        """Return the time `minutes` later."""
        return LocalTime(at=self.utc + timedelta(minutes=minutes), zone=self.zone)

    def minutes_to(self, later: LocalTime) -> int:
        """Return the whole minutes from this time to `later`; negative if that is earlier."""
        return round((later.utc - self.utc).total_seconds() / 60)

    def days_to(self, end: LocalTime) -> int:
        """Return the difference of the local dates in days: 1 for an overnight flight, -1 across the date line."""
        return (end.day - self.day).days

    def __str__(self) -> str:
        """Format the local time as in `2026-12-03 18:40`."""
        return f"{self.at:%Y-%m-%d %H:%M}"
