"""Places a statement under a topic."""

from __future__ import annotations

import re
from functools import cache

from models.offline.en.wording import table
from models.offline.tables import Hit, alternatives, find_hits, heaviest_topic

_STRONG, _WEAK, _FAINT, _FIRST = 3.0, 1.0, 0.5, 0.4


_IDIOMS = re.compile(
    r"\bdriv\w+ (?:me|us) (?:up the wall|mad|crazy|nuts|insane|bonkers|round the bend|to \w+)|\bout of a "
    r"suitcase|\bto death\b|\bspend (?:all|the whole|my|our|hours|days|\w+ hours) ?(?:day|days|time)?\b|\bup "
    r"in the air\b|\bmake[s]? (?:my|our) day\b|\bcup of tea\b|\bin the same boat\b|"
    r"\bmake ends meet\b|\bin the long run\b|\bcost[s]? an arm and a leg|\ba piece of cake\b|\bsit well\b|"
    r"\bfood for thought\b|\bon the same page\b|\btrain of thought\b|\bdown to earth\b|\bspice of life\b|\ba "
    r"breeze\b|\bdesert me\b|\bgive me a break\b|\bwater under|\bin the first place\b|\bfirst things first\b|"
    r"\bby all means\b|\bshort notice\b"
)


@cache
def _patterns() -> list[tuple[str, float, re.Pattern[str]]]:
    found: list[tuple[str, float, re.Pattern[str]]] = []
    for topic, lists in table("topics").items():
        for weight, words in ((_STRONG, lists["strong"]), (_WEAK, lists.get("weak")), (_FAINT, lists.get("faint"))):
            if words:
                found.append((topic, weight, re.compile(rf"(?<![\w'])(?:{alternatives(words)})(?!\w)")))
    return found


def hits(text: str) -> list[Hit]:
    """Travel words of `plain` text; of two that overlap, the longer one, and of equals the one listed first."""
    text = _IDIOMS.sub(lambda match: "_" * len(match[0]), text)
    return find_hits(text, _patterns())


def telling(found: list[Hit]) -> bool:
    """True when a travel word is among the hits that is more than faint."""
    return any(hit.weight > _FAINT for hit in found)


def topic_of(found: list[Hit]) -> str | None:
    """The topic with most weight behind it, `other` only alone; None without a travel word."""
    return heaviest_topic(found, _FIRST)
