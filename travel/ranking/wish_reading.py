"""Reads one note: its canonical form names concepts, signs and conditions, and a table says what they ask."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.records.notes import MAX_TEXT, Note
from memory.records.profile import Profile
from models.offline.statements import Form, Item, form_of, items_of
from travel.money import Money
from travel.ranking.measures import count_in, hours_of, is_landing, limit_of, minutes_in
from travel.ranking.names import NameKind, with_names_marked
from travel.ranking.wish import NEEDED, WISH_KINDS, Wish, WishKind, shown
from travel.ranking.wish_table import Language, asked_by, is_condition

_NAMES_IN: dict[NameKind, tuple[frozenset[str], WishKind, str]] = {
    "airline": (frozenset({"airline", "seat", "cabin", "booking", "layover", "baggage"}), "flight", "airline"),
    "hotel": (frozenset({"hotel", "room", "booking", "neighborhood"}), "hotel", "house"),
    "car": (frozenset({"car", "booking"}), "car", "company"),
}
"""In notes of which topics names are looked for, and what they are a wish of."""
_TOPICS: dict[str, frozenset[str]] = {
    "flight": frozenset({
        "seat", "cabin", "airline", "layover", "baggage", "meal", "booking", "accessibility", "budget", "other",
    }),
    "hotel": frozenset({
        "hotel", "room", "neighborhood", "booking", "accessibility", "budget", "meal", "companions", "other",
    }),
    "car": frozenset({"car", "booking", "transport", "budget", "companions", "accessibility", "other"}),
    "activity": frozenset({
        "activity", "accessibility", "companions", "pace", "meal", "booking", "neighborhood", "other",
    }),
}  # fmt: skip
"""Notes of which topics ask something of which kind of offer."""
_NEEDS = frozenset({"wheelchair", "wheelchairaccess", "wheelchairassist", "accessible", "stepfree", "guidedog"})
_DOMAINS: dict[str, WishKind] = {
    "flight": "flight", "airline": "flight", "seat": "flight", "hotel": "hotel", "room": "hotel", "car": "car",
    "activity": "activity",
}  # fmt: skip
_Marks = Mapping[str, tuple[NameKind, str]]
_BREAK = re.compile(r"\s*(?:,(?!\d)|[;、。]|\bbut\b|\bwhile\b)\s*")
_STARS_JA = re.compile(r"([1-5])つ星")
_MOST_STOPS = 3
_PASSED_ON = frozenset({"meal", "accessibility"})


_NEVER = re.compile(r"\b(?:never|refuse|will not|won't)\b|絶対|二度と|決して", re.IGNORECASE)
"""What somebody says of a company that they will not go with, whatever it costs."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """One note on its way to wishes."""

    note: Note
    form: Form
    items: Sequence[Item]
    language: Language
    conditions: tuple[str, ...]
    marks: _Marks
    """Names in the text, by what stands for them in `form`."""

    def wish(
        self, kind: WishKind, code: str, text: str, *, wanted: bool = True, weight: float = 8.0, hard: bool = False
    ) -> Wish:
        """Return a wish of this note."""
        return Wish(
            kind=kind,
            code=code,
            text=shown(text, wanted, self.conditions, self.language),
            wanted=wanted,
            weight=NEEDED if hard else round(weight * self.note.confidence, 2),
            hard=hard,
            conditions=self.conditions,
            note_id=self.note.id,
        )


def wishes_in(note: Note, profile: Profile, language: Language) -> Iterator[Wish]:
    """Yield the wishes of one note, each once."""
    kinds = [kind for kind, (topics, _, _) in _NAMES_IN.items() if note.topic in topics]
    text, marks = with_names_marked(note.text, kinds)
    readers = [_reader(note, part, marks, language) for part in _parts(text, note, marks)]
    found = {
        (wish.kind, wish.code, wish.wanted, wish.conditions): wish
        for reader in readers
        if reader.form.mood == "states"
        for wish in (*_concepts(reader), *_named(reader), *_area(reader), *_measured(reader, profile))
    }
    yield from found.values()
    needed = note.hard or any((1, "allergy") in reader.form.atoms for reader in readers)
    if needed and note.topic in _PASSED_ON and not any(wish.hard for wish in found.values()):
        for kind in WISH_KINDS:
            if kind != "car":
                yield readers[0].wish(kind, f"request:{note.text}", note.text, hard=True)


def _reader(note: Note, text: str, marks: _Marks, language: Language) -> _Reader:
    part = note.model_copy(update={"text": text[:MAX_TEXT]})
    form = form_of(part)
    return _Reader(part, form, items_of(part.text, note.topic), language, _conditions(form, marks), marks)


def _parts(text: str, note: Note, marks: _Marks) -> list[str]:
    """Return the halves of "window on overnight flights, aisle otherwise", each of which has its own condition."""
    parts = [part for part in _BREAK.split(text) if part.strip()]
    items = [items_of(part, note.topic) for part in parts]
    wishing = all(any(item.name in asked_by() or item.name in marks for item in part) for part in items)
    conditional = any(item.role == "context" for part in items for item in part)
    return parts if wishing and conditional and note.condition is None and len(parts) > 1 else [text]


def _conditions(form: Form, marks: Collection[str]) -> tuple[str, ...]:
    """Return what the wishes hold under; whoever they are about is along then."""
    wanted = {name for sign, name in form.atoms if sign > 0}
    beside = {name for name in wanted if is_condition(name)}
    # "Likes overnight flights" wishes for what beside another wish is a condition.
    if not any(name in marks or name in asked_by() for name in wanted - beside):
        beside -= asked_by().keys()
    under = {name for name in form.condition if name[0] != "#" and ":" not in name}
    people = {"work" if person == "employer" else f"with:{person}" for person in form.subject}
    return tuple(sorted({*under, *beside, *people}))


def _concepts(reader: _Reader) -> Iterator[Wish]:
    note, form = reader.note, reader.form
    said = {_DOMAINS[item.name] for item in reader.items if item.role == "domain" and item.name in _DOMAINS}
    for sign, name in sorted(form.atoms, key=lambda atom: atom[1]):
        name = name.removeprefix("<")
        if (sign, name) == (-1, "stairs"):
            sign, name = 1, "stepfree"
        if sign == 0 or name in reader.conditions:
            continue
        for asked in asked_by().get(name, ()):
            kind = next(one for one in WISH_KINDS if one == asked.kind)
            if note.topic not in _TOPICS[kind] or (said and kind not in said and name not in _NEEDS):
                continue
            if asked.code.startswith("daypart:") and any(hours_of(note.text, form)):
                continue  # the hour says more than the part of the day
            code, text = _counted(asked.code, asked.shown(reader.language), name, reader)
            hard = sign > 0 and (note.hard or name in _NEEDS)
            yield reader.wish(kind, code, text, wanted=sign > 0, weight=asked.weight, hard=hard)


def _counted(code: str, text: str, name: str, reader: _Reader) -> tuple[str, str]:
    """Return the code and text with the number that the note names, or with the arrival instead of the departure."""
    if code.startswith("daypart:") and is_landing(reader.note.text):
        return f"{code}/arrives", text.replace("departure", "arrival").replace("出発", "到着")
    if name == "bags:checked" and (bags := count_in(reader.form)) and 1 < bags <= 9:
        return f"bags:{bags}", f"預け荷物{bags}個" if reader.language == "ja" else f"{bags} checked bags included"
    if name == "stars" and (stars := count_in(reader.form)) and 1 <= stars <= 5:
        return f"stars:{stars}", f"{stars}つ星以上" if reader.language == "ja" else f"{stars} stars or more"
    return code, text


def _named(reader: _Reader) -> Iterator[Wish]:
    for sign, name in sorted(reader.form.atoms):
        if sign and (marked := reader.marks.get(name.removeprefix("<"))):
            name_kind, named = marked
            _, kind, family = _NAMES_IN[name_kind]
            never = sign < 0 and bool(_NEVER.search(reader.note.text))
            yield reader.wish(kind, f"{family}:{named}", named, wanted=sign > 0, weight=10, hard=never)


def _area(reader: _Reader) -> Iterator[Wish]:
    """Yield neighbourhoods go by their names, which no lexicon knows."""
    if reader.note.topic != "neighborhood":
        return
    for sign, name in sorted(reader.form.atoms):
        if sign and name.removeprefix("<") in reader.form.names:
            named = name.removeprefix("<")
            yield reader.wish("hotel", f"area:{named}", named.title(), wanted=sign > 0)


def _measured(reader: _Reader, profile: Profile) -> Iterator[Wish]:
    note, form, japanese = reader.note, reader.form, reader.language == "ja"
    if note.topic in ("budget", "hotel", "car", "booking", "room"):
        limit = limit_of(form, reader.items, profile.currency)
        if limit:
            code = f"budget:{limit.each}/{limit.most.currency}/{limit.most.amount}"
            yield reader.wish(limit.kind, code, _under(limit.most, limit.each, japanese), weight=15)
    if note.topic == "hotel" and (stars := _STARS_JA.search(note.text)):
        text = f"{stars[1]}つ星以上" if japanese else f"{stars[1]} stars or more"
        yield reader.wish("hotel", f"stars:{stars[1]}", text)
    names = {name for sign, name in form.atoms if sign > 0}
    if "stops:some" in names and names & {"atmost", "回"} and (stops := count_in(form)) and stops <= _MOST_STOPS:
        text = f"乗り継ぎは{stops}回まで" if japanese else f"at most {stops} stop{'s' if stops > 1 else ''}"
        yield reader.wish("flight", f"stops:{stops}", text)
    if note.topic == "layover" and (minutes := minutes_in(form)):
        least = any(name == "atleast" for _, name in form.atoms)
        code = f"wait:{'least' if least else 'most'}/{minutes}"
        text = f"乗り継ぎ{minutes}分" if japanese else f"{minutes} minutes to change"
        text += ("以上" if japanese else " or more") if least else ("以下" if japanese else " or less")
        yield reader.wish("flight", code, text, weight=10)
    if note.topic in ("booking", "airline", "layover", "pace", "other"):
        for hours in hours_of(note.text, form):
            code = f"hours:{hours.at}/{hours.side}/{hours.minute}"
            yield reader.wish("flight", code, _clock(hours.at, hours.side, hours.clock, japanese), weight=10)


def _under(most: Money, each: str, japanese: bool) -> str:
    if japanese:
        unit = {"night": "1泊", "day": "1日", "person": "1人"}[each]
        return f"{unit}{most}以下"
    return f"{most} or less a {each}"


def _clock(at: str, side: str, clock: str, japanese: bool) -> str:
    if japanese:
        return f"{clock}{'以前' if side == 'before' else '以降'}に{'到着' if at == 'arrives' else '出発'}"
    return f"{'lands' if at == 'arrives' else 'leaves'} {side} {clock}"
