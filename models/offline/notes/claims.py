"""What a statement claims: values of attributes with a stance, the conditions it holds under, and whom it is about.

Attributes and values are those of `lexicon/claims.toml`, and only what is sure is claimed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from models.offline.notes import values
from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import opposite, relations, undone
from models.offline.notes.meaning.reading import CONTENT, read
from models.offline.notes.values import ANY, OVER, concepts, conditions, counted, hours_in, listed, written_as
from models.offline.tables import LEXICON, NOTES
from text.words import fold, same_stem

USER, OTHERS = "user", "other"


@dataclass(frozen=True, slots=True)
class Meaning:
    """The claims of a statement and the items of its `when`, as the save tool takes them, and whom it is about.

    A `stranger` is named, and nothing says who that is ("Ella doesn't eat meat").
    """

    claims: list[dict[str, str]]
    when: list[dict[str, str]]
    about: str = USER
    stranger: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement read: its text, with names of companies marked, and what they stand for."""

    text: str
    topic: str
    form: Form
    items: Sequence[Item]
    marks: Mapping[str, tuple[str, str]]

    @property
    def wanted(self) -> set[str]:
        """The concepts that it wants or states."""
        return {name for sign, name in self.form.atoms if sign > 0}


@lru_cache(maxsize=8192)
def meaning_of(text: str, topic: str, condition: str | None = None) -> Meaning:
    """Return what `text` claims in a note of `topic` that holds under `condition`."""
    marked, marks = values.with_companies_marked(text)
    statement = _Statement(marked, topic, read(marked, condition or "", topic), items_of(marked, topic), marks)
    when, held = _when(statement, condition)
    people = sorted(statement.form.subject - {"employer"})
    first = next((item for item in statement.items if item.role in (*CONTENT, "person")), None)
    under = {item["value"] for item in when or ()}  # "if my wife comes along"
    if not people and first is not None and first.role == "person" and first.name not in under:
        people = [first.name]  # "Son is vegetarian" says nothing of the user
    about = " and ".join(people) or USER
    if topic == "document" or _shows("born", text):
        when = [item for item in when or () if item["key"] != "season"]  # the month of an expiry or a birth
    unsure = statement.form.mood == "mentions" and not _shows("home", text)  # "we moved to Leeds last month" lasts
    unsure = unsure or _shows("past", text)
    claims = [] if when is None else list(_claims(statement, held))
    still = _still_claimed(text, topic)
    if still is not None and all(each in claims or unsure for each in still):
        hard = listed("words")["hard"]
        claims = [{**c, "stance": "indifferent"} if c["attribute"] in hard and c not in still else c for c in claims]
    if unsure:
        claims = [c for c in claims if still is not None and (c["stance"] == "indifferent" or c in still)]
    stranger = "" if people else _stranger(statement, claims)
    return Meaning(claims, (when or []) if claims or condition else [], stranger or about, bool(stranger))


def _still_claimed(text: str, topic: str) -> list[dict[str, str]] | None:
    """Return the limits of a text without what tells of an end or an error in it; None where nothing does.

    "As a child I was allergic to eggs", "the diagnosis was wrong", "stairs are no problem".
    """
    rest = NOTES.patterns("claims")["ended"].sub(" ", text)
    return [each for each in meaning_of(rest, topic).claims if each["stance"] == "requires"] if rest != text else None


def _stranger(statement: _Statement, claims: Sequence[Mapping[str, str]]) -> str:
    """Return whom a diet or an allergy is told of, where the statement begins with it; empty for none.

    That is a name that nobody explained, or some of those whom no word calls the user's kin ("one of my pupils").
    """
    limits = [claim["value"] for claim in claims if claim["attribute"] in ("diet", "allergy")]
    known = NOTES.patterns("claims")
    if limits and (some := known["some"].match(statement.text)):
        return some["who"]
    named, item = known["subject"].match(statement.text), next(iter(statement.items), None)
    if not named or not item or item.role != "word" or not fold(named[1]).startswith(item.name):
        return ""
    return named[1] if limits and not any(same_stem(fold(value), item.name) for value in limits) else ""


def names_condition(text: str, condition: str) -> bool:
    """Return True when `text` says itself that it holds under `condition`."""
    named = {item.name for item in items_of(condition) if item.role in CONTENT}
    return bool(named) and named <= {item.name for item in items_of(text)}


