"""Check a passport against a journey. Entry rules that are not known are not made up."""

from __future__ import annotations

import calendar
from datetime import date
from typing import Literal

from memory.records.notes import Record
from memory.records.profile import Profile

VALID_AFTER_MONTHS = 6
"""Many countries ask that a passport is good for so long after the journey."""


class DocumentCheck(Record):
    """What is known of the traveller's documents for one journey.

    `passport` is "ok", or "renew" when it ends within six months of the return, or "expired" when it does not last
    to the return, or "unknown" when its end is not on file. `errors` stop a journey, `warnings` may; `notes` say what
    else there is and what to ask whom.
    """

    country: str
    """Two letters of ISO 3166."""
    passport: Literal["ok", "renew", "expired", "unknown"]
    passport_country: str | None
    passport_expiry: date | None
    visas: tuple[str, ...]
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check_documents(profile: Profile, country: str, *, start: date, end: date, today: date) -> DocumentCheck:
    """Return what `profile` says of a journey to `country` (ISO 3166, two letters) from `start` to `end`."""
    expiry, issued = profile.passport_expiry, profile.passport_country
    errors: list[str] = []
    warnings: list[str] = []
    state: Literal["ok", "renew", "expired", "unknown"] = "ok"
    if expiry is None:
        state = "unknown"
        warnings.append("The end of the passport is not on file. Ask the traveller for it, and keep it in the profile.")
    elif expiry < end:
        state = "expired"
        errors.append(_too_short(expiry, start, end, today))
    elif country != issued and expiry < months_after(end, VALID_AFTER_MONTHS):
        state = "renew"
        warnings.append(
            f"The passport ends on {expiry}, within {VALID_AFTER_MONTHS} months of the return on {end}. "
            "Many countries refuse that: renew it before travelling."
        )
    return DocumentCheck(
        country=country,
        passport=state,
        passport_country=issued,
        passport_expiry=expiry,
        visas=profile.active_visas,
        errors=tuple(errors),
        warnings=tuple(warnings),
        notes=_notes(profile, country),
    )


def months_after(day: date, months: int) -> date:
    """Return the same day so many months later, or the last of that month where it has none."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _too_short(expiry: date, start: date, end: date, today: date) -> str:
    if expiry < today:
        when = f"ended on {expiry}"
    elif expiry < start:
        when = f"ends on {expiry}, before the journey starts on {start}"
    else:
        when = f"ends on {expiry}, before the return on {end}"
    return f"The passport {when}. It must be renewed before anything is booked."


def _notes(profile: Profile, country: str) -> tuple[str, ...]:
    if profile.passport_country is None:
        return (
            "The country of the passport is not on file. Ask the traveller for it, and keep it in the profile.",
            f"Whether {country} asks for a visa is not known here: check with its embassy.",
        )
    if profile.passport_country == country:
        return ("The journey goes to the country of the passport.",)
    visas = ", ".join(profile.active_visas) or "none"
    return (
        f"Visas on file: {visas}.",
        f"Whether {country} asks for a visa with a passport of {profile.passport_country} is not known here: "
        "check with its embassy.",
    )
