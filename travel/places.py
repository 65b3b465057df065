"""Places that people name: cities with their airports, and single airports."""

from typing import Literal

from memory.records.notes import Record

SAMPLE = "sample data"
"""The source that every result of the sample world names, so that nobody takes it for a real offer."""


class Place(Record):
    """A city with all its airports, or one airport."""

    code: str
    """IATA code of the city, as in LON, or of the airport, as in LHR."""
    kind: Literal["city", "airport"]
    name: str
    name_ja: str | None = None
    region: str
    """State or province, as in "Oregon"; may be empty."""
    country: str
    """Two letters of ISO 3166."""
    airports: tuple[str, ...]
    """IATA codes, the main one first."""
    zone: str
    """IANA time zone."""
    latitude: float
    longitude: float

    def __str__(self) -> str:
        """Format the place as in `Portland, Maine, US (PWM)`."""
        return f"{', '.join(part for part in (self.name, self.region, self.country) if part)} ({self.code})"
