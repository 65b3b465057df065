"""One thing that a traveller wishes of flights, hotels, cars or activities."""

from __future__ import annotations

from collections.abc import Sequence

from memory.records.notes import Record
from travel.ranking.wish_table import Language, WishKind, shown_condition

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


def shown(text: str, wanted: bool, conditions: Sequence[str], language: Language) -> str:
    """Return a wish as a traveller reads it: "not Ryanair", "no middle seat", "window seat (overnight flight)"."""
    if not wanted:
        text = f"{text}以外" if language == "ja" else f"{'not' if text[0].isupper() else 'no'} {text}"
    named = [shown_condition(one, language) for one in conditions]
    return f"{text} ({', '.join(named)})" if named else text
