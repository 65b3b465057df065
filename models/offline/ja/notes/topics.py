"""Places a Japanese statement under a topic, and picks its keywords."""

from __future__ import annotations

import re
from functools import cache

from models.offline.ja.wording import plain, table
from models.offline.tables import Hit, alternatives, find_hits, heaviest_topic

_DECIDING, _STRONG, _WEAK = 6.0, 3.0, 1.0
_MOST_KEYWORDS = 3
_LONGEST_KEYWORD = 40
_RUN = re.compile(r"[一-鿿々]+|[ァ-ヴー]{2,}|[a-z0-9][a-z0-9-]+")


@cache
def _stop() -> frozenset[str]:
    return frozenset(table("grammar")["stop"])


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


def keywords_of(text: str, topic: str) -> tuple[str, ...]:
    """One to three terms of `text` without blanks: words of its topic first, then its other nouns."""
    form = plain(text)
    found = hits(form)
    first = [_whole(form, hit) for hit in found if hit.topic == topic]
    second = [_whole(form, hit) for hit in found if hit.topic != topic and hit.weight >= _STRONG]
    rest = [run for run in _RUN.findall(form) if run not in _stop() and len(run) > 1]
    chosen: list[str] = []
    for word in (*first, *second, *rest):
        if word not in _stop() and not any(word in other or other in word for other in chosen):
            chosen.append(word)
    words = chosen or re.findall(r"[^\W_]+", form)[:1]
    return tuple(word[:_LONGEST_KEYWORD] for word in words[:_MOST_KEYWORDS])


def _whole(form: str, hit: Hit) -> str:
    """The word of the hit; a hit on the stem of a verb gives its kanji or kana run."""
    word = re.sub(r"[^\w]", "", form[hit.start : hit.end])
    core = re.match(r"[一-鿿々ァ-ヴーa-z0-9]+", word)
    return core[0] if core and len(core[0]) > 1 else word
