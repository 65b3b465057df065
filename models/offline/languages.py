"""The languages that the offline concierge speaks. A language's tables are read when it is first spoken."""

from __future__ import annotations

import re
from functools import cache

from models.offline.language import Language

_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")


def language_of(text: str) -> Language:
    """The language that `text` is written in: Japanese for text with kana or kanji, else English."""
    return _japanese() if _JAPANESE.search(text) else _english()


def all_languages() -> tuple[Language, ...]:
    """All languages."""
    return _english(), _japanese()


@cache
def _english() -> Language:
    from models.offline.en.language import English

    return English()


@cache
def _japanese() -> Language:
    from models.offline.ja.language import Japanese

    return Japanese()
