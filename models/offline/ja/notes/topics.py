"""Places a Japanese statement under a topic."""

from __future__ import annotations

import re
from functools import cache

from models.offline.ja.wording import table
from models.offline.tables import Hit, alternatives, find_hits, heaviest_topic

_DECIDING, _STRONG, _WEAK = 6.0, 3.0, 1.0


@cache
def _patterns() -> list[tuple[str, float, re.Pattern[str]]]:
    found: list[tuple[str, float, re.Pattern[str]]] = []
    for topic, lists in table("topics").items():
        for name, weight in (("deciding", _DECIDING), ("strong", _STRONG), ("weak", _WEAK)):
            if words := lists.get(name):
                latin = [rf"(?<![a-z]){word}(?![a-z])" if re.match(r"[a-z]", word) else word for word in words]
                found.append((topic, weight, re.compile(alternatives(latin))))
    return found


def hits(form: str) -> list[Hit]:
    """Travel words of matched text; of two that overlap, the longer one, and of equals the one listed first."""
    return find_hits(form, _patterns())


def topic_of(found: list[Hit]) -> str | None:
    """The topic with most weight behind it, `other` only alone; None without a travel word."""
    return heaviest_topic(found)


def is_telling(found: list[Hit]) -> bool:
    """True when a travel word among `found` can stand for its topic alone."""
    return any(hit.weight >= _STRONG for hit in found)
