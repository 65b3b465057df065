"""Grammar that changes what a statement claims, whatever it is about: denials, absolutes and hedges."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from stopwordsiso import stopwords

from text.words import fold, words

Mark = Literal["denials", "absolutes", "sure", "hedges", "frames"]

_TABLE = Path(__file__).with_name("grammar.toml")
_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "pl", "cs", "tr", "ko", "id")


def marks(text: str, kind: Mark) -> frozenset[str]:
    """Return the words of one kind in `text`, each by the entry of the table that it meets."""
    spaced, anywhere = _entries(kind)
    folded = fold(text).replace("can't", "cannot").replace("can not", "cannot")
    spoken = re.findall(r"[^\W\d_]+", folded.replace("'", ""))
    found = {entry for word in spoken for entry in spaced if _meets(word, entry)}
    return frozenset(found | {entry for entry in anywhere if entry in text})


def unframed(text: str) -> str:
    """Return `text` without the words in which a note puts its stance, in scripts without spaces."""
    for entry in _entries("frames")[1]:
        text = text.replace(entry, " ")
    return text


def is_frame(word: str) -> bool:
    """Return True for a folded word in which a note puts its stance ("prefers")."""
    return any(_meets(word, entry) for entry in _entries("frames")[0])


def function_words(text: str) -> frozenset[str]:
    """Return the words that say nothing by themselves in the language that most of `text` is written in, folded.

    Where several languages have as many of its words, as in a short text, the words of all of them count.
    """
    spoken = {fold(word) for word in words(text)}
    hits = {language: len(spoken & listed) for language, listed in _function_words().items()}
    most = max(hits.values(), default=0)
    chosen = [listed for language, listed in _function_words().items() if hits[language] == most] if most else []
    return frozenset().union(*chosen)


def _meets(word: str, entry: str) -> bool:
    return word.startswith(entry[:-1]) if entry.endswith("*") else word == entry


@cache
def _entries(kind: Mark) -> tuple[tuple[str, ...], tuple[str, ...]]:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return tuple(dict.fromkeys(fold(entry) for entry in table[kind])), tuple(table[f"{kind}_anywhere"])


@cache
def _function_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, stopwords(language))) for language in _LANGUAGES}
