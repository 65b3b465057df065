"""The word tables of English."""

from __future__ import annotations

import re
from pathlib import Path

from models.offline.reading.form import Words
from text.numbers import COUNT, COUNT_WORDS


def _number(said: str) -> int:
    return int(said) if said.isdigit() else COUNT_WORDS.get(said, 0)


WORDS = Words("en", Path(__file__).parent, {"count": COUNT}, _number)
table, patterns = WORDS.table, WORDS.patterns


def pattern(name: str, group: str, key: str) -> re.Pattern[str]:
    """Return one pattern of a group."""
    return patterns(name, group)[key]
