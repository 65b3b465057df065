"""Check a passport against a journey. Entry rules that are not known are not made up."""

import calendar
from datetime import date
from typing import Literal

from memory.records.notes import Record
from memory.records.profile import Profile
from travel.tables import Language, worded

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


def check_documents(
    profile: Profile, country: str, *, start: date, end: date, today: date, language: Language = "en"
) -> DocumentCheck:
    """Return what `profile` says of a journey to `country` (ISO 3166, two letters) from `start` to `end`."""
    expiry, issued = profile.passport_expiry, profile.passport_country
    state: Literal["ok", "renew", "expired", "unknown"] = "ok"
    fault = ""
    if expiry is None:
        state, fault = "unknown", "passport_unknown"
    elif expiry < end:
        state = "expired"
        fault = "passport_ended" if expiry < today else f"passport_before_{'start' if expiry < start else 'end'}"
    elif country != issued and expiry < months_after(end, VALID_AFTER_MONTHS):
        state, fault = "renew", "passport_renew"
    values = {"expiry": expiry, "start": start, "end": end, "months": VALID_AFTER_MONTHS}
    told = (worded(fault, language, **values),) if fault else ()
    return DocumentCheck(
        country=country, passport=state, passport_country=issued, passport_expiry=expiry, visas=profile.active_visas,
        errors=told if state == "expired" else (), warnings=() if state == "expired" else told,
        notes=_notes(profile, country, language),
    )  # fmt: skip


def months_after(day: date, months: int) -> date:
    """Return the same day so many months later, or the last of that month where it has none."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _notes(profile: Profile, country: str, language: Language) -> tuple[str, ...]:
    issued = profile.passport_country
    if issued is None:
        return worded("passport_nowhere", language), worded("visa_unknown", language, country=country)
    if issued == country:
        return (worded("passport_home", language),)
    visas = worded("visas", language, visas=", ".join(profile.active_visas) or "none")
    return visas, worded("visa_unknown_for", language, country=country, issued=issued)
