"""Takes out the numbers that travel talk explains: seats, flights, rooms, distances, memberships."""

from __future__ import annotations

from memory.policy.sensitive.dates import MASK, mask
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("ordinary_numbers")


def without_memberships(text: str) -> str:
    """Return `text` without the numbers of loyalty programmes, which travellers may have remembered."""
    return _PATTERNS.sub("member_behind", MASK, _PATTERNS.sub("member_forward", MASK, text))


def without_ordinary_numbers(text: str) -> str:
    """Return `text` without dates, times, amounts, memberships, quantities, flights, aircraft, rooms and seats.

    What is left should be an identifier or a secret.
    """
    text = without_memberships(mask(text))
    return _PATTERNS.sub("travel", MASK, _PATTERNS.sub("flight", MASK, text))
