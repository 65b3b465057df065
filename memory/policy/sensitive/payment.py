"""Detects payment cards and bank accounts."""

from __future__ import annotations

import re

from memory.policy.sensitive.numbers import mask, without_memberships
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("payment")
_CARD_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")


def payment_kind(text: str) -> str | None:
    """Return `payment_card` or `iban` when `text` holds one, else None."""
    if len(re.findall(r"\d", text)) < 3:
        return None
    if any(_is_card(match.group()) for match in _PATTERNS.finditer("run", text)):
        return "payment_card"
    for label in _PATTERNS.labels("labelled"):
        if label.hits(text) and (label.kind != "payment_card" or label.hits(without_memberships(mask(text)))):
            return label.kind
    return "iban" if any(_is_iban(match.group()) for match in _PATTERNS.finditer("iban", text)) else None


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
