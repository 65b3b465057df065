"""Detects street addresses as countries write them, and places where somebody is to be met or sent something."""

from __future__ import annotations

import re

from memory.policy.sensitive.ordinary_numbers import mask, without_ordinary_numbers
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("street_addresses")


def has_street_address(text: str) -> bool:
    """Return whether `text` holds a street address."""
    if _PATTERNS.search("ja_address", text):
        return True
    if not re.search(r"\d", text):
        return _has_street(text)
    return _has_street(_PATTERNS.sub("near", r"\1", mask(text))) or _is_written(text)


def _has_street(text: str) -> bool:
    lowered = text.lower()
    if any(_PATTERNS.search(name, lowered) for name in ("address", "labelled_address")):
        return True
    return _PATTERNS.search("named_address", text) is not None


def _is_written(text: str) -> bool:
    """Return whether `text` holds an address in the manner of some country, or a place to be met or sent to."""
    rest = without_ordinary_numbers(text)
    if _PATTERNS.search("written", text):
        return True
    if any(_PATTERNS.search(name, rest) for name in ("written_with_code", "met_at", "met_by_number", "number_met")):
        return True
    return not text.isascii() and _PATTERNS.search("ja_met", text) is not None
