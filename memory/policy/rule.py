"""Rules that compile and search a regular expression only where one of their trigger words appears."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return `pattern` compiled, at its first use: compiling all of them at import would take longer than most runs.

    Words and their edges are ASCII, so that a number right after a Japanese word still starts at an edge.
    """
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


@cache
def _parts(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


def has_any(words: str, text: str) -> bool:
    """Return whether one of `words`, separated by `|`, is a substring of `text`."""
    return any(word in text for word in _parts(words))


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that is searched for only where one of its `triggers` occurs.

    Attributes:
        triggers: Lower-case substrings separated by `|`, one of which is in every text the pattern can match.
        pattern: A regular expression, matched without regard to case.
        unless: What makes the whole text harmless after all.
    """

    triggers: str
    pattern: str
    unless: str = ""

    def hits(self, text: str) -> bool:
        """Return whether the rule matches `text`, which is lower-case already."""
        if not has_any(self.triggers, text):
            return False
        if not compiled(self.pattern).search(text):
            return False
        return not (self.unless and compiled(self.unless).search(text))
