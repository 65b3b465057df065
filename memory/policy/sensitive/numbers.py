"""Takes out the numbers that travel talk explains, and detects those that check digits or a dialling plan identify."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

from memory.policy.sensitive.patterns import Patterns, compiled

_DATES = Patterns("dates")
_PATTERNS = Patterns("ordinary_numbers")
_UNLABELLED = Patterns("unlabelled_numbers")
_REGIONS = ("US", "GB", "JP", "IN", "DE", "FR", "ES", "IT", "CN", "KR", "AU", "BR", "MX", "SG", "NL")
"""Dialling plans tried for a number without a country code."""
_MASK = " \u2205 "
"""Stands for what was taken out of a text."""


def full_years(text: str) -> list[int]:
    """Return the years of the full dates in `text`; 0 for one counted in Japanese eras."""
    years = (re.search(r"(?:18|19|20)\d\d", match.group()) for match in _DATES.finditer("full_date", text))
    return [int(year.group()) if year else 0 for year in years]


@lru_cache(maxsize=64)
def mask(text: str) -> str:
    """Return `text` without dates, times and amounts of money. Most detectors ask for that of the same few texts."""
    for name in ("years", "full_date", "money", "time", "plain_date"):
        text = _DATES.sub(name, _MASK, text)
    return re.sub(r"\u2205(?:\s*[-~to]{1,2}\s*\u2205)+", "\u2205", text)


def without_memberships(text: str) -> str:
    """Return `text` without the numbers of loyalty programmes, which travellers may have remembered."""
    return _PATTERNS.sub("member_behind", _MASK, _PATTERNS.sub("member_forward", _MASK, text))


def without_ordinary_numbers(text: str) -> str:
    """Return `text` without dates, times, amounts, memberships, quantities, flights, aircraft, rooms and seats.

    What is left should be an identifier or a secret.
    """
    text = without_memberships(mask(text))
    return _PATTERNS.sub("travel", _MASK, _PATTERNS.sub("flight", _MASK, text))


def number_kind(text: str) -> str | None:
    """Return `phone` or `national_id` for a long number without a label, else None.

    Dates, times and amounts are not numbers in this sense; membership numbers of loyalty programmes are allowed.
    """
    if len(re.findall(r"\d", text)) < 4:
        return None
    masked = without_memberships(mask(text))
    if _checks_out(masked):
        return "national_id"
    runs = [match.group() for match in _UNLABELLED.finditer("free_run", masked)]
    if any(_is_dialled(run) for run in runs):
        return "phone"
    return "national_id" if _UNLABELLED.search("long", masked) else None


@cache
def _validator(name: str) -> Callable[[str], bool]:
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return is_valid


def _checks_out(text: str) -> bool:
    return any(
        _validator(name)(match.group())
        for name, pattern in _UNLABELLED.records("validators")[0].items()
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
