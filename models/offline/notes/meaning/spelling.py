"""Mends slips of spelling: one edit in a long word, and only where the result is no other word that is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from models.offline.notes.meaning.lexicon import words_known
from models.offline.notes.meaning.tokens import Token

if TYPE_CHECKING:
    from spellchecker import SpellChecker

_LEAST, _LEAST_TO_GROW, _LEAST_TO_SWAP = 5, 6, 8
"""Letters of a word that may be mended; where one may be left out or too many; and where one may be another."""


def mended(one: Token) -> Token:
    """Return the token as it was meant, where it is a slip of one word that the lexicon knows.

    A word of the English dictionary is no slip: "closet" is not "close", nor "planet" "plane".
    """
    known = words_known().get(one.base[:1], frozenset())
    if one.kind != "word" or one.name or one.base in known or len(one.base) < _LEAST:
        return one
    found = [word for word in known if _is_slip(one.base, word)]
    if len(found) != 1 or _dictionary().known((one.base, one.raw)):
        return one
    return Token(found[0], "word", raw=found[0])


def _is_slip(word: str, of: str) -> bool:
    """Return whether a word is another with one letter left out, added or swapped with its neighbour, or wrong.

    The first letter is right, and so is the last one where nothing else is wrong.
    """
    short, long = sorted((word, of), key=len)
    at = next((place for place, (one, other) in enumerate(zip(word, of, strict=False)) if one != other), 0)
    if len(short) < _LEAST or not at:
        return False
    if len(short) < len(long):
        return len(long) >= _LEAST_TO_GROW and short[at:] == long[at + 1 :]
    if word[at + 2 :] == of[at + 2 :] and word[at : at + 2] == of[at : at + 2][::-1]:
        return True
    return len(word) >= _LEAST_TO_SWAP and word[at + 1 :] == of[at + 1 :]


@cache
def _dictionary() -> SpellChecker:
    from spellchecker import SpellChecker  # its words take a third of a second to read

    return SpellChecker()
