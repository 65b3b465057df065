"""Works out the traveller's family from notes: how many they are, the children's ages, and who goes by which name."""

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
    """Return the family that `notes` describe; None if they mention no child, or don't give the age of each child."""
    names = companions_in(each.text for each in notes)
    texts = [aliased(each.text, names).text for each in notes if not about_others(each.text)]
    people = {text: {item.name for item in items_of(text) if item.role == "person"} for text in texts}
    mentions = [(text, clause.party) for text in texts for clause in read_values(text, _NOTED) if clause.party]
    parties = [each for text, each in mentions
               if each.children or each.infants or (each.ages and people[text] & _CHILDREN)]  # fmt: skip
    named = {name for name, kin in names if _CHILDREN & {item.name for item in items_of(kin)}}
    counts = (max((each.children or 0) + (each.infants or 0), len(each.ages)) for each in parties)
    count = max([len(named), *counts])
    ages: Counter[int] = Counter()
    for each in parties:
        ages |= Counter(each.ages)
    young = sorted(age for age in ages.elements() if age < ADULT)
    if not count or ages.total() != count:
        return None
    partner = any(_PARTNERS & each for each in people.values())
    infants = sum(age < CHILD for age in young)
    return Company(1 + partner + count - len(young), len(young) - infants, infants, tuple(young))


def with_named(parsed: Understanding, text: str, context: ReadingContext, earlier: Sequence[str]) -> Understanding:
    """Return `parsed` with companions whom `text` calls by name counted by the kinship in `earlier` ("my son Leo")."""
    names = tuple(pair for pair in companions_in(earlier) if pair not in companions_in([text]))
    if not aliased(text, names).spans:
        return parsed
    aged = tuple((name, _with_age(name, kin, earlier, names)) for name, kin in names)
    plain, exact = (read(aliased(text, each).text, context, parsed.language).clauses for each in (names, aged))
    if not len(parsed.clauses) == len(plain) == len(exact):
        return parsed
    versions = zip(parsed.clauses, plain, exact, strict=True)
    clauses = (_with_party_of(each, by_age) if by_kin.party else each for each, by_kin, by_age in versions)
    return replace(parsed, clauses=tuple(clauses))


def _with_party_of(clause: Clause, by_kin: Clause) -> Clause:
    """Return a clause with the party of its version by kinship, unless the clause counts more ("Tom, Leo and me")."""
    if clause.act in ("chat", "tell"):
        return replace(by_kin, text=clause.text)
    party, total = by_kin.party or Party(), (clause.party or Party()).total or 0
    count = party.total or (party.adults or 1) + (party.children or 0) + (party.infants or 0)
    return clause if count < total else replace(clause, party=by_kin.party)


def _with_age(name: str, kin: str, texts: Sequence[str], names: Companions) -> str:
    """Return `kin` with the age that `texts` give right after the name ("4 year old son"), if they give just one."""
    cut = rf"(?={alternatives(re.escape(each) for each, _ in names)})"
    parts = (part for text in texts for part in re.split(cut, text) if part.startswith(name))
    parties = (each.party for part in parts for each in read_values(aliased(part, names).text, _NOTED) if each.party)
    ages = {age for each in parties for age in each.ages}
    if len(ages) != 1:
        return kin
    return f"{ages.pop()} year old {kin}" if kin.isascii() else f"{ages.pop()}歳の{kin}"


def companion_needs(kind: Kind, clauses: Iterable[Clause], notes: Sequence[Memory], names: Companions) -> list[str]:
    """Return the requests to send with a booking for the companions in `clauses`, according to hard notes."""
    along = dict[str, None]()
    for clause in clauses:
        party, text = clause.party or Party(), aliased(clause.text, names).text
        people = {item.name for item in items_of(text) if item.role == "person"} if clause.party else set[str]()
        people |= _PARTNERS | _CHILDREN if party.family else set()
        along = {} if party == Party(total=1) else along
        along = {who: None for who in along if who not in people} if party.leaves else along | dict.fromkeys(people)
    needs, ended = list[str](), set[tuple[str, str, str]]()
    for note in (each for each in notes if each.hard):
        meaning = meaning_of(aliased(note.text, names).text, note.topic)
        keyed = [(each, (each["attribute"], each["value"], meaning.about)) for each in meaning.claims]
        ended |= {key for each, key in keyed if each["stance"] == "indifferent"}  # the newest come first
        claims = [each for each, key in keyed if key not in ended]
        needs += _requests_in(kind, note.text, claims) if along.keys() & {*meaning.about.split(" and ")} else []
    return list(dict.fromkeys(needs))


def _requests_in(kind: Kind, text: str, claims: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the requests of a hard note for a booking of `kind`; an allergy is requested in the note's own words."""
    values = {(each["attribute"], each["value"]) for each in claims}
    meals = [f"{value} meal" for attribute, value in sorted(values) if attribute == "diet"]
    meals = [each for each in meals if any(clause.wishes.meal for clause in read_values(each, _NOTED))]
    chair = ["wheelchair at the airport"] if ("mobility", "wheelchair") in values else []
    requests = [*meals, *chair] if kind == "flight" else []
    return requests or ([text] if any(attribute == "allergy" for attribute, _ in values) else [])


def names_more(mention: Party, known: Company | None) -> bool:
    """Return whether a mention of the family, which gives no number, goes beyond the `known` travellers."""
    counted = known and (known.children + known.infants or (mention.adults is None and known.everybody > 1))
    return bool(mention.family) and not counted