def parted(text: str, topic: str) -> list[str]:
    """Return the halves of "window on overnight flights, aisle otherwise", each of which has its own condition."""
    marked, marks = values.with_companies_marked(text)
    kind = re.search(r"\b(?:flights|trips|trains|journeys|stays)\b", marked)
    parts = [part for part in NOTES.patterns("claims")["break"].split(marked) if part.strip()]
    parts = [re.sub(r"(?<=\w )ones\b", kind[0], part) if kind else part for part in parts]
    items = [items_of(part, topic) for part in parts]
    wishing = all(any(item.name in concepts() for item in part) for part in items)
    conditional = any(item.role == "context" for part in items for item in part)
    return parts if wishing and conditional and len(parts) > 1 and not marks else [text]


_Found = tuple[str, str, int]
"""An attribute, its value, and 1 for what is wanted, 0 for what is so, -1 for what is refused, 2 for what is over."""


def _claims(statement: _Statement, held: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the claims, each once. A note on access that names no limit claims nothing, so that it stays one whole."""
    known = listed("words")
    measured = values.measured_in(statement.text, statement.topic, statement.form, statement.items)
    found = [*_listed(statement, held), *((name, value, 1) for name, value in measured), *_facts(statement)]
    found += [] if found and statement.topic != "activity" else _rest(statement, held)
    if statement.topic == "accessibility" and not any(attribute in known["hard"] for attribute, _, _ in found):
        return
    if _says_more(statement, held | statement.marks.keys(), found):
        found = [each for each in found if each[0] in known["safe"]]
    claimed = ((attribute, value, _stance(attribute, sign, statement)) for attribute, value, sign in found)
    for attribute, value, stance in dict.fromkeys(claimed):
        yield {"attribute": attribute, "value": value, "stance": stance}


def _says_more(statement: _Statement, held: frozenset[str], found: Sequence[_Found]) -> bool:
    """Return whether a statement has contents that no claim states: what compares claims alone would lose the rest."""
    known, numbered = listed("words"), listed("numbered")
    attributes, values = {attribute for attribute, _, _ in found}, {value for _, value, _ in found}
    units = known["units"].union(relations()["currencies"])
    for sign, written in statement.form.atoms:
        name = written.removeprefix("<").removeprefix("-")
        if not sign or name in held or name in known["said_already"] or name[0] == "@":
            continue
        takes = {attribute for each in (name, *undone(name)) for _, attribute, _ in concepts().get(each, ())}
        takes |= {"food"} if "diet" in takes else set()
        takes |= known["counted"] if name[0] == "#" or name in units else set()
        takes |= numbered.get(name.partition(":")[0], frozenset())
        if not takes & attributes and written_as(name, statement.text, statement.topic) not in values:
            return True
    return False


def _stance(attribute: str, sign: int, statement: _Statement) -> str:
    ended = statement.form.mood == "ends" and attribute != "home_city"
    waived = ended and (sign <= 0 or _shows("waived", statement.text))
    hard = attribute in listed("words")["hard"]
    over = hard and sign < 0 and (statement.form.anew or attribute in ("health", "mobility"))  # "she isn't diabetic"
    if sign == OVER or waived or over:
        return "indifferent"
    if sign == 0:
        return "is"
    if hard:
        return "requires" if sign > 0 else "excludes"
    never = attribute in listed("companies") and _shows("never", statement.text)
    return "prefers" if sign > 0 else "excludes" if never else "avoids"


def _listed(statement: _Statement, held: frozenset[str]) -> Iterator[_Found]:
    """Yield what the concepts and the companies of the statement claim."""
    form, topic = statement.form, statement.topic
    parts = LEXICON.table("claims")["parts"]
    spoken_of = {parts[item.name] for item in statement.items if item.role == "domain" and item.name in parts}
    timed = any(hours_in(statement.text, form))
    for sign, written in sorted(form.atoms, key=lambda atom: atom[::-1]):
        name = written.removeprefix("<")
        if sign == 0 or name in held:
            continue
        if marked := statement.marks.get(name):
            attribute, company = marked
            if topic in listed("companies")[attribute]:
                yield attribute, company, sign
        if name in ("stairs", "longwalk") and (sign < 0 or _shows("ended", statement.text)):
            sign, name = 1 if sign < 0 else OVER, f"-{name}"
        for part, attribute, value in concepts().get(name, ()):
            if topic not in listed("topics")[part] or (part in parts and spoken_of and part not in spoken_of):
                continue
            refuses = any(opposite(one) == name for one in form.refused)
            if attribute == "diet" and refuses and not _shows("abstains", statement.text):  # a mere dislike is no diet
                if (-1, "allergy") in form.atoms:
                    continue
                disliked = (written_as(one, statement.text, topic) for one in sorted(form.refused))
                yield from (("food", words, -1) for words in disliked if words)
                continue
            goes_back = (attribute, value) == ("seat_place", "back") and not _shows("seated", statement.text)
            if goes_back or (attribute == "departure" and timed):
                continue  # "evening flights back"; an hour says more than the part of the day
            attribute = "arrival" if attribute == "departure" and _shows("landing", statement.text) else attribute
            if attribute == "interest" and value != name:
                if words := written_as(name, statement.text, topic):
                    yield "pastime", words, sign
                if sign < 0:
                    continue  # who avoids operas may like music
            known = written_as(name, statement.text, topic) if value == ANY else counted(attribute, value, form)
            if known == "vegetarian" and refuses and (1, "fish") in form.atoms:  # "I don't eat meat, but fish is fine"
                known = "pescatarian"
            if known:
                yield attribute, known, sign


def _shows(name: str, text: str) -> bool:
    return bool(NOTES.patterns("claims")[name].search(text))


def _facts(statement: _Statement) -> Iterator[_Found]:
    """Yield what is so: allergies, the home, the airport, the currency of prices, and quarters by their names."""
    form, topic, text = statement.form, statement.topic, statement.text
    said = [(sign, name.removeprefix("<")) for sign, name in sorted(form.atoms) if sign]
    if form.anew or form.mood == "ends":  # "eats meat again", "noise doesn't bother me any more"
        gone = {each for sign, name in said if sign > 0 for each in undone(name)}
        gone = set() if any(sign < 0 and name in gone for sign, name in said) else gone  # it names what is over
        claimed = (each for name in sorted(gone) for each in concepts().get(name, ()))
        yield from ((at, value, OVER) for part, at, value in claimed if topic in listed("topics")[part])
    yield from (("allergy", words, sign) for words, sign in values.allergies(form, statement.items, topic, text))
    if not form.condition and not form.subject:
        if topic != "companions":  # where a brother lives is no home of the user's
            yield from (("home_city", city, sign) for city, sign in values.homes_in(text, form))
        coins = statement.wanted & set(relations()["currencies"])
        if len(coins) == 1 and not any(name[0] == "#" for _, name in said) and _shows("prices", text):
            yield "currency", coins.pop().upper(), 0
    if topic == "document":
        yield from ((attribute, value, 0) for attribute, value in values.documents_in(text, form))
    named = [(sign, written_as(name, text, topic)) for sign, name in said if name in form.names]
    if "homeairport" in statement.wanted and len(named) == 1 and named[0][1]:
        yield "home_airport", named[0][1], 0
    if topic == "neighborhood":
        yield from (("area", words, sign) for sign, words in named if words)


def _rest(statement: _Statement, held: frozenset[str]) -> Iterator[_Found]:
    """Yield what no list has a place for, under the free attribute of the topic."""
    attribute = LEXICON.table("claims")["rest"].get(statement.topic)
    for sign, written in sorted(statement.form.atoms, key=lambda atom: atom[::-1]) if attribute else ():
        name = written.removeprefix("<")
        meant = sign < 0 or (sign > 0 and (statement.form.liking or statement.topic == "accessibility"))
        vague = statement.topic == "accessibility" and name in statement.form.words
        if meant and not vague and name not in {*held, "allergy"} and name not in concepts() and name[0] not in "#@":
            words = written_as(name, statement.text, statement.topic)
            if words and attribute and name not in statement.marks:
                yield attribute, words, sign


def _when(statement: _Statement, condition: str | None) -> tuple[list[dict[str, str]] | None, frozenset[str]]:
    """Return the conditions and the concepts that stand for them; None where a condition has no words of its own."""
    form = statement.form
    beside = {name for name in statement.wanted if name in conditions()}
    # "Likes overnight flights" wishes for what beside another wish is a condition.
    if not any(name in statement.marks or name in concepts() for name in statement.wanted - beside):
        beside -= concepts().keys()
    named = {name for name in form.condition if name[0] != "#" and ":" not in name} | beside
    named |= form.subject & {"employer"}
    people = {item.name for item in items_of(f"{condition or ''} {statement.text}") if item.role == "person"}
    found: list[dict[str, str]] = []
    unknown = {name for name in form.condition if name[0] == "#"}
    for name in sorted(named - listed("words")["beside"]):
        if name in conditions():
            key, value = conditions()[name]
            found.append({"key": key, "value": name if value == ANY else value})
        elif name in people:
            found.append({"key": "with", "value": name})
        elif name in form.names:
            found.append({"key": "region", "value": name})
        else:
            unknown.add(name)
    if unknown or (condition and not found):
        if not condition:
            return None, frozenset(named)
        found = [{"key": "other", "value": condition}]
    return found, frozenset(named)
