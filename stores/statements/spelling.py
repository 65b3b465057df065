"""Slips of spelling: one edit in a long word, and only where the result is no other word that is known."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST = 5
_LEAST_TO_SWAP = 7
"""Letters a word must have for one of them to be another: in short words that makes different words."""


def is_slip(word: str, of: str) -> bool:
    """True when `word` is `of` with one letter left out, doubled, added or swapped with its neighbour.

    In words of seven letters or more, one letter may also be wrong. The first letter is right.
    """
    if word == of or word[:1] != of[:1] or min(len(word), len(of)) < _LEAST or abs(len(word) - len(of)) > 1:
        return False
    at = next((place for place, (one, other) in enumerate(zip(word, of, strict=False)) if one != other), None)
    if at is None:
        return word[-1:] != "s" and of[-1:] != "s"
    if len(word) > len(of):
        return word[at + 1 :] == of[at:]
    if len(word) < len(of):
        return word[at:] == of[at + 1 :]
    if word[at + 2 :] == of[at + 2 :] and word[at : at + 2] == of[at : at + 2][::-1]:
        return True
    return len(word) >= _LEAST_TO_SWAP and word[at + 1 :] == of[at + 1 :]


def meant(word: str, known: Iterable[str]) -> str | None:
    """The one known word that `word` is a slip of; None when there is none, or more than one."""
    found = {one for one in known if is_slip(word, one)}
    return found.pop() if len(found) == 1 else None
