"""Describes booked and past journeys of a user."""

from datetime import date
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from memory.records.notes import Record
from memory.records.profile import Currency


class Flight(Record):
    """The flight that the user took or will take."""

    airline: str
    cabin: Literal["economy", "premium_economy", "business", "first"] = "economy"
    seat: str | None = None
    layovers: tuple[str, ...] = ()
    checked_bags: int = Field(0, ge=0, le=10)
    special_requests: tuple[str, ...] = ()


class Hotel(Record):
    """The hotel where the user stayed or will stay."""

    brand: str | None = None
    name: str
    neighborhood: str | None = None
    bed: str | None = None
    floor: int | None = None


class Car(Record):
    """The hire car that the user drove or will drive."""

    company: str
    category: str


class Trip(Record):
    """One journey; `price` is in minor units of `currency`."""

    stored_as = "trip"
    id: str
    origin: str
    destination: str
    start: date
    end: date
    purpose: Literal["leisure", "business", "family", "other"] = "leisure"
    party: int = Field(1, ge=1, le=50)
    flight: Flight | None = None
    hotel: Hotel | None = None
    car: Car | None = None
    price: int | None = Field(None, ge=0)
    currency: Currency | None = None
    status: Literal["booked", "completed", "cancelled"] = "completed"

    @model_validator(mode="after")
    def _ends_after_start(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"the trip ends {self.end}, before it starts {self.start}")
        return self

    def told(self) -> dict[str, Any]:
        """Return the fields with a value as plain JSON values, without the id, for a model to read."""
        return self.model_dump(mode="json", exclude={"id"}, exclude_none=True)

    def short(self) -> str:
        """Return one line of text: `2026-05-02 to 2026-05-06 Lisbon - Rome (leisure), hotel Casa Monti`."""
        parts = [f"{self.start} to {self.end} {self.origin} - {self.destination} ({self.purpose})"]
        if self.flight:
            seat = f", seat {self.flight.seat}" if self.flight.seat else ""
            parts.append(f"{self.flight.airline} {self.flight.cabin.replace('_', ' ')}{seat}")
        if self.hotel:
            parts.append(f"hotel {self.hotel.name}")
        if self.status != "completed":
            parts.append(self.status)
        return ", ".join(parts)
