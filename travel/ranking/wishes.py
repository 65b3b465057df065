"""What a traveller's notes and profile ask of flights, hotels, cars and activities, as typed wishes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import chain

from config.errors import InvalidInputError
from memory.records.notes import USER, Claim, Note
from memory.records.profile import Profile
from memory.schema import Schema
from travel.money import Money
from travel.ranking.wish import (
    NEEDED,
    ONE_OF,
    WISH_KINDS,
    NameKind,
    Wish,
    WishKind,
    asked_of,
    bare,
    condition_code,
    offered_name,
    shown,
)
from travel.tables import Language

_WANTED = frozenset({"is", "prefers", "requires"})
_REFUSED = frozenset({"avoids", "excludes"})
_COMPANIES: Mapping[str, NameKind] = {"airline": "airline", "hotel_brand": "hotel", "car_company": "car"}
_BUDGETS = frozenset({"night_budget", "car_budget", "flight_budget"})
_HOURS = frozenset({"departure_hour", "arrival_hour"})
_ALLERGY = "allergy"
_PASSED_ON = frozenset({"meal", "accessibility"})
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?$")


def wishes_of(notes: Sequence[Note], profile: Profile, schema: Schema, *, language: Language = "en") -> list[Wish]:
    """Return the wishes of `notes` (newest first) and `profile`; of two that exclude each other, the newer one.

    What is hard is never left out: a hard note that asks nothing which offers tell becomes a request in its own words.
    """
    sources = [_of_note(note, profile, schema, language) for note in notes]
    found: list[Wish] = []
    for source in (*sources, list(_of_profile(profile, language))):
        found += [wish for wish in source if not _is_answered(wish, found)]
    return found


def requests_of(wishes: Sequence[Wish], kind: str) -> tuple[str, ...]:
    """Return the requests to pass on with a booking of `kind`, hard ones first, as in "vegetarian meal".

    Only what always holds: what depends on a condition is for the traveller to ask for.
    """
    asked = [one for one in wishes if one.kind == kind and one.family == "request" and one.wanted]
    asked = [one for one in asked if not one.conditions]
    return tuple(dict.fromkeys(one.value for one in sorted(asked, key=lambda one: not one.hard)))


def _is_answered(wish: Wish, newer: Iterable[Wish]) -> bool:
    """Return True when a newer note says the same, or something that excludes it."""
    return any(
        one.code == wish.code
        or (one.family == wish.family and wish.family in ONE_OF and one.note_id != wish.note_id)
        for one in newer
        if (one.kind, one.conditions) == (wish.kind, wish.conditions)
    )  # fmt: skip


def _of_note(note: Note, profile: Profile, schema: Schema, language: Language) -> list[Wish]:
    """Return the wishes of one note, each once.

    A hard note, or one on an allergy, that asks nothing which offers tell is asked for in its own words.
    """
    claimed = chain.from_iterable(_of_claim(claim, note, profile, schema, language) for claim in note.claims)
    found = list({(wish.kind, wish.code, wish.wanted, wish.conditions): wish for wish in claimed}.values())
    needed = note.hard or any(claim.attribute == _ALLERGY for claim in note.claims)
    if needed and note.topic in _PASSED_ON and not any(wish.hard for wish in found):
        about = note.claims[0].about if note.claims else USER
        passed_on: list[WishKind] = [kind for kind in WISH_KINDS if kind != "car"]
        request = Wish(kind="flight", code=f"request:{note.text}", text=note.text, hard=True)
        found += [_noted(request.model_copy(update={"kind": kind}), note, about, language) for kind in passed_on]
    return found


def _of_claim(claim: Claim, note: Note, profile: Profile, schema: Schema, language: Language) -> Iterator[Wish]:
    if claim.stance not in _WANTED | _REFUSED:
        return
    wanted = claim.stance in _WANTED
    attribute = schema.attributes.get(claim.attribute)
    needed = wanted and (note.hard or (attribute is not None and attribute.hard and claim.stance == "requires"))
    never = claim.stance == "excludes" and claim.attribute in _COMPANIES
    for wish in _asked(claim.attribute, claim.value, profile.currency, language):
        meant = wish.model_copy(update={"wanted": wanted, "hard": needed or never})
        yield _noted(meant, note, claim.about, language)


def _noted(wish: Wish, note: Note, about: str, language: Language) -> Wish:
    """Return the wish as a note has it: under its conditions, as sure as it is; whoever it is about is along then."""
    named = [condition_code(key, one) for key, value in note.when.items() for one in value.split(", ")]
    named += [condition_code("with", one) for one in about.split(" and ") if about != USER]
    conditions = tuple(sorted(set(named)))
    weight = NEEDED if wish.hard else round(wish.weight * note.confidence, 2)
    text = shown(wish.text, wish.wanted, conditions, language)
    return wish.model_copy(update={"text": text, "weight": weight, "conditions": conditions, "note_id": note.id})


def _asked(attribute: str, value: str, currency: str | None, language: Language) -> Iterator[Wish]:
    """Yield what a claim asks, with its value in the place of each "*"; nothing for a value that offers do not know."""
    for kind, row in asked_of(attribute, value):
        code, text = row.code, row.ja if language == "ja" else row.en
        if "*" in code:
            known = _value(attribute, bare(value), currency)
            if known is None:
                continue
            code, text = code.replace("*", known[0]), text.replace("*", known[1])
        yield Wish(kind=kind, code=code, text=text, weight=row.weight)


def _value(attribute: str, value: str, currency: str | None) -> tuple[str, str] | None:
    """Return a claim's value as it is looked at and as it is shown; None for one that offers do not know."""
    if attribute in _COMPANIES:
        name = offered_name(_COMPANIES[attribute], value)
        return (name, name) if name else None
    if attribute in _BUDGETS:
        most = _money(value, currency)
        return (f"{most.currency}/{most.amount}", str(most)) if most else None
    if attribute in _HOURS:
        clock = _CLOCK.match(value)
        if clock is None or int(clock[1]) > 24:
            return None
        hour, minute = int(clock[1]) % 24, int(clock[2] or 0)
        return str(60 * hour + minute), f"{hour:02d}:{minute:02d}"
    if attribute == "area":
        return value.casefold(), value
    return (value, value) if value.isdigit() else None


def _money(value: str, currency: str | None) -> Money | None:
    """Return an amount as in "150 EUR", in `currency` where it names none; None where there is none to be had."""
    amount, _, coin = value.partition(" ")
    try:
        return Money.of(Decimal(amount), coin or currency or "")
    except (InvalidOperation, InvalidInputError, ValueError):
        return None


def _of_profile(profile: Profile, language: Language) -> Iterator[Wish]:
    if profile.seat_preference:
        yield from _asked("seat_side", profile.seat_preference, None, language)
    if profile.tight_connections is False:
        for wish in _asked("connection", "short", None, language):
            yield wish.model_copy(update={"wanted": False, "text": shown(wish.text, False, (), language)})
    for programme in dict.fromkeys([*profile.loyalty_status, *profile.loyalty_ids]):
        text = " ".join(filter(None, (programme, profile.loyalty_status.get(programme))))
        text = f"{text}の対象" if language == "ja" else f"counts for {text}"
        for kind in WISH_KINDS[:2]:
            yield Wish(kind=kind, code=f"loyalty:{programme}", text=text)
