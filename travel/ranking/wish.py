"""One thing that a traveller wishes of an offer, and the table that says what claims ask (`data/wishes.txt`)."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple, get_args

from memory.records.notes import Record
from text import fold
from travel.tables import Language, names, read_rows, read_table

WishKind = Literal["flight", "hotel", "car", "activity"]
WISH_KINDS: tuple[WishKind, ...] = get_args(WishKind)
NEEDED = 100.0
"""Points of what somebody can't do without."""
ONE_OF = frozenset({"side", "place", "cabin", "stops", "bags", "floor", "bed", "gear", "category", "budget", "price"})
"""Of these a person has one wish at a time; a newer note takes the place of an older one."""


class Wish(Record):
    """One wish. `text` is how it is shown, `weight` what it counts in points of `travel.ranking.rank`.

    `hard` ones (what somebody can't do without) put every offer that misses them last. `conditions` name when it
    holds, as in "overnight"; a wish without any holds always.
    """

    kind: WishKind
    code: str
    """What is looked at, as in "side:aisle" or "budget:night/EUR/12000"."""
    text: str
    wanted: bool = True
    """False for what is to be avoided."""
    weight: float = 8.0
    hard: bool = False
    conditions: tuple[str, ...] = ()
    note_id: str | None = None
    """The note that it comes from; None for the profile."""

    @property
    def family(self) -> str:
        """What it is a wish about, as in "side"."""
        return self.code.partition(":")[0]

    @property
    def value(self) -> str:
        """What is wished for, as in "aisle"."""
        return self.code.partition(":")[2]


class Asked(NamedTuple):
    """A line of the table: what a claim asks of one kind of offer, its points, and how it is shown.

    A "*" in `code` and texts stands for the value of the claim.
    """

    claim: str
    kind: WishKind | Literal["when"]
    code: str
    weight: float
    en: str
    ja: str


def asked_of(attribute: str, value: str) -> list[tuple[WishKind, Asked]]:
    """Return what a claim asks of each kind of offer; a line for the value itself counts before one for any value."""
    any_value = [f"{side}*" for side in (">=", "<=", "") if value.startswith(side)]
    for said in (fold(value), fold(bare(value)), *any_value):
        if found := [(row.kind, row) for row in _rows().get((attribute, said), ()) if row.kind != "when"]:
            return found
    return []


def bare(value: str) -> str:
    """Return the value of a claim without "at least" and "at most"."""
    return value.lstrip("<>= ")


@cache
def _rows() -> dict[tuple[str, str], list[Asked]]:
    found: defaultdict[tuple[str, str], list[Asked]] = defaultdict(list)
    for row in read_rows("wishes", Asked):
        attribute, _, values = row.claim.partition("=")
        for value in names(values):
            found[attribute, fold(value)].append(row)
    return dict(found)


@cache
def _conditions() -> dict[str, Asked]:
    return {row.claim: row for row in read_rows("wishes", Asked) if row.kind == "when"}


def condition_code(key: str, value: str) -> str:
    """Return the code of a condition of a note; what the table lacks is its own value."""
    known = _conditions().get(f"{key}={fold(value)}")
    return known.code if known else f"with:{value}" if key == "with" else value


def shown(text: str, wanted: bool, conditions: Sequence[str], language: Language) -> str:
    """Return a wish as a traveller reads it: "not Ryanair", "no middle seat", "window seat (overnight flight)"."""
    if not wanted:
        text = f"{text}以外" if language == "ja" else f"{'not' if text[0].isupper() else 'no'} {text}"
    named = [_shown_condition(one, language) for one in conditions]
    return f"{text} ({', '.join(named)})" if named else text


def _shown_condition(code: str, language: Language) -> str:
    """Return a condition as a traveller reads it; what the table lacks stays as it is."""
    known = next((row for row in _conditions().values() if row.code == code), None)
    if language == "ja":
        return known.ja if known else code.removeprefix("with:")
    return known.en if known else code.replace("with:", "for ")


NameKind = Literal["airline", "hotel", "car"]


def offered_name(kind: NameKind, written: str) -> str | None:
    """Return the name that offers have for what somebody writes, or None; "Park Hyatt" is no "Hyatt"."""
    plain = unicodedata.normalize("NFKC", written)
    return next((name for pattern, name in _spellings(kind) if pattern.search(plain)), None)


@cache
def _spellings(wanted: NameKind) -> list[tuple[re.Pattern[str], str]]:
    """Return the spellings of one kind with their names, the longest first."""
    made: list[tuple[int, str, re.Pattern[str]]] = []
    for kind, name, also in read_table("names"):
        exact = {spelling[1:].casefold() for spelling in names(also) if spelling.startswith("=")}
        for spelling in {name, *(one.removeprefix("=") for one in names(also))} if kind == wanted else ():
            flags = re.NOFLAG if spelling.casefold() in exact else re.IGNORECASE
            made.append((len(spelling), name, re.compile(_pattern(spelling), flags)))
    return [(pattern, name) for _, name, pattern in sorted(made, key=lambda one: (-one[0], one[1]))]


def _pattern(spelling: str) -> str:
    """Return whole words where there are any: Japanese puts no space between them."""
    escaped = re.escape(unicodedata.normalize("NFKC", spelling))
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if spelling.isascii() else escaped
