"""Detects national ids, passports and birth dates."""

from __future__ import annotations

import re

from memory.policy.sensitive.numbers import full_years, mask, without_memberships
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("identity")
_LAST_BIRTHDAY_YEAR = 2024
"""A birthday with a later year is a trip on that day; a date of birth is caught by "born" whatever its year."""
_LAST_ADULT_YEAR = 2012


def identity_kind(text: str) -> str | None:
    """Return `birth_date`, `passport` or `national_id` when `text` holds one, else None."""
    if _is_birth_date(text):
        return "birth_date"
    if len(re.findall(r"\d", text)) < 3 and "<<" not in text:
        return None
    masked = without_memberships(mask(text))
    for name in ("passport", "national"):
        label = _PATTERNS.labels(name)[0]
        if label.hits(masked):
            return label.kind
    if any(_PATTERNS.search(name, masked) for name in ("shaped", "card_of_two")):
        return "national_id"
    return "passport" if _PATTERNS.search("passport_shape", masked) else None


def _is_birth_date(text: str) -> bool:
    lowered = text.lower()
    if not re.search(r"[\d一二三四五六七八九十]", text):
        return False
    years = full_years(text)
    if _PATTERNS.search("born", lowered):
        certain = _PATTERNS.search("born_then", lowered) is not None
        if years and _PATTERNS.search("born_on_date", lowered):
            return certain or min(years) <= _LAST_BIRTHDAY_YEAR
        coming = not certain and _PATTERNS.search("coming", lowered) is not None
        return _PATTERNS.search("born_on_short_date", lowered) is not None and not coming
    old = any(year and year <= _LAST_ADULT_YEAR for year in years)
    return old and not _PATTERNS.search("past_event", lowered) and _is_of_person(lowered)


def _is_of_person(lowered: str) -> bool:
    """Return whether an old date stands in a form about somebody, or next to hardly more than a name."""
    others = re.findall(r"[^\W\d_]{2,}", Patterns("dates").sub("full_date", " ", lowered))
    named = lowered.isascii() and len(others) <= 2 and "on" not in others
    return named or _PATTERNS.search("person", lowered) is not None
