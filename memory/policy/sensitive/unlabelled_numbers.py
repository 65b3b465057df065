"""Detects numbers without a label that check digits or a dialling plan identify."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module

from memory.policy.rule import compiled
from memory.policy.sensitive.ordinary_numbers import mask, without_memberships
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("unlabelled_numbers")
_REGIONS = ("US", "GB", "JP", "IN", "DE", "FR", "ES", "IT", "CN", "KR", "AU", "BR", "MX", "SG", "NL")
"""Dialling plans tried for a number without a country code."""


def number_kind(text: str) -> str | None:
    """Return `phone` or `national_id` for a long number without a label, else None.

    Dates, times and amounts are not numbers in this sense; membership numbers of loyalty programmes are allowed.
    """
    if len(re.findall(r"\d", text)) < 4:
        return None
    masked = without_memberships(mask(text))
    if _checks_out(masked):
        return "national_id"
    runs = [match.group() for match in _PATTERNS.finditer("free_run", masked)]
    if any(_is_dialled(run) for run in runs):
        return "phone"
    return "national_id" if _PATTERNS.search("long", masked) else None


@cache
def _validator(name: str) -> Callable[[str], bool]:
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return is_valid


def _checks_out(text: str) -> bool:
    return any(
        _validator(name)(match.group())
        for name, pattern in _PATTERNS.records("validators")[0].items()
        for match in compiled(pattern).finditer(text)
    )


def _is_dialled(run: str) -> bool:
    import phonenumbers

    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(run, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False
