"""The lexicon: which words stand for which concept, and what a word does in a sentence."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from stores.policy.text import normalise
from stores.statements.words import base, tokens

Language = Literal["en", "ja"]
_FOLDER = Path(__file__).parent / "lexicon"
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
    return tomllib.loads((_FOLDER / "relations.toml").read_text(encoding="utf-8"))


@cache
def opposite(concept: str) -> str | None:
    """The concept that refusing `concept` amounts to wanting, if there is one."""
    found = relations()["opposites"].get(concept)
    return str(found) if found else None


@cache
def contraries(concept: str) -> tuple[str, ...]:
    """The concepts of which wanting one takes back the wish for `concept`: meat, for a vegetarian."""
    return tuple(one for one, other in relations()["opposites"].items() if other == concept)


@cache
def _phrases(language: Language) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for path in sorted(_FOLDER.glob(f"{language}_*.toml")):
        for role, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            named = table if isinstance(table, dict) else {"": table}
            for name, listed in named.items():
                for phrase in re.split(r"\s*\|\s*", listed.strip()):
                    found.setdefault(phrase, Entry(role, name))
    return found


@cache
def english() -> Branch:
    """The tree of English phrases, by the base forms of their words without articles."""
    root = Branch()
    for phrase, entry in _phrases("en").items():
        branch = root
        for word in (one.base for one in tokens(phrase) if one.base not in _ARTICLES):
            branch = branch.next.setdefault(word, Branch())
        if branch.entry is None:
            branch.entry = entry
    return root


def is_article(word: str) -> bool:
    """True for words that never change what a phrase means."""
    return word in _ARTICLES


@cache
def english_words() -> dict[str, tuple[str, ...]]:
    """The base forms of all words that the lexicon knows, by their first letter."""
    found: dict[str, set[str]] = {}
    for phrase in _phrases("en"):
        for one in tokens(phrase):
            if one.kind == "word":
                found.setdefault(one.base[0], set()).update({one.base, base(one.raw)})
    return {letter: tuple(sorted(words)) for letter, words in found.items()}


@cache
def japanese() -> tuple[dict[str, Entry], int]:
    """The Japanese phrases, and the length of the longest."""
    phrases = {normalise(phrase): entry for phrase, entry in _phrases("ja").items()}
    return phrases, max(map(len, phrases))
