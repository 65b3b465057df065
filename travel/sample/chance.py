"""Chance without randomness: numbers that follow from a seed and from what they are for.

Nothing is drawn at run time, so the same seed gives the same world in every process and on every day.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_SHARES = 8


class Chance:
    """Up to eight independent numbers from one hash of `parts`, asked for one after the other."""

    __slots__ = ("_digest", "_next")

    def __init__(self, *parts: object) -> None:
        self._digest = blake2b("\x1f".join(map(str, parts)).encode(), digest_size=4 * _SHARES).digest()
        self._next = 0

    def unit(self) -> float:
        """Return the next number, from 0 up to but not including 1."""
        at = 4 * self._next
        if at >= len(self._digest):
            raise IndexError(f"one hash holds {_SHARES} numbers")
        self._next += 1
        return int.from_bytes(self._digest[at : at + 4], "big") / 2**32

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1."""
        return int(self.unit() * count)

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]
