"""Passports that expire too early, and the lack of visa rules."""

from __future__ import annotations

from datetime import date

import pytest

from memory.records.profile import Profile
from travel.booking.documents import DocumentCheck, check_documents, months_after

START, END, TODAY = date(2026, 12, 10), date(2026, 12, 17), date(2026, 11, 20)


def checked(country: str = "US", **values: object) -> DocumentCheck:
    profile = Profile.model_validate({"passport_country": "PT", **values})
    return check_documents(profile, country, start=START, end=END, today=TODAY)


@pytest.mark.parametrize(("expiry", "state", "errors", "warnings"), [
    (date(2027, 6, 17), "ok", 0, 0),
    (date(2027, 6, 16), "renew", 0, 1),
    (END, "renew", 0, 1),
    (date(2026, 12, 16), "expired", 1, 0),
    (date(2026, 12, 1), "expired", 1, 0),
    (date(2026, 11, 1), "expired", 1, 0),
    (None, "unknown", 0, 1),
])  # fmt: skip
def test_passport_must_be_valid_six_months_beyond_the_return(
    expiry: date | None, state: str, errors: int, warnings: int
) -> None:
    result = checked(passport_expiry=expiry)
    assert (result.passport, len(result.errors), len(result.warnings)) == (state, errors, warnings)


def test_error_says_when_and_what_to_do() -> None:
    (told,) = checked(passport_expiry=date(2026, 12, 12)).errors
    assert "ends on 2026-12-12, before the return on 2026-12-17" in told
    assert "renewed" in told


def test_six_months_are_not_required_at_home() -> None:
    assert checked("PT", passport_expiry=date(2027, 1, 1)).passport == "ok"
    assert checked("PT", passport_expiry=date(2026, 12, 16)).passport == "expired"


def test_entry_rules_are_not_invented() -> None:
    notes = " ".join(checked(active_visas=("US B1/B2",)).notes)
    assert "Visas on file: US B1/B2." in notes
    assert "not known here: check with its embassy" in notes
    assert "not known here" not in " ".join(checked("PT").notes)


def test_unknown_passport_is_asked_for() -> None:
    notes = " ".join(checked(passport_country=None).notes)
    assert "country of the passport is not on file" in notes


@pytest.mark.parametrize(("day", "months", "then"), [
    (date(2026, 8, 31), 6, date(2027, 2, 28)), (date(2027, 8, 31), 6, date(2028, 2, 29)),
    (date(2026, 12, 17), 6, date(2027, 6, 17)), (date(2026, 6, 30), 6, date(2026, 12, 30)),
])  # fmt: skip
def test_months_end_on_the_last_day_of_the_month(day: date, months: int, then: date) -> None:
    assert months_after(day, months) == then
