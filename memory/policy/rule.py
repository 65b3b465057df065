"""A detection rule that costs nothing until its trigger words appear."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` compiled at its first use: compiling all of them at import would take longer than most runs.

    Words and their edges are ASCII, so that a number right after a Japanese word still starts at an edge.
    """
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


@cache
def _parts(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


def has_any(words: str, text: str) -> bool:
    """True when one of `words`, parted by `|`, is a substring of `text`."""
    return any(word in text for word in _parts(words))


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern looked for only where one of its `triggers` occurs.

    Attributes:
        triggers: Lower-case substrings parted by `|`, one of which is in every text the pattern can match.
        pattern: A regular expression, matched without regard to case.
        unless: What makes the whole text harmless after all.
    """

    triggers: str
    pattern: str
    unless: str = ""

    def hits(self, text: str) -> bool:
        """True when `text` (already lower-case) is what the rule looks for."""
        if not has_any(self.triggers, text):
            return False
        if not compiled(self.pattern).search(text):
            return False
        return not (self.unless and compiled(self.unless).search(text))
