"""What a traveller's notes and profile ask of flights, hotels, cars and activities, as typed wishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory.records.notes import Note
from memory.records.profile import Profile
from memory.schema import Schema, load_schema
from travel.ranking.claimed import wishes_in
from travel.ranking.wish import ONE_OF, Wish
from travel.ranking.wish_table import Language


def wishes_of(
    notes: Sequence[Note], profile: Profile, *, schema: Schema | None = None, language: Language = "en"
) -> list[Wish]:
    """Return the wishes of `notes` (newest first) and `profile`; of two that exclude each other, the newer one.

    What is hard is never left out: a hard note that asks nothing which offers tell becomes a request in its own words.
    """
    known = schema or load_schema()
    found: list[Wish] = []
    for note in notes:
        found += [wish for wish in wishes_in(note, profile, known, language) if not _is_answered(wish, found)]
    found += [wish for wish in _of_profile(profile, language) if not _is_answered(wish, found)]
    return found


def requests_of(wishes: Sequence[Wish], kind: str) -> tuple[str, ...]:
    """Return the requests to pass on with a booking of `kind`, hard ones first, as in "vegetarian meal".

    Only what always holds: what depends on a condition is for the traveller to ask for.
    """
    asked = [one for one in wishes if one.kind == kind and one.family == "request" and one.wanted]
    asked = [one for one in asked if not one.conditions]
    return tuple(dict.fromkeys(one.value for one in sorted(asked, key=lambda one: not one.hard)))


def _is_answered(wish: Wish, newer: Sequence[Wish]) -> bool:
    """Return True when a newer note says the same, or something that excludes it."""
    for one in newer:
        if (one.kind, one.conditions) != (wish.kind, wish.conditions):
            continue
        same_note = one.note_id == wish.note_id
        if one.code == wish.code or (one.family == wish.family and wish.family in ONE_OF and not same_note):
            return True
    return False


def _of_profile(profile: Profile, language: Language) -> Iterator[Wish]:
    japanese = language == "ja"
    if profile.seat_preference:
        names = {"window": "窓側の席", "aisle": "通路側の席", "middle": "中央の席"}
        text = names[profile.seat_preference] if japanese else f"{profile.seat_preference} seat"
        yield Wish(kind="flight", code=f"side:{profile.seat_preference}", text=text, weight=10)
    if profile.tight_connections is False:
        text = "短い乗り継ぎなし" if japanese else "no tight connection"
        yield Wish(kind="flight", code="wait:short", text=text, wanted=False, weight=10)
    for programme in dict.fromkeys([*profile.loyalty_status, *profile.loyalty_ids]):
        tier = profile.loyalty_status.get(programme)
        text = f"{programme} {tier}" if tier else programme
        text = f"{text}の対象" if japanese else f"counts for {text}"
        yield Wish(kind="flight", code=f"loyalty:{programme}", text=text)
        yield Wish(kind="hotel", code=f"loyalty:{programme}", text=text)
