"""Derive typed wishes for flights, hotels, cars and activities from a traveller's notes and profile.

The table `data/wishes.txt` maps the claims of notes to wishes."""

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
"""Weight of a hard wish, in points."""
ONE_OF = frozenset({"side", "place", "cabin", "stops", "bags", "floor", "bed", "gear", "category", "budget", "price"})
"""Families in which a person has one wish at a time: a newer note replaces an older one."""
NameKind = Literal["airline", "hotel", "car"]
_WANTED = frozenset({"is", "prefers", "requires"})
_COMPANIES: Mapping[str, NameKind] = {"airline": "airline", "hotel_brand": "hotel", "car_company": "car"}
_EARNING: tuple[WishKind, ...] = ("flight", "hotel")
_PASSED_ON_TO: tuple[WishKind, ...] = ("flight", "hotel", "activity")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?$")


class Wish(Record):
    """One wish. `text` is for travellers; `weight` is in points of `travel.ranking.rank`.

    Offers that miss a `hard` wish rank last. The wish applies only under all `conditions`, as in "overnight"; a wish
    without any always applies.
    """

    kind: WishKind
    code: str
    """Family and value, as in "side:aisle" or "budget:night/EUR/12000"."""
    text: str
    wanted: bool = True
    """False for something to avoid."""
    weight: float = 8.0
    hard: bool = False
    conditions: tuple[str, ...] = ()
    note_id: str | None = None
    """The note that it comes from; None for a wish from the profile."""

    @property
    def family(self) -> str:
        """The subject of the wish, as in "side"."""
        return self.code.partition(":")[0]

    @property
    def value(self) -> str:
        """The desired value, as in "aisle"."""
        return self.code.partition(":")[2]


class _Row(NamedTuple):
    """A row of the table: the wish that a claim makes for one kind of offer, its weight, and its texts.

    A "*" in `code` and texts stands for the value of the claim.
    """

    claim: str
    kind: WishKind | Literal["when"]
    code: str
    weight: float
    en: str
    ja: str


@cache
def _rows() -> dict[tuple[str, str], list[_Row]]:
    """Return the rows by attribute and folded value of the claim."""
    rows: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in read_rows("wishes", _Row):
        attribute, _, values = row.claim.partition("=")
        for value in names(values):
            rows[attribute, fold(value)].append(row)
    return dict(rows)


def _condition(key: str, value: str, language: Language) -> tuple[str, str]:
    """Return the code and the text of a condition of a note; a condition that the table lacks stands for itself."""
    for row in _rows().get((key, fold(value)), ()):
        if row.kind == "when":
            return row.code, row.ja if language == "ja" else row.en
    if key == "with":
        return f"with:{value}", value if language == "ja" else f"for {value}"
    return value, value


def _shown(text: str, wanted: bool, conditions: Iterable[str], language: Language) -> str:
    """Format a wish for travellers: "not Ryanair", "no middle seat", "window seat (overnight flight)"."""
    if not wanted:
        text = f"{text}以外" if language == "ja" else f"{'not' if text[0].isupper() else 'no'} {text}"
    listed = ", ".join(conditions)
    return f"{text} ({listed})" if listed else text


def offered_name(kind: NameKind, written: str) -> str | None:
    """Return the name in offers of the company that a text mentions, or None; "Park Hyatt" does not match "Hyatt"."""
    plain = unicodedata.normalize("NFKC", written)
    return next((name for pattern, name in _spellings(kind) if pattern.search(plain)), None)


@cache
def _spellings(kind: NameKind) -> list[tuple[re.Pattern[str], str]]:
    """Return the spellings of one kind with their names, the longest first."""
    exact: dict[tuple[str, str], bool] = {}
    for name, also in ((name, names(also)) for row_kind, name, also in read_table("names") if row_kind == kind):
        exact |= {(spelling.removeprefix("="), name): spelling.startswith("=") for spelling in (name, *also)}
    longest_first = sorted(exact, key=lambda pair: (-len(pair[0]), pair[1]))
    return [(_pattern(spelling, exact[spelling, name]), name) for spelling, name in longest_first]


def _pattern(spelling: str, is_exact: bool) -> re.Pattern[str]:
    # Latin text must match whole words; Japanese has no spaces between words.
    plain = re.escape(unicodedata.normalize("NFKC", spelling))
    words = rf"(?<![A-Za-z0-9]){plain}(?![A-Za-z0-9])" if spelling.isascii() else plain
    return re.compile(words, re.NOFLAG if is_exact else re.IGNORECASE)


def wishes_of(notes: Sequence[Note], profile: Profile, schema: Schema, *, language: Language = "en") -> list[Wish]:
    """Return the wishes of `notes` (newest first) and `profile`; of two that conflict, only the newer one.

    A note on meals or accessibility that is hard or names an allergy, but gives no hard wish, becomes a request.
    """
    wishes: list[Wish] = []
    of_notes = (_of_note(note, profile.currency, schema, language) for note in _current(notes))
    for source in (*of_notes, _of_profile(profile, language)):
        wishes += [wish for wish in source if not _is_superseded(wish, wishes)]
    return wishes


def _current(notes: Sequence[Note]) -> Iterator[Note]:
    """Yield the notes without claims that a later note withdrew; leave out notes whose claims were all withdrawn."""
    withdrawn: dict[tuple[str, str, str], datetime] = {}
    for note in sorted(notes, key=lambda each: each.created_at):
        withdrawn |= {_claim_key(claim): note.created_at for claim in note.claims if claim.stance == "indifferent"}
    for note in notes:
        claims = [claim for claim in note.claims if claim.stance != "indifferent"]
        kept = tuple(each for each in claims if withdrawn.get(_claim_key(each), note.created_at) <= note.created_at)
        if kept or not note.claims:
            yield note.model_copy(update={"claims": kept})


