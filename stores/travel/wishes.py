"""What a traveller's notes and profile ask of flights, hotels, cars, activities and cover, as typed wishes (S9.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from stores.notes import Note, Record
from stores.profile import Profile

WishKind = Literal["flight", "hotel", "car", "activity", "insurance"]


class Wish(Record):
    """One wish. `text` is how it is shown, `weight` what it counts in points of `stores.travel.ranking`.

    `hard` ones (what somebody can't do without) put every offer that misses them last. `conditions` name when it
    holds, as in "overnight"; a wish without any holds always.
    """

    kind: WishKind
    code: str
    text: str
    wanted: bool = True
    """False for what is to be avoided."""
    weight: float = 8.0
    hard: bool = False
    conditions: tuple[str, ...] = ()
    note_id: str | None = None
    """The note that it comes from; None for the profile."""


def wishes_of(notes: Sequence[Note], profile: Profile) -> list[Wish]:
    """The wishes that `notes` (the newest first) and `profile` hold; of two that exclude each other, the newer one."""
    seat = profile.seat_preference
    return [Wish(kind="flight", code=f"side:{seat}", text=f"{seat} seat")] if seat else []
