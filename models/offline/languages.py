"""The languages of the offline concierge, chosen by the text."""

from __future__ import annotations

from models.offline.en.language import ENGLISH
from models.offline.ja.language import JAPANESE
from models.offline.language import Language
from text.tokens import is_japanese


def language_of(text: str) -> Language:
    """Return the language that `text` is written in: Japanese for text with kana or kanji, else English."""
    return JAPANESE if is_japanese(text) else ENGLISH


def all_languages() -> tuple[Language, ...]:
    """Return all languages."""
    return ENGLISH, JAPANESE
