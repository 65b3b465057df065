"""What a traveller's notes and profile ask of flights, hotels, cars and activities, as typed wishes.

The table `data/wishes.txt` says what claims ask of offers."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal, NamedTuple

from memory.records.notes import USER, Claim, Note, Record
from memory.records.profile import Profile
from memory.schema import Schema
from text import fold
from text.terms import stem
from travel.money import Money
from travel.tables import Language, names, read_rows, read_table

WishKind = Literal["flight", "hotel", "car", "activity"]
NEEDED = 100.0
"""Points of what somebody can't do without."""
ONE_OF = frozenset({"side", "place", "cabin", "stops", "bags", "floor", "bed", "gear", "category", "budget", "price"})
"""Of these a person has one wish at a time; a newer note takes the place of an older one."""
NameKind = Literal["airline", "hotel", "car"]
_WANTED = frozenset({"is", "prefers", "requires"})
_COMPANIES: Mapping[str, NameKind] = {"airline": "airline", "hotel_brand": "hotel", "car_company": "car"}
_EARNING: tuple[WishKind, ...] = ("flight", "hotel")
_PASSED_ON_TO: tuple[WishKind, ...] = ("flight", "hotel", "activity")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?$")


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


@cache
def _rows() -> dict[tuple[str, str], list[Asked]]:
    found: defaultdict[tuple[str, str], list[Asked]] = defaultdict(list)
    for row in read_rows("wishes", Asked):
        attribute, _, values = row.claim.partition("=")
        for value in names(values):
            found[attribute, fold(value)].append(row)
    return dict(found)


def _condition(key: str, value: str, language: Language) -> tuple[str, str]:
    """Return the code of a condition of a note, and how it is shown; what the table lacks is its own value."""
    for row in _rows().get((key, fold(value)), ()):
        if row.kind == "when":
            return row.code, row.ja if language == "ja" else row.en
    if key == "with":
        return f"with:{value}", value if language == "ja" else f"for {value}"
    return value, value


def _shown(text: str, wanted: bool, conditions: Iterable[str], language: Language) -> str:
    """Return a wish as a traveller reads it: "not Ryanair", "no middle seat", "window seat (overnight flight)"."""
    if not wanted:
        text = f"{text}以外" if language == "ja" else f"{'not' if text[0].isupper() else 'no'} {text}"
    named = ", ".join(conditions)
    return f"{text} ({named})" if named else text


def offered_name(kind: NameKind, written: str) -> str | None:
    """Return the name that offers have for what somebody writes, or None; "Park Hyatt" is no "Hyatt"."""
    plain = unicodedata.normalize("NFKC", written)
    return next((name for pattern, name in _spellings(kind) if pattern.search(plain)), None)


@cache
def _spellings(wanted: NameKind) -> list[tuple[re.Pattern[str], str]]:
    """Return the spellings of one kind with their names, the longest first."""
    exact: dict[tuple[str, str], bool] = {}
    for name, also in ((name, names(also)) for kind, name, also in read_table("names") if kind == wanted):
        exact |= {(spelling.removeprefix("="), name): spelling.startswith("=") for spelling in (name, *also)}
    longest_first = sorted(exact, key=lambda one: (-len(one[0]), one[1]))
    return [(_pattern(spelling, exact[spelling, name]), name) for spelling, name in longest_first]


def _pattern(spelling: str, is_exact: bool) -> re.Pattern[str]:
    # Whole words, where there are any: Japanese puts no space between them.
    plain = re.escape(unicodedata.normalize("NFKC", spelling))
    words = rf"(?<![A-Za-z0-9]){plain}(?![A-Za-z0-9])" if spelling.isascii() else plain
    return re.compile(words, re.NOFLAG if is_exact else re.IGNORECASE)


def wishes_of(notes: Sequence[Note], profile: Profile, schema: Schema, *, language: Language = "en") -> list[Wish]:
    """Return the wishes of `notes` (newest first) and `profile`; of two that exclude each other, the newer one.

    What is hard is never left out: a hard note that asks nothing which offers tell becomes a request in its own words.
    """
    found: list[Wish] = []
    own = (_of_note(note, profile.currency, schema, language) for note in _standing(notes))
    for source in (*own, _of_profile(profile, language)):
        found += [wish for wish in source if not _is_answered(wish, found)]
    return found


def _standing(notes: Sequence[Note]) -> Iterator[Note]:
    """Yield the notes with the claims that neither they nor a later one say are over; none that is all over."""
    over: dict[tuple[str, str, str], datetime] = {}
    for note in sorted(notes, key=lambda each: each.created_at):
        over |= {_claimed(claim): note.created_at for claim in note.claims if claim.stance == "indifferent"}
    for note in notes:
        said = [claim for claim in note.claims if claim.stance != "indifferent"]
        kept = tuple(each for each in said if over.get(_claimed(each), note.created_at) <= note.created_at)
        if kept or not note.claims:
            yield note.model_copy(update={"claims": kept})


def _claimed(claim: Claim) -> tuple[str, str, str]:
    return claim.attribute, stem(fold(claim.value)), claim.about


