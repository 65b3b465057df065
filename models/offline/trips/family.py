"""Who the traveller's own are: how many, how old the children, and who is called by name, as far as notes tell."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from models.offline.dialogue.transcript import Memory
from models.offline.notes.claims import meaning_of
from models.offline.notes.meaning.items import items_of
from models.offline.notes.people import Companions, aliased, companions_in
from models.offline.notes.statements import about_others
from models.offline.reading import read, read_values
from models.offline.reading.understanding import Clause, Kind, Party, ReadingContext, Understanding
from models.offline.reading.values.people import ADULT, CHILD
from models.offline.trips.frames import Company
from text.tables import alternatives

_PARTNERS = frozenset({"wife", "husband", "partner", "spouse", "girlfriend", "boyfriend", "fiance"})
_CHILDREN = frozenset({"son", "daughter", "child", "baby", "twins", "toddler"})
_NOTED = ReadingContext(date(2000, 1, 1), trip_open=True)


def family_of(notes: Sequence[Memory]) -> Company | None:
    """Return the family that `notes` tell of; None where they name no child, or not each child's age."""
    names = companions_in(each.text for each in notes)
    texts = [aliased(each.text, names).text for each in notes if not about_others(each.text)]
    people = {text: {item.name for item in items_of(text) if item.role == "person"} for text in texts}
    told = [party for text in texts for party in _children_in(text, people[text])]
    named = {name for name, kin in names if _CHILDREN & {item.name for item in items_of(kin)}}
    count = max([len(named), *(max((each.children or 0) + (each.infants or 0), len(each.ages)) for each in told)])
    ages: Counter[int] = Counter()
    for each in told:
        ages |= Counter(each.ages)
    young = sorted(age for age in ages.elements() if age < ADULT)
    if not count or ages.total() != count:
        return None
    partner = any(_PARTNERS & each for each in people.values())
    infants = sum(age < CHILD for age in young)
    return Company(1 + partner + count - len(young), len(young) - infants, infants, tuple(young))


def with_named(said: Understanding, text: str, context: ReadingContext, told: Sequence[str]) -> Understanding:
    """Return what is said with those who travel by `name`, counted as what earlier texts call them ("my son Leo")."""
    names = tuple(pair for pair in companions_in(told) if pair not in companions_in([text]))
    if not aliased(text, names).spans:
        return said
    aged = tuple((name, _aged(name, kin, told, names)) for name, kin in names)
    plain, exact = (read(aliased(text, each).text, context, said.language).clauses for each in (names, aged))
    if not len(said.clauses) == len(plain) == len(exact):
        return said
    counted = zip(said.clauses, plain, exact, strict=True)
    clauses = (_counted(each, known) if kin.party else each for each, kin, known in counted)
    return replace(said, clauses=tuple(clauses))


def _counted(said: Clause, known: Clause) -> Clause:
    """Return a clause with the people of the same one by kinship, unless it names more ("Tom, Leo and me")."""
    if said.act in ("chat", "tell"):
        return replace(known, text=said.text)
    party = known.party or Party()
    fewer = (party.total or (party.adults or 1) + (party.children or 0) + (party.infants or 0)) < (
        (said.party or Party()).total or 0
    )
    return said if fewer else replace(said, party=known.party)


def _aged(name: str, kin: str, told: Sequence[str], names: Companions) -> str:
    """Return the kinship of somebody with the one age that is told beside their name ("4 year old son")."""
    cut = rf"(?={alternatives(re.escape(each) for each, _ in names)})"
    beside = (part for text in told for part in re.split(cut, text) if part.startswith(name))
    said = (each.party for part in beside for each in read_values(aliased(part, names).text, _NOTED) if each.party)
    ages = {age for each in said for age in each.ages}
    return (
        (f"{ages.pop()}歳の{kin}" if not kin.isascii() else f"{ages.pop()} year old {kin}") if len(ages) == 1 else kin
    )


def needs_along(kind: Kind, said: Iterable[Clause], notes: Sequence[Memory], names: Companions) -> list[str]:
    """Return what to ask for with a booking for those who travel along by what was said, as hard notes tell."""
    along = dict[str, None]()
    for clause in said:
        party, text = clause.party or Party(), aliased(clause.text, names).text
        told = {item.name for item in items_of(text) if item.role == "person"} if clause.party else set[str]()
        told |= _PARTNERS | _CHILDREN if party.family else set()
        along = {} if party == Party(total=1) else along
        along = {who: None for who in along if who not in told} if party.leaves else along | dict.fromkeys(told)
    found, over = list[str](), set[tuple[str, str, str]]()
    for note in (each for each in notes if each.hard):
        meaning = meaning_of(aliased(note.text, names).text, note.topic)
        claimed = [(each, (each["attribute"], each["value"], meaning.about)) for each in meaning.claims]
        over |= {what for each, what in claimed if each["stance"] == "indifferent"}  # the newest come first
        claims = [each for each, what in claimed if what not in over]
        found += _needed(kind, note.text, claims) if along.keys() & {*meaning.about.split(" and ")} else []
    return list(dict.fromkeys(found))


def _needed(kind: Kind, text: str, claims: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the requests that a hard note makes of an offer; an allergy is told in its own words."""
    values = {(each["attribute"], each["value"]) for each in claims}
    meals = [f"{value} meal" for attribute, value in sorted(values) if attribute == "diet"]
    meals = [each for each in meals if any(clause.wishes.meal for clause in read_values(each, _NOTED))]
    chair = ["wheelchair at the airport"] if ("mobility", "wheelchair") in values else []
    found = [*meals, *chair] if kind == "flight" else []
    return found or ([text] if any(attribute == "allergy" for attribute, _ in values) else [])


def names_more(said: Party, known: Company | None) -> bool:
    """Return whether uncounted words for one's family name more than those who are `known` to travel."""
    counted = known and (known.children + known.infants or (said.adults is None and known.everybody > 1))
    return bool(said.family) and not counted


def _children_in(text: str, people: set[str]) -> list[Party]:
    said = [clause.party for clause in read_values(text, _NOTED) if clause.party]
    return [each for each in said if each.children or each.infants or (each.ages and people & _CHILDREN)]
