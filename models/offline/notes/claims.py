"""Extracts the claims of a statement: attribute values with a stance, their conditions, and the person.

Attributes and values are those of `lexicon/claims.toml`. Nothing uncertain is claimed.
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
    """The claims and `when` conditions of a statement, as the save tool takes them, and the person it is `about`.

    `stranger` is True if that person is named but unknown ("Ella doesn't eat meat").
    """

    claims: list[dict[str, str]]
    when: list[dict[str, str]]
    about: str = USER
    stranger: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement that was read; in `text`, companies are replaced by the placeholders of `marks`."""

    text: str
    topic: str
    form: Form
    items: Sequence[Item]
    marks: Mapping[str, tuple[str, str]]

    @property
    def wanted(self) -> set[str]:
        """The concepts that are wanted or stated."""
        return {name for sign, name in self.form.atoms if sign > 0}

    @property
    def signed(self) -> Iterator[tuple[int, str]]:
        """The concepts that are wanted or refused, in a fixed order.

        What is merely accepted has the sign OVER, unless it is a number, which is a limit ("one stop is fine").
        """
        for sign, written in sorted(self.form.atoms, key=lambda atom: atom[::-1]):
            name = written.removeprefix("<")
            limit = any(value.isdigit() for _, _, value in concepts().get(name, ()))
            if sign:
                yield OVER if sign > 0 and name in self.form.tolerated and not limit else sign, name


@lru_cache(maxsize=8192)
def meaning_of(text: str, topic: str, condition: str | None = None) -> Meaning:
    """Return the claims of `text` in a note of `topic` that holds under `condition`."""
    marked, marks = values.with_companies_marked(text)
    statement = _Statement(marked, topic, read(marked, condition or "", topic), items_of(marked, topic), marks)
    when, used = _when(statement, condition)
    people = sorted(statement.form.subject - {"employer"})
    first = next((item for item in statement.items if item.role in (*CONTENT, "person")), None)
    under = {item["value"] for item in when or ()}  # "if my wife comes along"
    if not people and first is not None and first.role == "person" and first.name not in under:
        people = [first.name]  # "Son is vegetarian" is not about the user
    about = " and ".join(people) or USER
    if topic == "document" or _shows("born", text) or _shows("moved", text):
        when = [item for item in when or () if item["key"] != "season"]  # the month of an expiry, a birth or a move
    unsure = statement.form.mood == "mentions" and not _shows("home", text)  # "we moved to Leeds last month" lasts
    unsure = unsure or _shows("past", text)
    claims = [] if when is None else list(_claims(statement, used))
    still = _still_claimed(text, topic)
    if still is not None and all(each in claims or unsure for each in still):
        hard = listed("words")["hard"]
        claims = [{**c, "stance": "indifferent"} if c["attribute"] in hard and c not in still else c for c in claims]
    if unsure:
        claims = [c for c in claims if still is not None and (c["stance"] == "indifferent" or c in still)]
    stranger = "" if people else _stranger(statement, claims)
    return Meaning(claims, (when or []) if claims or condition else [], stranger or about, bool(stranger))


def _still_claimed(text: str, topic: str) -> list[dict[str, str]] | None:
    """Return the limits that a text claims without its words for an end or an error; None if it has no such words.

    Such as "as a child I was allergic to eggs", "the diagnosis was wrong", "stairs are no problem".
    """
    rest = NOTES.patterns("claims")["ended"].sub(" ", text)
    return [each for each in meaning_of(rest, topic).claims if each["stance"] == "requires"] if rest != text else None


def _stranger(statement: _Statement, claims: Sequence[Mapping[str, str]]) -> str:
    """Return the unknown person at the start of a statement about a diet or an allergy; empty if there is none.

    That is an unknown name, or someone who is no relative of the user ("one of my pupils").
    """
    limits = [claim["value"] for claim in claims if claim["attribute"] in ("diet", "allergy")]
    patterns = NOTES.patterns("claims")
    if limits and (some := patterns["some"].match(statement.text)):
        return some["who"]
    named, item = patterns["subject"].match(statement.text), next(iter(statement.items), None)
    if not named or not item or item.role != "word" or not fold(named[1]).startswith(item.name):
        return ""
    return named[1] if limits and not any(same_stem(fold(value), item.name) for value in limits) else ""


