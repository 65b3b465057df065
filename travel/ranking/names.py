"""Names of airlines, hotels and car hire as people write them, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
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


def offered_name(kind: NameKind, written: str) -> str | None:
    """Return the name that offers have for what somebody writes, or None; "Park Hyatt" is no "Hyatt"."""
    plain = unicodedata.normalize("NFKC", written)
    return next((one.name for one in _spellings()[kind] if one.pattern.search(plain)), None)


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
