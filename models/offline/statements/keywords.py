"""The words of a text that state something: what two texts have in common, they share here."""

from __future__ import annotations

from text import stem
from text.words import content_words, japanese_terms


def key_words(text: str) -> frozenset[str]:
    """The stems of the words of `text` that state something; what two texts have in common, they share here."""
    return frozenset({*map(stem, content_words(text)), *japanese_terms(text)})
