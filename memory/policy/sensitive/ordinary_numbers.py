"""Finds the numbers that travel talk explains (dates, times, amounts, seats, memberships) and takes them out."""

from __future__ import annotations

import re

from memory.policy.sensitive.patterns import Patterns

_DATES = Patterns("dates")
_PATTERNS = Patterns("ordinary_numbers")
_MASK = " \u2205 "
"""Stands for what was taken out of a text."""


def full_years(text: str) -> list[int]:
    """Return the years of the full dates in `text`; 0 for one counted in Japanese eras."""
    years = (re.search(r"(?:18|19|20)\d\d", match.group()) for match in _DATES.finditer("full_date", text))
    return [int(year.group()) if year else 0 for year in years]


def mask(text: str) -> str:
    """Return `text` without dates, times and amounts of money."""
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
