"""The words of a text that stand for a concept, and the names of companies in it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache

from models.offline.statements.lexicon import FOLDER
from models.offline.statements.reading import items_of
from text.tokens import fold, is_japanese, same_stem

_WORDS = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_LONGEST, _LONGEST_JA = 4, 12
"""The words, and the Japanese characters, of the longest phrase that is looked at."""


def written_as(name: str, text: str, topic: str) -> str | None:
    """Return the shortest words of `text` that mean the concept `name`; None where no phrase does.

    A concept that the text calls by its own name stays so: "trains" and "a train" are both "train".
    """
    if is_japanese(text):
        found = ((text[at : at + size]) for size in range(1, _LONGEST_JA) for at in range(len(text) - size + 1))
    else:
        spans = [match.span() for match in _WORDS.finditer(text)]
        own = [word for start, end in spans if _is_form(fold(word := text[start:end]), name)]
        if own and name.isalpha():
            return own[0] if fold(own[0]) == name else name
        found = (
            text[spans[at][0] : spans[at + size - 1][1]]
            for size in range(1, _LONGEST + 1)
            for at in range(len(spans) - size + 1)
        )
    return next((words for words in found if _concepts_in(words, topic) == [name]), None)


def _is_form(word: str, name: str) -> bool:
    return same_stem(word, name) or word in (f"{name}s", f"{name}es")


def _concepts_in(words: str, topic: str) -> list[str]:
    return [item.name for item in items_of(words, topic) if item.role != "stop"]


def with_companies_marked(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return `text` with each company replaced by a mark, and the attribute and the written name of each mark.

    A mark reads as one unknown word, so that "Holiday Inn" is neither a holiday nor an inn. Of "Park Hyatt" and
    "Hyatt" the longer one is found.
    """
    marks: dict[str, tuple[str, str]] = {}
    left = unicodedata.normalize("NFKC", text)
    for attribute, pattern in _companies():
        if found := pattern.search(left):
            mark = f"Zq{'bcdfghjklm'[len(marks) % 10] * 2}x{'v' * (len(marks) // 10)}"
            marks[mark.casefold()] = (attribute, found[0])
            left = pattern.sub(mark, left)
    return left, marks


@cache
def _companies() -> list[tuple[str, re.Pattern[str]]]:
    """Return an attribute and a pattern for each name of a company, the longest first."""
    names = sorted(_listed(), key=lambda one: (-len(one[1]), one[1]))
    return [(attribute, _pattern(name)) for attribute, name in names]


def company_names() -> Iterator[tuple[str, str]]:
    """Yield the attribute and each name of a company."""
    yield from ((attribute, name.removeprefix("=")) for attribute, name in _listed())


def _listed() -> Iterator[tuple[str, str]]:
    listed = tomllib.loads((FOLDER / "companies.toml").read_text(encoding="utf-8"))
    for attribute, names in listed.items():
        yield from ((attribute, name) for name in " ".join(names.split()).split(" | "))


def _pattern(name: str) -> re.Pattern[str]:
    """Return whole words where there are any: Japanese puts no space between them."""
    spelling = unicodedata.normalize("NFKC", name.removeprefix("="))
    escaped = re.escape(spelling)
    whole = rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if spelling.isascii() else escaped
    return re.compile(whole, re.NOFLAG if name.startswith("=") else re.IGNORECASE)
