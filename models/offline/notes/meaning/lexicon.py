"""The lexicon: which words stand for which concept, and what a word does in a sentence."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Branch:
    """One step of the tree of phrases."""

    entry: Entry | None = None
    next: dict[str, Branch] = field(default_factory=dict)


@cache
def relations() -> dict[str, Any]:
    """What holds between concepts in every language: opposites, the kinds of things a value is said of, and so on."""
    return _read("relations")


def _read(name: str) -> dict[str, Any]:
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
def english(topic: str) -> Branch:
    """The tree of English phrases for notes of `topic` alone ("" for every note), by base forms without articles."""
    root = Branch()
    listed = [(_words(phrase), entry) for phrase, entry in _tables("en").get(topic, ())]
    for words, entry in listed:
        branch = root
        for word in words:
            branch = branch.next.setdefault(word, Branch())
        if branch.entry is None:
            branch.entry = entry
    for words, entry in listed:
        if entry.role == "value" and len(words) == 2 and min(map(len, words)) > 2 and words[0].isalpha():
            joined = root.next.setdefault("".join(words), Branch())  # "hair dryer" may be written "hairdryer"
            joined.entry = joined.entry or entry
    return root


@cache
def _words(phrase: str) -> tuple[str, ...]:
    """The base forms of the words of an English phrase, without articles."""
    return tuple(one.base for one in tokens(phrase) if one.base not in _ARTICLES)


def is_article(word: str) -> bool:
    """True for words that never change what a phrase means."""
    return word in _ARTICLES


@cache
def english_words() -> dict[str, tuple[str, ...]]:
    """The base forms of all words that the lexicon knows, by their first letter."""
    found: dict[str, set[str]] = {}
    for phrase in (phrase for table in _tables("en").values() for phrase, _ in table):
        for word in _words(phrase):
            if word[0].isalpha():
                found.setdefault(word[0], set()).add(word)
    return {letter: tuple(sorted(words)) for letter, words in found.items()}


@cache
def japanese(topic: str) -> dict[str, Entry]:
    """The Japanese phrases for notes of `topic` alone; "" for every note."""
    found: dict[str, Entry] = {}
    for phrase, entry in _tables("ja").get(topic, ()):
        found.setdefault(normalise(phrase), entry)
    for phrase, role in () if topic else _verbs():
        found.setdefault(normalise(phrase), Entry(role))
    return found


@cache
def _verbs() -> tuple[tuple[str, str], ...]:
    """The forms of all verbs with their roles."""
    verbs, table = (_read(name) for name in ("verbs_ja", "verb_forms_ja"))
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


@cache
def longest_japanese() -> int:
    """The letters of the longest Japanese phrase."""
    return max(len(phrase) for table in (*_tables("ja").values(), _verbs()) for phrase, _ in table)
