"""Reads a text as detectors need it: in lower case, without the numbers that travel talk explains, and the like."""

import re
from collections.abc import Callable
from functools import lru_cache

from memory.policy.sensitive.patterns import finditer, sub

_MASK = " \u2205 "
"""Stands for what was taken out of a text."""
_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")


def full_years(text: str) -> list[int]:
    """Return the years of the full dates in `text`; 0 for one counted in Japanese eras."""
    years = (re.search(r"(?:18|19|20)\d\d", match.group()) for match in finditer("dates.full_date", text))
    return [int(year.group()) if year else 0 for year in years]


@lru_cache(maxsize=64)
def mask(text: str) -> str:
    """Return `text` without dates, times and amounts of money. Most detectors ask for that of the same few texts."""
    if not re.search(r"\d", text):
        return text
    for name in ("years", "full_date", "money", "time", "plain_date"):
        text = sub(f"dates.{name}", _MASK, text)
    return re.sub(r"\u2205(?:\s*[-~to]{1,2}\s*\u2205)+", "\u2205", text)


def without_memberships(text: str) -> str:
    """Return `text` without the numbers of loyalty programmes, which travellers may have remembered."""
    return sub("ordinary_numbers.member_behind", _MASK, sub("ordinary_numbers.member_forward", _MASK, text))


@lru_cache(maxsize=64)
def without_ordinary_numbers(text: str) -> str:
    """Return `text` without dates, times, amounts, memberships, quantities, flights, aircraft, rooms and seats.

    What is left should be an identifier or a secret.
    """
    return sub("ordinary_numbers.travel", _MASK, sub("ordinary_numbers.flight", _MASK, _numbers(text)))


@lru_cache(maxsize=64)
def _numbers(text: str) -> str:
    return without_memberships(mask(text))


def _places(text: str) -> str:
    return sub("street_addresses.near", r"\1", mask(text))


READINGS: dict[str, Callable[[str], str]] = {
    "text": str,
    "lowered": str.lower,
    "numbers": _numbers,
    "unexplained": without_ordinary_numbers,
    "places": _places,
    "lowered_places": lambda text: _places(text).lower(),
    "phones": lambda text: without_memberships(_places(text)),
    "large_things": lambda text: sub("lock_codes.small_things", " ", mask(text.lower())),
    "mail": lambda text: re.sub(r" ?\u00b7 ?", "", text.lower()).translate(_BRACKETS),
}
"""What of a text a detector looks at, by the name that `tables/detectors.toml` gives it."""
