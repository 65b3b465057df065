"""The lexicon: which words stand for which concept, and what a word does in a sentence."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from models.offline.notes.meaning.tokens import tokens
from text import normalise

Language = Literal["en", "ja"]
FOLDER = Path(__file__).parent / "lexicon"
_ARTICLES = frozenset("a an the my his her our their some any your".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Entry:
    """What a phrase does: its role ("like", "filler", "value"…) and, for roles with contents, the concept's name."""

    role: str
    name: str = ""


@cache
def relations() -> dict[str, Any]:
    """What holds between concepts in every language: opposites, the kinds of things a value is said of, and so on."""
    return read_table("relations")


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return the table `lexicon/<name>.toml`. Raises FileNotFoundError when there is none."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def single_valued_topics() -> frozenset[str]:
    """Return the topics of which a person has one value at a time, under one scope and condition."""
    return frozenset(relations()["single_valued"])


@cache
def opposite(concept: str) -> str | None:
    """The concept that refusing `concept` amounts to wanting, if there is one."""
    found = relations()["opposites"].get(concept)
    return str(found) if found else None


@cache
def contraries(concept: str) -> tuple[str, ...]:
    """The concepts of which wanting one takes back the wish for `concept`: meat, for a vegetarian."""
    skipped = relations()["onesided"]
    return tuple(one for one, other in relations()["opposites"].items() if other == concept and one not in skipped)


@cache
def strange(topic: str) -> frozenset[str]:
    """The concepts that no single word means in a note of `topic`: the "front" of a theatre is no seat on a plane."""
    return frozenset(relations()["strange"].get(topic, ()))


@cache
def _tables(language: Language) -> dict[str, list[tuple[str, Entry]]]:
    """The phrases and their entries by the topic that they are for; under "" those for every topic.

    A section is headed by its role, and by the topics that it is for: "value", "value@room", "value@car,transport".
    """
    found: dict[str, list[tuple[str, Entry]]] = {}
    files = [file for file in os.listdir(FOLDER) if file.startswith(f"{language}_")]  # a server refuses glob()
    for file in sorted(files):
        for section, table in tomllib.loads((FOLDER / file).read_text(encoding="utf-8")).items():
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
    for words, entry in ((_words(phrase), entry) for phrase, entry in listed):
        if entry.role == "value" and len(words) == 2 and min(map(len, words)) > 2 and words[0].isalpha():
            found.setdefault("".join(words), entry)  # "hair dryer" may be written "hairdryer"
    return found


@cache
def longest(language: Language) -> int:
    """Return the English words, or the Japanese letters, of the longest phrase."""
    known = [phrase for topic in _tables(language) for phrase in phrases(language, topic)]
    return max(len(phrase.split()) if language == "en" else len(phrase) for phrase in known)


@cache
def _words(phrase: str) -> tuple[str, ...]:
    return tuple(one.base for one in tokens(phrase) if one.base not in _ARTICLES)


def is_article(word: str) -> bool:
    """True for words that never change what a phrase means."""
    return word in _ARTICLES


@cache
def words_known() -> dict[str, frozenset[str]]:
    """Return the base forms of all English words of the lexicon, by their first letter."""
    words = {word for table in _tables("en").values() for phrase, _ in table for word in _words(phrase)}
    return {letter: frozenset(word for word in words if word[0] == letter) for letter in "abcdefghijklmnopqrstuvwxyz"}


@cache
def _verbs() -> tuple[tuple[str, str], ...]:
    """The forms of all verbs with their roles."""
    verbs, table = (read_table(name) for name in ("verbs_ja", "verb_forms_ja"))
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
