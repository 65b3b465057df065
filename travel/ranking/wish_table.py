"""What claims ask of offers, and under which conditions wishes hold, from a table that ships."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, cast, get_args

from travel.ranking.names import fold
from travel.sample.tables import names, read_table

Language = Literal["en", "ja"]
WishKind = Literal["flight", "hotel", "car", "activity"]
WISH_KINDS: tuple[WishKind, ...] = get_args(WishKind)
_ANY = "*"
_CONDITION = "when"
_SIDES = (">=", "<=", "")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a claim asks of one kind of offer: the code that is looked at, its points, and how it is shown.

    `value` is what a "*" in the code and in the texts stands for.
    """

    kind: WishKind
    code: str
    weight: float
    text: str
    text_ja: str
    value: str = ""

    def shown(self, language: Language) -> str:
        """Return the wish as a traveller reads it."""
        return self.text_ja if language == "ja" else self.text


def asked_of(attribute: str, value: str) -> Iterator[Asked]:
    """Yield what a claim asks; a row for the value itself counts before one for any value."""
    bare = value.lstrip("<>= ")
    exact = _rows().get((attribute, fold(value))) or _rows().get((attribute, fold(bare)))
    if exact:
        yield from exact
        return
    for side in _SIDES:
        if value.startswith(side) and (rows := _rows().get((attribute, side + _ANY))):
            yield from (replace(row, value=bare) for row in rows)
            return


@cache
def _rows() -> dict[tuple[str, str], tuple[Asked, ...]]:
    found: dict[tuple[str, str], tuple[Asked, ...]] = {}
    for key, kind, code, weight, text, text_ja in read_table("wishes"):
        attribute, _, values = key.partition("=")
        for value in names(values) if kind != _CONDITION else ():
            row = Asked(cast(WishKind, kind), code, float(weight), text, text_ja)
            found[attribute, fold(value)] = (*found.get((attribute, fold(value)), ()), row)
    return found


@cache
def _conditions() -> dict[str, tuple[str, str, str]]:
    """Return the code of each condition, and how it is shown."""
    return {row[0]: (row[2], row[4], row[5]) for row in read_table("wishes") if row[1] == _CONDITION}


def condition_code(key: str, value: str) -> str:
    """Return the code of a condition of a note; what the table lacks is its own value."""
    known = _conditions().get(f"{key}={fold(value)}")
    return known[0] if known else f"with:{value}" if key == "with" else value


def shown_condition(code: str, language: Language) -> str:
    """Return the condition as a traveller reads it; what the table lacks stays as it is."""
    alone = code.replace("with:", "for ") if language == "en" else code.removeprefix("with:")
    known = (row for row in _conditions().values() if row[0] == code)
    _, english, japanese = next(known, (code, alone, alone))
    return japanese if language == "ja" else english
