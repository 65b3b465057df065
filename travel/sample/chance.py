"""Deterministic pseudo-random numbers, hashed from a seed and a purpose.

The same seed gives the same world in every process and on every day.
"""

from collections.abc import Sequence
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Up to eight independent numbers from one hash of `parts`; each call of a method takes the next one."""

    __slots__ = ("_numbers",)

    def __init__(self, *parts: object) -> None:
        digest = blake2b("\x1f".join(map(str, parts)).encode(), digest_size=32).digest()
        self._numbers: list[int] = list(reversed(unpack(">8I", digest)))

    def unit(self) -> float:
        """Return a number from 0 up to but not including 1. Raises IndexError after the eighth."""
        return self._numbers.pop() / 2**32

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1."""
        return int(self.unit() * count)

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]
