"""The languages that the offline concierge speaks. A language's tables are read when it is first spoken."""

from __future__ import annotations

import re
from functools import cache

from models.offline.language import Tongue

_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")


def tongue_of(text: str) -> Tongue:
    """The language that `text` is written in: Japanese for text with kana or kanji, else English."""
    return _japanese() if _JAPANESE.search(text) else _english()


def tongues() -> tuple[Tongue, ...]:
    """All languages."""
    return _english(), _japanese()


@cache
def _english() -> Tongue:
    from models.offline.en.language import English

    return English()


@cache
def _japanese() -> Tongue:
    from models.offline.ja.language import Japanese

    return Japanese()
