"""Detects phone numbers by their label or their shape."""

from __future__ import annotations

import re

from memory.policy.sensitive.ordinary_numbers import mask, without_memberships
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("phone_numbers")


def has_phone_number(text: str) -> bool:
    """Return whether `text` holds a phone number that is labelled or in a usual shape."""
    rest = without_memberships(Patterns("street_addresses").sub("near", r"\1", mask(text)))
    if len(re.findall(r"\d", rest)) < 6:
        return False
    return _PATTERNS.labels("phone")[0].hits(rest) or _PATTERNS.search("phone_shapes", rest) is not None
