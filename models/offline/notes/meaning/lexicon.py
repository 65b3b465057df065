"""The lexicon: English words in a base form, which words stand for which concept, and what a word does."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from models.offline.tables import LEXICON
from text import normalise
from text.numbers import MONTHS, NUMBER_WORDS

_HALVES = {"morning": 0, "afternoon": 12, "evening": 12}
_VOWEL = re.compile(r"[aeiouy]")


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its base form, and whether it was written as a name."""

    base: str
    kind: str
    name: bool = False
    raw: str = ""


def tokens(text: str) -> list[Token]:
    """The tokens of `text` in order; number words are numbers, times and thousands are in one spelling."""
    plain, spelt = normalise(text).replace("\u3000", " "), LEXICON.patterns("spelling_en", "tokens")
    if spelt["plain"].fullmatch(plain):
        return [_word(raw, True) for raw in plain.split()]
    for pattern, written in LEXICON.table("spelling_en")["rewritten"]:  # contractions, measures, framing of reports
        plain = re.sub(pattern, written, plain, flags=re.IGNORECASE)
    plain = spelt["date"].sub(_in_words, plain)
    found: list[Token] = []
    shouted = plain.isupper()
    for match in spelt["token"].finditer(plain):
        kind, raw = str(match.lastgroup), match[0]
        starts = not found or found[-1].base in {".", "!", "?"}
        starts = starts and not (raw.isupper() and len(raw) > 2 and not shouted)  # "JFK connections are …"
        if kind == "time":
            found.append(Token(_clock(raw), "number"))
        elif kind == "number":
            found.append(Token("#" + re.sub(r"(?:st|nd|rd|th)$|,", "", raw), "number"))
        elif kind == "mark":
            found.append(Token(raw[0] if raw[0] != "-" else ",", "mark"))
        else:
            found.append(_word(raw, starts))
    return _clocked(found)


def _in_words(found: re.Match[str]) -> str:
    """A date with its month in words: "2031-04-09" is "9 april 2031"."""
    if found["name"]:
        return next(one for one in MONTHS if one.startswith(found["name"].casefold()[:3]))
    return f"{int(found['day'])} {MONTHS[int(found['month']) - 1]} {found['year']}"


def _clocked(found: list[Token]) -> list[Token]:
    """The tokens with "nine in the morning" as a time."""
    words = [one.base for one in found]
    for at in range(1, len(words) - 2):
        hour, _, minutes = words[at - 1].removeprefix("#").partition(":")
        if found[at - 1].kind == "number" and hour.isdigit() and words[at : at + 2] == ["in", "the"]:
            half = _HALVES.get(words[at + 2])
            if half is not None:
                time = f"#{int(hour) + (half if int(hour) < half else 0)}:{minutes or '00'}"
                return [*found[: at - 1], Token(time, "number"), *_clocked(found[at + 3 :])]
    return found


def _word(raw: str, starts: bool) -> Token:
    lowered = raw.casefold()
    if lowered in NUMBER_WORDS and lowered != "one":
        return Token(f"#{NUMBER_WORDS[lowered]}", "number")
    name = raw[0].isupper() and not starts and lowered != "i"
    return Token(base(lowered), "word", name, lowered)


def _clock(raw: str) -> str:
    found = re.match(r"(\d{1,2})(?:[:.](\d\d))?\s?([ap])?", raw)
    assert found is not None
    hour = int(found[1])
    if found[3]:
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    return f"#{hour}:{found[2] or '00'}"


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """The base form of a lower-case word: "hiking" and "hikes" are "hike", while "car" and "care" stay apart."""
    spelling = LEXICON.table("spelling_en")
    if word in spelling["irregular"]:
        return str(spelling["irregular"][word])
    for british, american in spelling["british"].items():
        if word.endswith(british) and len(word) > len(british) + 2:
            return base(word.removesuffix(british) + str(american))
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word[:-1] in spelling["in_ie"].split() else word[:-3] + "y"
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ings") and len(word) > 6:
        return base(word[:-1])  # "paintings" are what "painting" is
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _VOWEL.search(word[: -len(ending)]):
            return _verb(word[: -len(ending)])
    return word


def _verb(trunk: str) -> str:
    if trunk[-1] == trunk[-2] and trunk[-1] not in "lszeo":
        return trunk[:-1]
    syllables = len(re.findall(r"[aeiouy]+", trunk))
    mute = trunk.endswith(tuple(LEXICON.table("spelling_en")["mute"]))
    if trunk[-1] in "vcu" or (trunk[-1] in "gz" and trunk[-2] in "aeiou") or mute:
        return trunk + "e"
    closed = re.search(r"[^aeiou][aeiou][^aeiouwxy]$", " " + trunk)
    return trunk + "e" if closed and syllables == 1 else trunk


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
def undone(concept: str) -> frozenset[str]:
    """The concepts that hold no longer where `concept` is wanted again: no meat, where chicken is eaten again."""
    by_name = {name for name, again in relations()["undone"].items() if concept in again}
    return frozenset({*by_name, *filter(None, [opposite(concept)])})


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


_LEAST, _LEAST_TO_CHANGE = 5, 8
"""Letters of a word that may be mended, and of one in which a letter may be another."""


def mended(one: Token) -> Token:
    """Return the token as it was meant, where it is a slip of one word that the lexicon knows.

    A word of the English dictionary is no slip: "closet" is not "close", nor "planet" "plane".
    """
    if one.kind != "word" or one.name or len(one.base) < _LEAST or one.base in _checker("lexicon"):
        return one
    found = [word for word in _checker("lexicon").candidates(one.base) or () if _is_slip(one.base, word)]
    if len(found) != 1 or _checker("dictionary").known((one.base, one.raw)):
        return one
    return Token(found[0], "word", raw=found[0])


def _is_slip(word: str, of: str) -> bool:
    """Return whether a word at one step from another may be a slip of it: the first letter is right, and the last."""
    if len(of) < _LEAST or word[0] != of[0]:
        return False
    short, long = sorted((word, of), key=len)
    at = next((at for at, letter in enumerate(long) if letter != f"{short} "[at]), 0)
    clear = len(short) > _LEAST or long[at] in f"aeiou{long[at - 1]}"  # "guten" lacks no "l", nor has "theyre" a "y"
    changes = len(word) == len(of) < _LEAST_TO_CHANGE
    return sorted(word) == sorted(of) or (word[-1] == of[-1] and clear and not changes)


@cache
def _checker(words: Literal["lexicon", "dictionary"]) -> SpellChecker:
    """Return what knows the words of the lexicon, or of the English dictionary."""
    from spellchecker import SpellChecker  # the words of a dictionary take a third of a second to read

    checker = SpellChecker(language="en" if words == "dictionary" else None, distance=1)
    if words == "lexicon":
        known = (word for table in _tables("en").values() for phrase, _ in table for word in _words(phrase))
        checker.word_frequency.load_words(sorted(set(known)))
    return checker
