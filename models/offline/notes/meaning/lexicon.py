"""The lexicon: tokens and base forms of English, and the concept and role of each phrase in both languages."""

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
    """One token: its base form, its kind, whether it was written as a proper name, and its spelling."""

    base: str
    kind: str
    name: bool = False
    raw: str = ""


def tokens(text: str) -> list[Token]:
    """Return the tokens of `text` in order, with numbers, times and dates in a normal form."""
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


def _in_words(match: re.Match[str]) -> str:
    """Return a date with its month in words: "9 april 2031" for "2031-04-09"."""
    if match["name"]:
        return next(one for one in MONTHS if one.startswith(match["name"].casefold()[:3]))
    return f"{int(match['day'])} {MONTHS[int(match['month']) - 1]} {match['year']}"


def _clocked(found: list[Token]) -> list[Token]:
    """Return the tokens with phrases such as "nine in the morning" as times."""
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
    name = raw[0].isupper() and not starts and lowered not in ("i", "ok")
    return Token(base(lowered), "word", name, lowered)


def _clock(raw: str) -> str:
    match = re.match(r"(\d{1,2})(?:[:.](\d\d))?\s?([ap])?", raw)
    assert match is not None
    hour = int(match[1])
    if match[3]:
        hour = hour % 12 + (12 if match[3] == "p" else 0)
    return f"#{hour}:{match[2] or '00'}"


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """Return the base form of a lower-case word: "hike" for "hiking" and "hikes"; "car" and "care" stay distinct."""
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
        return base(word[:-1])  # "paintings" has the base form of "painting"
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
    """The meaning of a phrase: its role ("like", "filler", "value"…) and, for content roles, its concept."""

    role: str
    name: str = ""


@cache
def relations() -> dict[str, Any]:
    """Return the relations between concepts in every language: opposites, the kinds of things a value applies to…"""
    return LEXICON.table("relations")


@cache
def words(name: str) -> frozenset[str]:
    """Return a word list from the table of relations by its name."""
    return frozenset(relations()["words"][name].split())


@cache
def opposite(concept: str) -> str | None:
    """Return the concept that is wanted if `concept` is refused, or None."""
    other = relations()["opposites"].get(concept)
    return str(other) if other else None


@cache
def undone(concept: str) -> frozenset[str]:
    """Return the concepts that end when `concept` is wanted again: "no meat" when chicken is eaten again."""
    by_name = {name for name, again in relations()["undone"].items() if concept in again}
    return frozenset({*by_name, *filter(None, [opposite(concept)])})


@cache
def _tables(language: Language) -> dict[str, list[tuple[str, Entry]]]:
    """Return (phrase, entry) pairs by topic; those under "" hold for every topic.

    The name of a section is its role and, after "@", its topics: "value", "value@room", "value@car,transport".
    """
    tables: dict[str, list[tuple[str, Entry]]] = {}
    files = [file for file in os.listdir(LEXICON.folder) if file.startswith(f"{language}_")]  # a server refuses glob()
    for file in sorted(files):
        for section, table in LEXICON.table(file.removesuffix(".toml")).items():
            role, _, topics = section.partition("@")
            for name, listed in (table if isinstance(table, dict) else {"": table}).items():
                entry = Entry(role, name)
                phrases = [(phrase, entry) for phrase in re.split(r"\s*\|\s*", listed.strip())]
                for topic in topics.split(","):
                    tables.setdefault(topic, []).extend(phrases)
    return tables


@cache
def phrases(language: Language, topic: str) -> dict[str, Entry]:
    """Return the entries of phrases only for `topic` ("" for any): English keys are base forms, Japanese as written."""
    listed = _tables(language).get(topic, [])
    if language == "ja":
        verbs = [(phrase, Entry(role)) for phrase, role in _verbs()] if not topic else []
        joined = [(f"{each[:-1]}くて", entry) for each, entry in listed if each[-1:] == "い"]  # 「悪くて」
        return {normalise(phrase): entry for phrase, entry in reversed([*listed, *verbs, *joined])}
    entries = {" ".join(_words(phrase)): entry for phrase, entry in reversed(listed)}
    for parts, entry in ((_words(phrase), entry) for phrase, entry in listed):
        if entry.role == "value" and len(parts) == 2 and min(map(len, parts)) > 2 and parts[0].isalpha():
            entries.setdefault("".join(parts), entry)  # "hair dryer" may be written "hairdryer"
    return entries


@cache
def longest(language: Language) -> int:
    """Return the length of the longest phrase, in words of English or characters of Japanese."""
    every = [phrase for topic in _tables(language) for phrase in phrases(language, topic)]
    return max(len(phrase.split()) if language == "en" else len(phrase) for phrase in every)


@cache
def _words(phrase: str) -> tuple[str, ...]:
    return tuple(one.base for one in tokens(phrase) if one.base not in words("articles"))


@cache
def _verbs() -> tuple[tuple[str, str], ...]:
    """Return the inflected forms of all Japanese verbs with their roles."""
    verbs, table = (LEXICON.table(name) for name in ("verbs_ja", "verb_forms_ja"))
    return tuple(
        (verb.removesuffix(ending) + stem + after, table["roles"][meaning][role])
        for role, kinds in verbs.items()
        for kind, listed in kinds.items()
        for verb in listed.split()
        for ending in [next(one for one in table["rows"][kind] if verb.endswith(one))]
        for meaning, endings in table["endings"].items()
        for part, added in endings.items()
        for stem in table["rows"][kind][ending][part].split(" ")
        for after in added
    )


_LEAST, _LEAST_TO_CHANGE = 5, 8
"""The fewest letters of a word that is corrected, and of one in which a wrong letter is."""


def corrected(one: Token) -> Token:
    """Return the token with a typo corrected, if it fits exactly one word of the lexicon.

    A word of the English dictionary is no typo: "closet" is not "close", nor "planet" "plane".
    """
    if one.kind != "word" or one.name or len(one.base) < _LEAST or one.base in _checker("lexicon"):
        return one
    matches = [word for word in _checker("lexicon").candidates(one.base) or () if _is_slip(one.base, word)]
    if len(matches) != 1 or _checker("dictionary").known((one.base, one.raw)):
        return one
    return Token(matches[0], "word", raw=matches[0])


def _is_slip(word: str, target: str) -> bool:
    """Return whether a word may be a typo of another at edit distance 1: their first and last letters must agree."""
    if len(target) < _LEAST or word[0] != target[0]:
        return False
    short, long = sorted((word, target), key=len)
    at = next((at for at, letter in enumerate(long) if letter != f"{short} "[at]), 0)
    clear = len(short) > _LEAST or long[at] in f"aeiou{long[at - 1]}"  # "guten" lacks no "l", nor has "theyre" a "y"
    changes = len(word) == len(target) < _LEAST_TO_CHANGE
    return sorted(word) == sorted(target) or (word[-1] == target[-1] and clear and not changes)


@cache
def _checker(words: Literal["lexicon", "dictionary"]) -> SpellChecker:
    """Return the spell checker of the lexicon, or of the English dictionary."""
    from spellchecker import SpellChecker  # loading the dictionary takes a third of a second

    checker = SpellChecker(language="en" if words == "dictionary" else None, distance=1)
    if words == "lexicon":
        known = (word for table in _tables("en").values() for phrase, _ in table for word in _words(phrase))
        checker.word_frequency.load_words(sorted(set(known)))
    return checker
