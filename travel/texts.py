"""What is said of offers, bookings and documents, in each language (`data/texts.txt`)."""

from __future__ import annotations

from functools import cache
from typing import Literal

from travel.sample.tables import read_table

Language = Literal["en", "ja"]


def worded(name: str, language: Language = "en", /, **values: object) -> str:
    """Return the text of this name, filled. Raises KeyError for a name or a value that is missing."""
    return _texts()[name][language].format(**values)


def labelled(name: str, language: Language) -> str:
    """Return what a provider calls something, as a traveller reads it; what is not known here stays as it is."""
    return worded(name, language) if name in _texts() else name


@cache
def _texts() -> dict[str, dict[Language, str]]:
    return {name: {"en": english, "ja": japanese} for name, english, japanese in read_table("texts")}
