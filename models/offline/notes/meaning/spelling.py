"""Slips of spelling: one edit in a long word, and only where the result is no other word that is known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker

_LEAST = 5
_LEAST_TO_GROW = 6
"""Letters a word must have for one of them to be left out or too many."""
_LEAST_TO_SWAP = 8
"""Letters a word must have for one of them to be another: in short words that makes different words."""


def is_slip(word: str, of: str) -> bool:
    """True when `word` is `of` with one letter left out, doubled, added or swapped with its neighbour.

    In words of eight letters or more, one letter may also be wrong. The first letter is right, and so is the last
    one where nothing else is wrong.
    """
    if word == of or word[:1] != of[:1] or min(len(word), len(of)) < _LEAST or abs(len(word) - len(of)) > 1:
        return False
    at = next((place for place, (one, other) in enumerate(zip(word, of, strict=False)) if one != other), None)
    if at is None:
        return False
    if len(word) != len(of) and max(len(word), len(of)) < _LEAST_TO_GROW:
        return False
    if len(word) > len(of):
        return word[at + 1 :] == of[at:]
    if len(word) < len(of):
        return word[at:] == of[at + 1 :]
    if word[at + 2 :] == of[at + 2 :] and word[at : at + 2] == of[at : at + 2][::-1]:
        return True
    return len(word) >= _LEAST_TO_SWAP and word[at + 1 :] == of[at + 1 :]


def meant(word: str, known: Iterable[str], *, written: str | None = None) -> str | None:
    """The one known word that `word`, the base form of what was `written`, is a slip of; None when there is none.

    A word of the English dictionary is no slip: "closet" is not "close", nor "planet" "plane".
    """
    found = {one for one in known if is_slip(word, one)}
    return found.pop() if len(found) == 1 and not _dictionary().known((word, written or word)) else None


@cache
def _dictionary() -> SpellChecker:
    from spellchecker import SpellChecker  # its words take a third of a second to read

    return SpellChecker()