def names_condition(text: str, condition: str) -> bool:
    """Return whether `text` itself names its `condition`."""
    named = {item.name for item in items_of(condition) if item.role in CONTENT}
    return bool(named) and named <= {item.name for item in items_of(text)}


def parted(text: str, topic: str) -> list[str]:
    """Split a text such as "window on overnight flights, aisle otherwise" into parts with a condition each."""
    marked, marks = values.with_companies_marked(text)
    kind = re.search(r"\b(?:flights|trips|trains|journeys|stays)\b", marked)
    parts = [part for part in NOTES.patterns("claims")["break"].split(marked) if part.strip()]
    parts = [re.sub(r"(?<=\w )ones\b", kind[0], part) if kind else part for part in parts]
    items = [items_of(part, topic) for part in parts]
    wishing = all(any(item.name in concepts() for item in part) for part in items)
    conditional = any(item.role == "context" for part in items for item in part)
    return parts if wishing and conditional and len(parts) > 1 and not marks else [text]


_Claim = tuple[str, str, int]
"""An attribute, its value, and a sign: 1 for wanted, 0 for a fact, -1 for refused, OVER for over, or accepted."""


def _claims(statement: _Statement, used: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the claims without duplicates. A note on accessibility without a hard limit claims nothing."""
    lists = listed("words")
    measured = values.measured_in(statement.text, statement.topic, statement.form, statement.items)
    found = [*_listed(statement, used), *((name, value, 1) for name, value in measured), *_facts(statement)]
    found += [] if found and statement.topic != "activity" else _rest(statement, used)
    if statement.topic == "accessibility" and not any(attribute in lists["hard"] for attribute, _, _ in found):
        return
    if _says_more(statement, used | statement.marks.keys(), found):
        found = [each for each in found if each[0] in lists["safe"]]
    claimed = ((attribute, value, _stance(attribute, sign, statement)) for attribute, value, sign in found)
    for attribute, value, stance in dict.fromkeys(claimed):
        yield {"attribute": attribute, "value": value, "stance": stance}


def _says_more(statement: _Statement, used: frozenset[str], found: Sequence[_Claim]) -> bool:
    """Return whether a statement has content that no claim expresses, and that comparing claims alone would lose."""
    lists, numbered = listed("words"), listed("numbered")
    attributes, values = {attribute for attribute, _, _ in found}, {value for _, value, _ in found}
    units = lists["units"].union(relations()["currencies"])
    for sign, written in statement.form.atoms:
        name = written.removeprefix("<").removeprefix("-")
        if not sign or name in used or name in lists["said_already"] or name[0] == "@":
            continue
        takes = {attribute for each in (name, *undone(name)) for _, attribute, _ in concepts().get(each, ())}
        takes |= {"food"} if "diet" in takes else set()
        takes |= lists["counted"] if name[0] == "#" or name in units else set()
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


def _listed(statement: _Statement, used: frozenset[str]) -> Iterator[_Claim]:
    """Yield the claims of the concepts and companies in the statement."""
    form, topic = statement.form, statement.topic
    parts = LEXICON.table("claims")["parts"]
    spoken_of = {parts[item.name] for item in statement.items if item.role == "domain" and item.name in parts}
    timed = any(hours_in(statement.text, form))
    for sign, name in statement.signed:
        if name in used:
            continue
        if marked := statement.marks.get(name):
            attribute, company = marked
            if topic in listed("companies")[attribute]:
                yield attribute, company, sign
        if name in ("stairs", "longwalk") and (sign in (-1, OVER) or _shows("ended", statement.text)):
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
                continue  # "back" as in "evening flights back"; an hour is more precise than the part of the day
            attribute = "arrival" if attribute == "departure" and _shows("landing", statement.text) else attribute
            if attribute == "interest" and value != name:
                if words := written_as(name, statement.text, topic):
                    yield "pastime", words, sign
                if sign < 0:
                    continue  # avoiding operas is not avoiding music
            known = written_as(name, statement.text, topic) if value == ANY else counted(attribute, value, form)
            if known == "vegetarian" and refuses and (1, "fish") in form.atoms:  # "I don't eat meat, but fish is fine"
                known = "pescatarian"
            if known:
                yield attribute, known, sign


def _shows(name: str, text: str) -> bool:
    return bool(NOTES.patterns("claims")[name].search(text))


def _facts(statement: _Statement) -> Iterator[_Claim]:
    """Yield facts: allergies, home city and airport, the currency of prices, documents, and named neighbourhoods."""
    form, topic, text = statement.form, statement.topic, statement.text
    signed = list(statement.signed)
    if form.anew or form.mood == "ends":  # "eats meat again", "noise doesn't bother me any more"
        diets = {item.name for item in statement.items} if not _shows("able", text) else set[str]()
        wanted = (name for sign, name in signed if sign > 0 and (name in diets or not name.startswith("diet:")))
        gone = {each for name in wanted for each in undone(name)}
        gone = set() if any(sign < 0 and name in gone for sign, name in signed) else gone  # it names the end itself
        claimed = (each for name in sorted(gone) for each in concepts().get(name, ()))
        yield from ((at, value, OVER) for part, at, value in claimed if topic in listed("topics")[part])
    yield from (("allergy", words, sign) for words, sign in values.allergies(form, statement.items, topic, text))
    if not form.subject and (not form.condition or _shows("moved", text)):
        if topic != "companions":  # a brother's home is not the user's
            yield from (("home_city", city, sign) for city, sign in values.homes_in(text, form))
        currencies = statement.wanted & set(relations()["currencies"])
        if len(currencies) == 1 and not any(name[0] == "#" for _, name in signed) and _shows("prices", text):
            yield "currency", currencies.pop().upper(), 0
    if topic == "document":
        yield from ((attribute, value, 0) for attribute, value in values.documents_in(text, form))
    named = [(sign, written_as(name, text, topic)) for sign, name in signed if name in form.names]
    if "homeairport" in statement.wanted and len(named) == 1 and named[0][1]:
        yield "home_airport", named[0][1], 0
    if topic == "neighborhood":
        yield from (("area", words, sign) for sign, words in named if words)


def _rest(statement: _Statement, used: frozenset[str]) -> Iterator[_Claim]:
    """Yield contents that no list covers, under the free attribute of the topic."""
    attribute = LEXICON.table("claims")["rest"].get(statement.topic)
    for sign, name in statement.signed if attribute else ():
        meant = sign in (-1, OVER) or (sign > 0 and (statement.form.liking or statement.topic == "accessibility"))
        vague = statement.topic == "accessibility" and name in statement.form.words
        if meant and not vague and name not in {*used, "allergy"} and name not in concepts() and name[0] not in "#@":
            words = written_as(name, statement.text, statement.topic)
            if words and attribute and name not in statement.marks:
                yield attribute, words, sign


def _when(statement: _Statement, condition: str | None) -> tuple[list[dict[str, str]] | None, frozenset[str]]:
    """Return the `when` conditions (None if one cannot be expressed) and the concepts that they consume."""
    form = statement.form
    beside = {name for name in statement.wanted if name in conditions()}
    # "Likes overnight flights" is itself the wish; beside another wish, "overnight" is a condition.
    if not any(name in statement.marks or name in concepts() for name in statement.wanted - beside):
        beside -= concepts().keys()
    named = {name for name in form.condition if name[0] != "#" and ":" not in name} | beside
    named |= form.subject & {"employer"}
    people = {item.name for item in items_of(f"{condition or ''} {statement.text}") if item.role == "person"}
    items: list[dict[str, str]] = []
    unknown = {name for name in form.condition if name[0] == "#"}
    for name in sorted(named - listed("words")["beside"]):
        if name in conditions():
            key, value = conditions()[name]
            items.append({"key": key, "value": name if value == ANY else value})
        elif name in people:
            items.append({"key": "with", "value": name})
        elif name in form.names:
            items.append({"key": "region", "value": name})
        else:
            unknown.add(name)
    if unknown or (condition and not items):
        if not condition:
            return None, frozenset(named)
        items = [{"key": "other", "value": condition}]
    return items, frozenset(named)
