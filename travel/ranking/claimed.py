"""What one note asks of offers: a table says it of each claim, and the rest is passed on in the note's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from config.errors import InvalidInputError
from memory.records.notes import USER, Claim, Note
from memory.records.profile import Profile
from memory.schema import Schema
from travel.money import Money
from travel.ranking.names import NameKind, offered_name
from travel.ranking.wish import NEEDED, Wish, shown
from travel.ranking.wish_table import WISH_KINDS, Asked, Language, WishKind, asked_of, condition_code

_WANTED = frozenset({"is", "prefers", "requires"})
_REFUSED = frozenset({"avoids", "excludes"})
_COMPANIES: Mapping[str, NameKind] = {"airline": "airline", "hotel_brand": "hotel", "car_company": "car"}
_BUDGETS = frozenset({"night_budget", "car_budget", "flight_budget"})
_HOURS = frozenset({"departure_hour", "arrival_hour"})
_ALLERGY = "allergy"
_PASSED_ON = frozenset({"meal", "accessibility"})
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?$")


def wishes_in(note: Note, profile: Profile, schema: Schema, language: Language) -> Iterator[Wish]:
    """Yield the wishes of one note, each once.

    A hard note, or one on an allergy, that asks nothing which offers tell is asked for in its own words.
    """
    found = {
        (wish.kind, wish.code, wish.wanted, wish.conditions): wish
        for claim in note.claims
        if claim.stance in _WANTED | _REFUSED
        for wish in _of_claim(claim, note, profile, schema, language)
    }
    yield from found.values()
    needed = note.hard or any(claim.attribute == _ALLERGY for claim in note.claims)
    if needed and note.topic in _PASSED_ON and not any(wish.hard for wish in found.values()):
        about = note.claims[0].about if note.claims else USER
        for kind in WISH_KINDS:
            if kind != "car":
                yield _wish(note, kind, f"request:{note.text}", note.text, about=about, hard=True, language=language)


def _of_claim(claim: Claim, note: Note, profile: Profile, schema: Schema, language: Language) -> Iterator[Wish]:
    wanted = claim.stance in _WANTED
    attribute = schema.attributes.get(claim.attribute)
    needed = wanted and (note.hard or (attribute is not None and attribute.hard and claim.stance == "requires"))
    never = claim.stance == "excludes" and claim.attribute in _COMPANIES
    for asked in asked_of(claim.attribute, claim.value):
        filled = _filled(asked, claim.attribute, profile, language)
        if filled is not None:
            code, text = filled
            yield _wish(
                note, asked.kind, code, text,
                about=claim.about, hard=needed or never, language=language, wanted=wanted, weight=asked.weight,
            )  # fmt: skip


def _wish(
    note: Note,
    kind: WishKind,
    code: str,
    text: str,
    *,
    about: str,
    hard: bool,
    language: Language,
    wanted: bool = True,
    weight: float = 8.0,
) -> Wish:
    conditions = _conditions(note.when, about)
    return Wish(
        kind=kind,
        code=code,
        text=shown(text, wanted, conditions, language),
        wanted=wanted,
        weight=NEEDED if hard else round(weight * note.confidence, 2),
        hard=hard,
        conditions=conditions,
        note_id=note.id,
    )


def _conditions(when: Mapping[str, str], about: str) -> tuple[str, ...]:
    """Return what the wishes hold under; whoever they are about is along then."""
    named = [condition_code(key, one) for key, value in when.items() for one in value.split(", ")]
    named += [condition_code("with", one) for one in about.split(" and ") if about != USER]
    return tuple(sorted(set(named)))


def _filled(asked: Asked, attribute: str, profile: Profile, language: Language) -> tuple[str, str] | None:
    """Return the code and the text with the value in its place; None for a value that offers do not know."""
    text, value = asked.shown(language), asked.value
    if attribute in _COMPANIES:
        name = offered_name(_COMPANIES[attribute], value)
        return (asked.code.replace("*", name), text.replace("*", name)) if name else None
    if attribute in _BUDGETS:
        most = _money(value, profile.currency)
        coded = f"{most.currency}/{most.amount}" if most else ""
        return (asked.code.replace("*", coded), text.replace("*", str(most))) if most else None
    if attribute in _HOURS:
        clock = _CLOCK.match(value)
        if clock is None or int(clock[1]) > 24:
            return None
        hour, minute = int(clock[1]) % 24, int(clock[2] or 0)
        return asked.code.replace("*", str(60 * hour + minute)), text.replace("*", f"{hour:02d}:{minute:02d}")
    if attribute == "area":
        return asked.code.replace("*", value.casefold()), text.replace("*", value)
    if "*" in asked.code and not value.isdigit():
        return None
    return asked.code.replace("*", value), text.replace("*", value)


def _money(value: str, currency: str | None) -> Money | None:
    """Return an amount as in "150 EUR", in `currency` where it names none; None where there is none to be had."""
    amount, _, coin = value.partition(" ")
    try:
        return Money.of(Decimal(amount), coin or currency or "")
    except (InvalidOperation, InvalidInputError, ValueError):
        return None
