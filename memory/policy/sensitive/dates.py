"""Finds dates, times and amounts in running text, so that they pass for no other number."""

from __future__ import annotations

import re

from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("dates")
MASK = " \u2205 "
"""Stands for what was taken out of a text."""


def full_years(text: str) -> list[int]:
    """Return the years of the full dates in `text`; 0 for one counted in Japanese eras."""
    years = (re.search(r"(?:18|19|20)\d\d", match.group()) for match in _PATTERNS.finditer("full_date", text))
    return [int(year.group()) if year else 0 for year in years]


def mask(text: str) -> str:
    """Return `text` without dates, times and amounts of money."""
    for name in ("years", "full_date", "money", "time", "plain_date"):
        text = _PATTERNS.sub(name, MASK, text)
    return re.sub(r"\u2205(?:\s*[-~to]{1,2}\s*\u2205)+", "\u2205", text)
