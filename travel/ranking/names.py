"""Names of airlines, hotels and car hire as people write them, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

from travel.sample.tables import names, read_table

NameKind = Literal["airline", "hotel", "car"]


def offered_name(kind: NameKind, written: str) -> str | None:
    """Return the name that offers have for what somebody writes, or None; "Park Hyatt" is no "Hyatt"."""
    plain = unicodedata.normalize("NFKC", written)
    return next((name for pattern, name in _spellings(kind) if pattern.search(plain)), None)


@cache
def _spellings(wanted: NameKind) -> list[tuple[re.Pattern[str], str]]:
    """Return the spellings of one kind with their names, the longest first."""
    made: list[tuple[int, str, re.Pattern[str]]] = []
    for kind, name, also in read_table("names"):
        exact = {spelling[1:].casefold() for spelling in names(also) if spelling.startswith("=")}
        for spelling in {name, *(one.removeprefix("=") for one in names(also))} if kind == wanted else ():
            flags = re.NOFLAG if spelling.casefold() in exact else re.IGNORECASE
            made.append((len(spelling), name, re.compile(_pattern(spelling), flags)))
    return [(pattern, name) for _, name, pattern in sorted(made, key=lambda one: (-one[0], one[1]))]


def _pattern(spelling: str) -> str:
    """Return whole words where there are any: Japanese puts no space between them."""
    escaped = re.escape(unicodedata.normalize("NFKC", spelling))
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if spelling.isascii() else escaped