def _claim_key(claim: Claim) -> tuple[str, str, str]:
    return claim.attribute, stem(fold(claim.value)), claim.about


def requests_of(wishes: Sequence[Wish], kind: str) -> tuple[str, ...]:
    """Return the requests to pass on with a booking of `kind`, hard ones first, as in "vegetarian meal".

    Leave out requests with conditions; the traveller has to make those.
    """
    key = (kind, "request", True, ())
    requests = [wish for wish in wishes if (wish.kind, wish.family, wish.wanted, wish.conditions) == key]
    return tuple(dict.fromkeys(wish.value for wish in sorted(requests, key=lambda wish: not wish.hard)))


def _is_superseded(wish: Wish, newer: Iterable[Wish]) -> bool:
    """Return True if a newer wish is the same or conflicts with this one."""
    return any(
        other.code == wish.code
        or (other.family == wish.family and wish.family in ONE_OF and other.note_id != wish.note_id)
        for other in newer
        if (other.kind, other.conditions) == (wish.kind, wish.conditions)
    )  # fmt: skip


def _of_note(note: Note, currency: str | None, schema: Schema, language: Language) -> list[Wish]:
    """Return the wishes of one note, without duplicates, or a request in its own words; see `wishes_of`."""
    wishes: dict[object, Wish] = {}
    for claim in note.claims:
        wanted, attribute = claim.stance in _WANTED, schema.attributes.get(claim.attribute)
        required = wanted and (note.hard or (claim.stance == "requires" and attribute is not None and attribute.hard))
        excluded = claim.stance == "excludes" and claim.attribute in _COMPANIES
        for row_wish in _row_wishes(claim.attribute, claim.value, currency, language):
            stated = row_wish.model_copy(update={"wanted": wanted, "hard": required or excluded})
            wish = _with_context(stated, note, claim.about, language)
            wishes[wish.kind, wish.code, wish.wanted, wish.conditions] = wish
    required = note.hard or any(claim.attribute == "allergy" for claim in note.claims)
    if not required or note.topic not in ("meal", "accessibility") or any(wish.hard for wish in wishes.values()):
        return list(wishes.values())
    about = note.claims[0].about if note.claims else USER
    requests = [Wish(kind=kind, code=f"request:{note.text}", text=note.text, hard=True) for kind in _PASSED_ON_TO]
    return [*wishes.values(), *(_with_context(wish, note, about, language) for wish in requests)]


def _with_context(wish: Wish, note: Note, about: str, language: Language) -> Wish:
    """Return the wish with the conditions, confidence and id of its note; a companion it is about is a condition."""
    pairs = [(key, part) for key, value in note.when.items() for part in value.split(", ")]
    pairs += [("with", person) for person in about.split(" and ") if about != USER]
    conditions = dict(sorted(_condition(key, value, language) for key, value in pairs))
    weight = NEEDED if wish.hard else round(wish.weight * note.confidence, 2)
    text = _shown(wish.text, wish.wanted, conditions.values(), language)
    update = {"text": text, "weight": weight, "conditions": tuple(conditions), "note_id": note.id}
    return wish.model_copy(update=update)


def _row_wishes(attribute: str, value: str, currency: str | None, language: Language) -> Iterator[Wish]:
    """Yield the wishes of the rows for a claim, with its value in place of each "*".

    A row for the value itself takes precedence over one for any value. Values that offers do not have are left out.
    """
    bare = value.lstrip("<>= ")  # without "at least" and "at most"
    any_value = [f"{side}*" for side in (">=", "<=", "") if value.startswith(side)]
    candidates = (_rows().get((attribute, key), []) for key in (fold(value), fold(bare), *any_value))
    for row in next(filter(None, candidates), []):
        filling = _value(attribute, bare, currency) if "*" in row.code else ("", "")
        if filling and row.kind != "when":
            code, text = row.code.replace("*", filling[0]), row.ja if language == "ja" else row.en
            yield Wish(kind=row.kind, code=code, text=text.replace("*", filling[1]), weight=row.weight)


def _value(attribute: str, value: str, currency: str | None) -> tuple[str, str] | None:
    """Return a claim's value for the code and for the text of a wish; None for a value that offers do not have."""
    if attribute in _COMPANIES:
        name = offered_name(_COMPANIES[attribute], value)
        return (name, name) if name else None
    if attribute in ("night_budget", "car_budget", "flight_budget"):
        amount, _, coin = value.partition(" ")
        with suppress(InvalidOperation, ValueError):
            budget = Money.of(Decimal(amount), coin or currency or "")
            return f"{budget.currency}/{budget.amount}", str(budget)
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
        yield from _row_wishes("seat_side", profile.seat_preference, None, language)
    if profile.tight_connections is False:
        for wish in _row_wishes("connection", "short", None, language):
            yield wish.model_copy(update={"wanted": False, "text": _shown(wish.text, False, (), language)})
    for programme in dict.fromkeys([*profile.loyalty_status, *profile.loyalty_ids]):
        text = " ".join(filter(None, (programme, profile.loyalty_status.get(programme))))
        text = f"{text}の対象" if language == "ja" else f"counts for {text}"
        for kind in _EARNING:
            yield Wish(kind=kind, code=f"loyalty:{programme}", text=text)
