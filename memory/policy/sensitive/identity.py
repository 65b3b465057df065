"""Detects what identifies somebody or pays: cards, bank accounts, national ids, passports and birth dates."""

from __future__ import annotations

import re

from memory.policy.sensitive.numbers import full_years, mask, without_memberships
from memory.policy.sensitive.patterns import Patterns

_PAYMENT = Patterns("payment")
_CARD_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")


def payment_kind(text: str) -> str | None:
    """Return `payment_card` or `iban` when `text` holds one, else None."""
    if len(re.findall(r"\d", text)) < 3:
        return None
    if any(_is_card(match.group()) for match in _PAYMENT.finditer("run", text)):
        return "payment_card"
    for label in _PAYMENT.labels("labelled"):
        if label.hits(text) and (label.kind != "payment_card" or label.hits(without_memberships(mask(text)))):
            return label.kind
    return "iban" if any(_is_iban(match.group()) for match in _PAYMENT.finditer("iban", text)) else None


def _is_card(run: str) -> bool:
    from stdnum import luhn

    groups = re.findall(r"\d+", run)
    spans = [(start, end) for start in range(len(groups)) for end in range(start + 1, len(groups) + 1)]
    numbers = ["".join(groups[start:end]) for start, end in spans]
    return any(13 <= len(number) <= 19 and _CARD_PREFIX.match(number) and luhn.is_valid(number) for number in numbers)


def _is_iban(found: str) -> bool:
    from stdnum import iban

    compact = re.sub(r"[^A-Za-z0-9]", "", found).upper()
    return any(iban.is_valid(compact[:size], check_country=False) for size in range(len(compact), 14, -1))


_IDENTITY = Patterns("identity")
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
        label = _IDENTITY.labels(name)[0]
        if label.hits(masked):
            return label.kind
    if any(_IDENTITY.search(name, masked) for name in ("shaped", "card_of_two")):
        return "national_id"
    return "passport" if _IDENTITY.search("passport_shape", masked) else None


def _is_birth_date(text: str) -> bool:
    lowered = text.lower()
    if not re.search(r"[\d一二三四五六七八九十]", text):
        return False
    years = full_years(text)
    if _IDENTITY.search("born", lowered):
        certain = _IDENTITY.search("born_then", lowered) is not None
        if years and _IDENTITY.search("born_on_date", lowered):
            return certain or min(years) <= _LAST_BIRTHDAY_YEAR
        coming = not certain and _IDENTITY.search("coming", lowered) is not None
        return _IDENTITY.search("born_on_short_date", lowered) is not None and not coming
    old = any(year and year <= _LAST_ADULT_YEAR for year in years)
    return old and not _IDENTITY.search("past_event", lowered) and _is_of_person(lowered)


def _is_of_person(lowered: str) -> bool:
    """Return whether an old date stands in a form about somebody, or next to hardly more than a name."""
    others = re.findall(r"[^\W\d_]{2,}", Patterns("dates").sub("full_date", " ", lowered))
    named = lowered.isascii() and len(others) <= 2 and "on" not in others
    return named or _IDENTITY.search("person", lowered) is not None
