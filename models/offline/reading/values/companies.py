"""Finds the names of airlines, hotel brands and car hire in a text, by `words/companies.txt`."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from text.words import fold

_FILE = Path(__file__).parent / "words" / "companies.txt"


@dataclass(frozen=True, slots=True)
class Company:
    """A company as offers name it; `kind` is `airline`, `hotel` or `car`."""

    kind: str
    name: str


def company_in(text: str, kind: str) -> Company | None:
    """Return the first company of a kind that a text names, or None."""
    for company, pattern in companies():
        if company.kind == kind and pattern.search(text):
            return company
    return None


@cache
def companies() -> list[tuple[Company, re.Pattern[str]]]:
    """Return the companies, those with the longest names first, each with a pattern for all that it is called."""
    found = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, name, others = line.split("|")
        said = [name, *others.split(",")]
        exact = [each[1:] for each in said if each.startswith("=")]
        free = [each for each in said if each and not each.startswith("=") and each not in exact]
        parts = [rf"(?i:{'|'.join(map(_spelt, free))})" if free else "", *map(_beside, exact)]
        found.append((Company(kind, name), re.compile(rf"(?<![^\W_])(?:{'|'.join(filter(None, parts))})(?![a-zA-Z])")))
    return sorted(found, key=lambda pair: -len(pair[0].name))


def _spelt(name: str) -> str:
    return re.escape(name) if name == fold(name) else f"{re.escape(name)}|{re.escape(fold(name))}"


def _beside(name: str) -> str:
    """Return a pattern for a name that is also a plain word: written as it is, or before "flight" and the like."""
    return rf"{re.escape(name)}|(?i:{re.escape(name)})(?= (?:airlines?|flights?|one|option|hotel|rental))"
