"""The lexicon: which words stand for which concept, and what a word does in a sentence."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from models.offline.notes.meaning.tokens import Token, tokens
from models.offline.tables import LEXICON
from text import normalise

if TYPE_CHECKING:
    from spellchecker import SpellChecker

Language = Literal["en", "ja"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a phrase does: its role ("like", "filler", "value"…) and, for roles with contents, the concept's name."""

    role: str
    name: str = ""


@cache
def relations() -> dict[str, Any]:
    """What holds between concepts in every language: opposites, the kinds of things a value is said of, and so on."""
    return LEXICON.table("relations")


@cache
def words(name: str) -> frozenset[str]:
    """Return a list of words of the table of relations by its name."""
    return frozenset(relations()["words"][name].split())


@cache
def opposite(concept: str) -> str | None:
    """The concept that refusing `concept` amounts to wanting, if there is one."""
    found = relations()["opposites"].get(concept)
    return str(found) if found else None


@cache
def _tables(language: Language) -> dict[str, list[tuple[str, Entry]]]:
    """The phrases and their entries by the topic that they are for; under "" those for every topic.

    A section is headed by its role, and by the topics that it is for: "value", "value@room", "value@car,transport".
    """
    found: dict[str, list[tuple[str, Entry]]] = {}
    files = [file for file in os.listdir(LEXICON.folder) if file.startswith(f"{language}_")]  # a server refuses glob()
    for file in sorted(files):
        for section, table in LEXICON.table(file.removesuffix(".toml")).items():
            role, _, topics = section.partition("@")
            for name, listed in (table if isinstance(table, dict) else {"": table}).items():
                entry = Entry(role, name)
                phrases = [(phrase, entry) for phrase in re.split(r"\s*\|\s*", listed.strip())]
                for topic in topics.split(","):
                    found.setdefault(topic, []).extend(phrases)
    return found


@cache
def phrases(language: Language, topic: str) -> dict[str, Entry]:
    """Return the phrases for notes of `topic` alone ("" for every note): English by base forms, Japanese as written."""
    listed = _tables(language).get(topic, [])
    if language == "ja":
        verbs = [(phrase, Entry(role)) for phrase, role in _verbs()] if not topic else []
        return {normalise(phrase): entry for phrase, entry in reversed([*listed, *verbs])}
    found = {" ".join(_words(phrase)): entry for phrase, entry in reversed(listed)}
    for parts, entry in ((_words(phrase), entry) for phrase, entry in listed):
        if entry.role == "value" and len(parts) == 2 and min(map(len, parts)) > 2 and parts[0].isalpha():
            found.setdefault("".join(parts), entry)  # "hair dryer" may be written "hairdryer"
    return found


@cache
def longest(language: Language) -> int:
    """Return the English words, or the Japanese letters, of the longest phrase."""
    known = [phrase for topic in _tables(language) for phrase in phrases(language, topic)]
    return max(len(phrase.split()) if language == "en" else len(phrase) for phrase in known)


@cache
def _words(phrase: str) -> tuple[str, ...]:
    return tuple(one.base for one in tokens(phrase) if one.base not in words("articles"))


@cache
def _words_known() -> dict[str, frozenset[str]]:
    """Return the base forms of all English words of the lexicon, by their first letter."""
    known = {word for table in _tables("en").values() for phrase, _ in table for word in _words(phrase)}
    return {letter: frozenset(word for word in known if word[0] == letter) for letter in "abcdefghijklmnopqrstuvwxyz"}


@cache
def _verbs() -> tuple[tuple[str, str], ...]:
    """The forms of all verbs with their roles."""
    verbs, table = (LEXICON.table(name) for name in ("verbs_ja", "verb_forms_ja"))
    return tuple(
        (verb.removesuffix(ending) + stem + after, table["roles"][said][role])
        for role, kinds in verbs.items()
        for kind, listed in kinds.items()
        for verb in listed.split()
        for ending in [next(one for one in table["rows"][kind] if verb.endswith(one))]
        for said, endings in table["endings"].items()
        for part, added in endings.items()
        for stem in table["rows"][kind][ending][part].split(" ")
        for after in added
    )


_LEAST, _LEAST_TO_GROW, _LEAST_TO_SWAP = 5, 6, 8
"""Letters of a word that may be mended; where one may be left out or too many; and where one may be another."""


def mended(one: Token) -> Token:
    """Return the token as it was meant, where it is a slip of one word that the lexicon knows.

    A word of the English dictionary is no slip: "closet" is not "close", nor "planet" "plane".
    """
    known = _words_known().get(one.base[:1], frozenset())
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