def requests_of(wishes: Sequence[Wish], kind: str) -> tuple[str, ...]:
    """Return the requests to pass on with a booking of `kind`, hard ones first, as in "vegetarian meal".

    Only what always holds: what depends on a condition is for the traveller to ask for.
    """
    asked = [one for one in wishes if (one.kind, one.family, one.wanted, one.conditions) == (kind, "request", True, ())]
    return tuple(dict.fromkeys(one.value for one in sorted(asked, key=lambda one: not one.hard)))


def _is_answered(wish: Wish, newer: Iterable[Wish]) -> bool:
    """Return True when a newer note says the same, or something that excludes it."""
    return any(
        one.code == wish.code
        or (one.family == wish.family and wish.family in ONE_OF and one.note_id != wish.note_id)
        for one in newer
        if (one.kind, one.conditions) == (wish.kind, wish.conditions)
    )  # fmt: skip


def _of_note(note: Note, currency: str | None, schema: Schema, language: Language) -> list[Wish]:
    """Return the wishes of one note, each once.

    A hard note, or one on an allergy, that asks nothing which offers tell is asked for in its own words.
    """
    found: dict[object, Wish] = {}
    for claim in note.claims:
        wanted, attribute = claim.stance in _WANTED, schema.attributes.get(claim.attribute)
        needed = wanted and (note.hard or (claim.stance == "requires" and attribute is not None and attribute.hard))
        never = claim.stance == "excludes" and claim.attribute in _COMPANIES
        for asked in _asked(claim.attribute, claim.value, currency, language):
            meant = asked.model_copy(update={"wanted": wanted, "hard": needed or never})
            wish = _noted(meant, note, claim.about, language)
            found[wish.kind, wish.code, wish.wanted, wish.conditions] = wish
    needed = note.hard or any(claim.attribute == "allergy" for claim in note.claims)
    if not needed or note.topic not in ("meal", "accessibility") or any(wish.hard for wish in found.values()):
        return list(found.values())
    about = note.claims[0].about if note.claims else USER
    own = [Wish(kind=kind, code=f"request:{note.text}", text=note.text, hard=True) for kind in _PASSED_ON_TO]
    return [*found.values(), *(_noted(wish, note, about, language) for wish in own)]


def _noted(wish: Wish, note: Note, about: str, language: Language) -> Wish:
    """Return the wish as a note has it: under its conditions, as sure as it is; whoever it is about is along then."""
    named = [(key, one) for key, value in note.when.items() for one in value.split(", ")]
    named += [("with", one) for one in about.split(" and ") if about != USER]
    conditions = dict(sorted(_condition(key, value, language) for key, value in named))
    weight = NEEDED if wish.hard else round(wish.weight * note.confidence, 2)
    text = _shown(wish.text, wish.wanted, conditions.values(), language)
    update = {"text": text, "weight": weight, "conditions": tuple(conditions), "note_id": note.id}
    return wish.model_copy(update=update)


def _asked(attribute: str, value: str, currency: str | None, language: Language) -> Iterator[Wish]:
    """Yield what a claim asks, with its value in the place of each "*"; nothing for a value that offers do not know.

    A line of the table for the value itself counts before one for any value.
    """
    bare = value.lstrip("<>= ")  # without "at least" and "at most"
    any_value = [f"{side}*" for side in (">=", "<=", "") if value.startswith(side)]
    lines = (_rows().get((attribute, said), []) for said in (fold(value), fold(bare), *any_value))
    for row in next(filter(None, lines), []):
        known = _value(attribute, bare, currency) if "*" in row.code else ("", "")
        if known and row.kind != "when":
            code, text = row.code.replace("*", known[0]), row.ja if language == "ja" else row.en
            yield Wish(kind=row.kind, code=code, text=text.replace("*", known[1]), weight=row.weight)


def _value(attribute: str, value: str, currency: str | None) -> tuple[str, str] | None:
    """Return a claim's value as it is looked at and as it is shown; None for one that offers do not know."""
    if attribute in _COMPANIES:
        name = offered_name(_COMPANIES[attribute], value)
        return (name, name) if name else None
    if attribute in ("night_budget", "car_budget", "flight_budget"):
        amount, _, coin = value.partition(" ")
        with suppress(InvalidOperation, ValueError):
            most = Money.of(Decimal(amount), coin or currency or "")
            return f"{most.currency}/{most.amount}", str(most)
        return None
    if attribute in ("departure_hour", "arrival_hour"):
        clock = _CLOCK.match(value)
        if clock is None or int(clock[1]) > 24:
            return None
        hour, minute = int(clock[1]) % 24, int(clock[2] or 0)
        return str(60 * hour + minute), f"{hour:02d}:{minute:02d}"
    if attribute == "area":
        return value.casefold(), value
    return (value, value) if value.isdigit() else None


def _of_profile(profile: Profile, language: Language) -> Iterator[Wish]:
    if profile.seat_preference:
        yield from _asked("seat_side", profile.seat_preference, None, language)
    if profile.tight_connections is False:
        for wish in _asked("connection", "short", None, language):
            yield wish.model_copy(update={"wanted": False, "text": _shown(wish.text, False, (), language)})
    for programme in dict.fromkeys([*profile.loyalty_status, *profile.loyalty_ids]):
        text = " ".join(filter(None, (programme, profile.loyalty_status.get(programme))))
        text = f"{text}の対象" if language == "ja" else f"counts for {text}"
        for kind in _EARNING:
            yield Wish(kind=kind, code=f"loyalty:{programme}", text=text)
