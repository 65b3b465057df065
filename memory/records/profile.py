"""Describes the profile (facts about a user, and whether a model may see them) and the user's consent to memory."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, PastDate

from memory.records.notes import Record

_HIDDEN: dict[str, JsonValue] = {"model_sees": False}
_EARLIEST = date(1900, 1, 1)
FIELD_NAME = "[a-z][a-z_]{0,39}"
"""A pattern of the names that fields can have."""
FIELDS_OF_CLAIMS = (
    "home_city", "currency", "passport_country", "passport_expiry", "seat_preference", "tone", "active_visas",
    "tight_connections",
)  # fmt: skip
"""The fields that a claim can fill."""


def _code(letters: int, message: str) -> AfterValidator:
    def check(given: str) -> str:
        code = given.strip().upper()
        if not re.fullmatch(rf"[A-Z]{{{letters}}}", code):
            raise ValueError(message)
        return code

    return AfterValidator(check)


Country = Annotated[str, _code(2, "use the two letters of ISO 3166, for example PT")]
Currency = Annotated[str, _code(3, "use the three letters of ISO 4217, for example EUR")]


class Insurance(Record):
    """The insurance that the user already has."""

    car_rental: bool = False
    travel_medical: bool = False
    level: Literal["none", "basic", "standard", "premium"] = "none"


class Profile(Record):
    """Facts about the user from trusted systems. Fields marked hidden are for tools in code, never for a model."""

    stored_as = "profile"
    topics: ClassVar[dict[str, str]] = {
        "home_city": "other", "currency": "budget", "passport_country": "document", "passport_expiry": "document",
        "loyalty_status": "airline", "loyalty_ids": "airline", "seat_preference": "seat", "tone": "communication",
        "active_visas": "document", "tight_connections": "layover", "insurance": "insurance",
    }  # fmt: skip
    """The topic of each field; fields about identity have none."""
    customer_id: str | None = Field(None, max_length=80, json_schema_extra=_HIDDEN)
    name: str | None = Field(None, max_length=80)
    date_of_birth: date | None = Field(None, ge=_EARLIEST, json_schema_extra=_HIDDEN)
    home_city: str | None = Field(None, max_length=80)
    currency: Currency | None = None
    passport_country: Country | None = None
    passport_expiry: date | None = None
    loyalty_status: dict[str, str] = Field(default_factory=dict)
    """Programme to tier, as in `{"Star Alliance": "Gold"}`."""
    loyalty_ids: dict[str, str] = Field(default_factory=dict, json_schema_extra=_HIDDEN)
    seat_preference: Literal["window", "middle", "aisle"] | None = None
    tone: Literal["brief", "friendly", "formal"] | None = None
    active_visas: tuple[str, ...] = ()
    tight_connections: bool | None = None
    insurance: Insurance = Insurance()

    def shown_to_model(self) -> dict[str, Any]:
        """Return the filled fields that a model may see, in the order of this class, as plain JSON values."""
        hidden = {name for name, field in type(self).model_fields.items() if field.json_schema_extra == _HIDDEN}
        return self.model_dump(mode="json", exclude=hidden, exclude_defaults=True)

    def without(self, topics: Collection[str]) -> Self:
        """Return this profile with the fields that belong to `topics` emptied."""
        return self.model_validate({key: it for key, it in self.dump().items() if self.topics.get(key) not in topics})

    @staticmethod
    def of(values: Mapping[str, Any]) -> Profile:
        """Return the profile in a record; fields that only a schema knows are kept as they are, unless empty."""
        filled = {name: it for name, it in values.items() if name in Profile.model_fields or it not in (None, [], ())}
        return (Profile if filled.keys() <= Profile.model_fields.keys() else OpenProfile).model_validate(filled)


class EnteredProfile(Profile):
    """A profile of values that someone enters. A stored one is not read with it, as what it refuses may be there."""

    date_of_birth: PastDate | None = Field(None, ge=_EARLIEST, json_schema_extra=_HIDDEN)


class OpenProfile(Profile):
    """A profile with fields of a schema's own, which only the schema checks: see `Schema.with_fields`."""

    model_config = ConfigDict(extra="allow")


def blanked(profile: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a profile record in which those of `fields` that still have the given value are emptied."""
    blank = Profile().dump()
    return {**profile, **{name: blank.get(name) for name, value in fields.items() if profile.get(name) == value}}


def moved_fields(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the fields in which two profile records differ; None is an empty profile."""
    empty = Profile().dump()
    old, new = {**empty, **(before or {})}, {**empty, **(after or {})}
    return [name for name in {**old, **new} if old.get(name) != new.get(name)]


class Consent(Record):
    """While `paused`, nothing is learnt, but notes are used. Notes of `denied` topics are neither kept nor used."""

    stored_as = "consent"
    paused: bool = False
    denied: tuple[str, ...] = ()
