"""What the concepts of notes ask of offers, from a table that ships."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from travel.sample.tables import read_table

Language = Literal["en", "ja"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a concept asks of one kind of offer: the code that is looked at, its points, and how it is shown."""

    kind: str
    code: str
    weight: float
    text: str
    text_ja: str

    def shown(self, language: Language) -> str:
        """Return the wish as a traveller reads it."""
        return self.text_ja if language == "ja" else self.text


@cache
def asked_by() -> dict[str, tuple[Asked, ...]]:
    """Return what each concept asks."""
    found: dict[str, tuple[Asked, ...]] = {}
    for concept, kind, code, weight, text, text_ja in read_table("wishes"):
        if kind != "when":
            found[concept] = (*found.get(concept, ()), Asked(kind, code, float(weight), text, text_ja))
    return found


@cache
def _conditions() -> dict[str, tuple[str, str]]:
    return {row[0]: (row[4], row[5]) for row in read_table("wishes") if row[1] == "when"}


def is_condition(concept: str) -> bool:
    """Return True for what wishes hold under."""
    return concept in _conditions()


def shown_condition(concept: str, language: Language) -> str:
    """Return the condition as a traveller reads it; what the table lacks stays as it is."""
    alone = concept.replace("with:", "for ") if language == "en" else concept.removeprefix("with:")
    english, japanese = _conditions().get(concept, (alone, alone))
    return japanese if language == "ja" else english
