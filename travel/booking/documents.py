"""Check a passport against a journey. Visa and entry rules are not part of this application."""

import calendar
from datetime import date
from typing import Literal

from memory.records.notes import Record
from memory.records.profile import Profile
from travel.tables import Language, worded

VALID_AFTER_MONTHS = 6
"""Many countries require that a passport is valid for this long after the journey."""


class DocumentCheck(Record):
    """The state of a traveller's documents for one journey.

    `passport` is "ok"; "renew" if it expires within six months of the return from abroad; "expired" if it expires
    before the return; or "unknown" if the profile has no expiry date. `errors` prevent a journey and `warnings` may
    prevent it; `notes` name the visas and what the traveller has to check.
    """

    country: str
    """ISO 3166 code of two letters."""
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
    """Check the documents of `profile` for a journey to `country` (ISO 3166, two letters) from `start` to `end`."""
    expiry, issued = profile.passport_expiry, profile.passport_country
    state: Literal["ok", "renew", "expired", "unknown"] = "ok"
    problem = ""
    if expiry is None:
        state, problem = "unknown", "passport_unknown"
    elif expiry < end:
        state = "expired"
        problem = "passport_ended" if expiry < today else f"passport_before_{'start' if expiry < start else 'end'}"
    elif country != issued and expiry < months_after(end, VALID_AFTER_MONTHS):
        state, problem = "renew", "passport_renew"
    values = {"expiry": expiry, "start": start, "end": end, "months": VALID_AFTER_MONTHS}
    messages = (worded(problem, language, **values),) if problem else ()
    return DocumentCheck(
        country=country, passport=state, passport_country=issued, passport_expiry=expiry, visas=profile.active_visas,
        errors=messages if state == "expired" else (), warnings=() if state == "expired" else messages,
        notes=_notes(profile, country, language),
    )  # fmt: skip


def months_after(day: date, months: int) -> date:
    """Return the same day `months` later, or the last day of a month that is too short."""
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
