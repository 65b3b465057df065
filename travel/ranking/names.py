"""Names of airlines, hotels and car hire as people write them, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal

from travel.sample.tables import names, read_table

NameKind = Literal["airline", "hotel", "car"]
_KINDS: dict[str, NameKind] = {"airline": "airline", "hotel": "hotel", "car": "car"}


@dataclass(frozen=True, slots=True)
class _Spelling:
    pattern: re.Pattern[str]
    name: str
    length: int


def with_names_marked(text: str, kinds: Collection[NameKind]) -> tuple[str, dict[str, tuple[NameKind, str]]]:
    """Return `text` with each name replaced by a mark, and the kind and the offered name of each mark.

    A mark reads as one unknown word, so that "Holiday Inn" is neither a holiday nor an inn. Of "Park Hyatt" and
    "Hyatt" the longer one is found.
    """
    marks: dict[str, tuple[NameKind, str]] = {}
    left = unicodedata.normalize("NFKC", text)
    for kind in kinds:
        for spelling in _spellings()[kind]:
            if spelling.pattern.search(left):
                mark = f"Zq{'bcdfghjklm'[len(marks) % 10] * 2}x{'v' * (len(marks) // 10)}"
                marks[mark.casefold()] = (kind, spelling.name)
                left = spelling.pattern.sub(mark, left)
    return left, marks


def fold(text: str) -> str:
    """Return `text` for comparing: without case, accents and the width of letters."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _spellings() -> dict[NameKind, list[_Spelling]]:
    """Return the spellings of each kind, the longest first."""
    made: dict[NameKind, list[_Spelling]] = {"airline": [], "hotel": [], "car": []}
    for kind, name, also in read_table("names"):
        exact = {spelling.removeprefix("=") for spelling in names(also) if spelling.startswith("=")}
        alone = {spelling.casefold() for spelling in exact}
        for spelling in {name, *(one.removeprefix("=") for one in names(also))}:
            flags = re.NOFLAG if spelling in exact or spelling.casefold() in alone else re.IGNORECASE
            made[_KINDS[kind]].append(_Spelling(re.compile(_pattern(spelling), flags), name, len(spelling)))
    return {kind: sorted(ones, key=lambda one: (-one.length, one.name)) for kind, ones in made.items()}


def _pattern(spelling: str) -> str:
    """Return whole words where there are any: Japanese puts no space between them."""
    escaped = re.escape(unicodedata.normalize("NFKC", spelling))
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if spelling.isascii() else escaped
