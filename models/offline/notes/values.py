"""The tables of claims, and the amounts, hours, counts, documents, companies and allergies that statements claim."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import opposite, relations
from models.offline.notes.meaning.reading import CONTENT
from models.offline.reading.values.names import companies
from models.offline.tables import LEXICON, NOTES
from text.numbers import MONTHS
from text.words import fold, is_japanese, same_stem

ANY = "+"
"""A value in the claims table that stands for any name."""
_WORDS = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_LONGEST, _LONGEST_JA = 4, 12
"""The most words, and the most Japanese characters, in a phrase."""
_ATTRIBUTES = {"airline": "airline", "hotel": "hotel_brand", "car": "car_company"}


@cache
def listed(part: str) -> dict[str, frozenset[str]]:
    """Return the word lists in a section of `lexicon/claims.toml` (`words`, `topics`, `companies`…) by their keys."""
    return {name: frozenset(words.split()) for name, words in LEXICON.table("claims")[part].items()}


@cache
def concepts() -> dict[str, list[tuple[str, str, str]]]:
    """Return the claims of each concept as (section of the table, attribute, value)."""
    claims: dict[str, list[tuple[str, str, str]]] = {}
    for part in listed("topics"):
        for attribute, values in LEXICON.table("claims")[part].items():
            for value, concepts in values.items():
                for concept in concepts.split():
                    claims.setdefault(concept, []).append((part, attribute, value))
    return claims


@cache
def conditions() -> dict[str, tuple[str, str]]:
    """Return the key and the value of `when` for each concept that is a condition."""
    when = LEXICON.table("claims")["when"].items()
    return {name: (key, value) for key, values in when for value, names in values.items() for name in names.split()}


def written_as(name: str, text: str, topic: str) -> str | None:
    """Return the shortest phrase of `text` that means the concept `name`, or None.

    If the text uses a form of the concept's own name, the result is the base form: "train" for "trains".
    """
    if is_japanese(text):
        phrases = ((text[at : at + size]) for size in range(1, _LONGEST_JA) for at in range(len(text) - size + 1))
    else:
        spans = [match.span() for match in _WORDS.finditer(text)]
        folded = ((text[start:end], fold(text[start:end])) for start, end in spans)
        forms = [word for word, said in folded if same_stem(said, name) or said in (f"{name}s", f"{name}es")]
        if forms and name.isalpha():
            return forms[0] if fold(forms[0]) == name else name
        phrases = (
            text[spans[at][0] : spans[at + size - 1][1]]
            for size in range(1, _LONGEST + 1)
            for at in range(len(spans) - size + 1)
        )
    concepts = ((each, [item.name for item in items_of(each, topic) if item.role != "stop"]) for each in phrases)
    return next((each for each, items in concepts if items == [name]), None)


def with_companies_marked(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return `text` with each company replaced by a placeholder, and (attribute, written name) of each placeholder.

    A placeholder reads as one unknown word, so that "Holiday Inn" is neither a holiday nor an inn. The longest name
    wins: "Park Hyatt" over "Hyatt".
    """
    marks: dict[str, tuple[str, str]] = {}
    marked = unicodedata.normalize("NFKC", text)
    for company, pattern in companies():
        if match := pattern.search(marked):
            mark = f"Zq{'bcdfghjklm'[len(marks) % 10] * 2}x{'v' * (len(marks) // 10)}"
            marks[mark.casefold()] = (_ATTRIBUTES[company.kind], match[0])
            marked = re.sub(rf"(?<={mark}) (?:hotel )?(?:chain|group)\b", "", pattern.sub(mark, marked))
    return marked, marks


_FLIGHT_WORDS = frozenset({"航空券", "fare", "fares", "airfare", "airfares"})
_STARS_JA = re.compile(r"([1-5])つ星")
_MOST_STOPS, _MOST_BAGS, _MOST_STARS = 3, 9, 5

Value = tuple[str, str]
"""An attribute and its claimed value, as in ("departure_hour", ">=9")."""


def measured_in(text: str, topic: str, form: Form, items: Sequence[Item]) -> Iterator[Value]:
    """Yield the claims of the numbers in a statement; "never before nine" claims ">=9"."""
    names = {name for sign, name in form.atoms if sign > 0}
    if topic in listed("words")["money"] and (limit := _limit(names, {item.name for item in items})):
        yield limit
    if topic == "hotel" and (stars := _STARS_JA.search(text)):
        yield "stars", stars[1]
    stops = count_in(form) if "stops:some" in names and names & {"atmost", "回"} else None
    if stops and stops <= _MOST_STOPS:
        yield "stops", str(stops)
    if topic == "layover" and (minutes := count_in(form, "min")):
        least = any(name == "atleast" for _, name in form.atoms)
        yield "connection_minutes", f"{'>=' if least else '<='}{minutes}"
    flies = bool({"flight", "arrival"} & {item.name for item in items})
    if topic in listed("words")["hours"] and (flies or topic != "pace"):  # a day may begin at ten, too
        yield from hours_in(text, form)


def _limit(names: set[str], mentioned: set[str]) -> Value | None:
    """Return the budget for a night, a car or a flight, with the currency if one is named; None without a limit."""
    amounts = [name[1:] for name in names if re.match(r"#\d+(?:\.\d+)?$", name)]
    stay = "night_budget" if "pernight" in names or {"hotel", "room"} & mentioned else None
    attribute = "flight_budget" if "flight" in mentioned or _FLIGHT_WORDS & mentioned else stay
    attribute = "car_budget" if "car" in mentioned else attribute
    if len(amounts) != 1 or attribute is None or "atleast" in names or "pertrip" in names:
        return None
    currency = next((currency for currency in relations()["currencies"] if currency in names), "")
    if not (currency or names & {"atmost", "pernight"}):
        return None
    return attribute, f"<={amounts[0]} {currency.upper()}".strip()


def hours_in(text: str, form: Form) -> Iterator[Value]:
    """Yield the hours before or after which a statement wants flights to depart or arrive."""
    attribute = "arrival_hour" if NOTES.patterns("claims")["landing"].search(text) else "departure_hour"
    for segment in form.segments:
        times = [match for _, name in segment.atoms if (match := re.match(r"#0?([1-9]\d?)(?::00|(:\d\d))$", name))]
        sides = [(name == "before") == (sign > 0) for sign, name in segment.atoms if name in ("before", "afterwards")]
        if len(times) == len(sides) == 1:
            yield attribute, f"{'<=' if sides[0] else '>='}{times[0][1]}{times[0][2] or ''}"


def counted(attribute: str, value: str, form: Form) -> str:
    """Return the number of bags or stars in a statement, else `value`."""
    most = {"checked_bags": _MOST_BAGS, "stars": _MOST_STARS}.get(attribute)
    count = count_in(form) if most and value != "0" else None
    return str(count) if count and most and count <= most else value


def count_in(form: Form, unit: Literal["", "min"] = "") -> int | None:
    """Return the only whole number in a statement (two checked bags, 90 minutes); None for none or several."""
    numbers = [match[1] for _, name in form.atoms if (match := re.match(rf"#(\d+(?:\.\d+)?){unit}$", name))]
    return int(numbers[0]) if len(numbers) == 1 and numbers[0].isdigit() else None


_DAY = re.compile(r"(?P<year>\d{4})(?:[-/.年](?P<month>\d{1,2})(?:[-/.月](?P<day>\d{1,2})\b日?)?)?")


def documents_in(text: str, form: Form) -> Iterator[Value]:
    """Yield the countries of passports and visas, and the expiry of the passport (YYYY, YYYY-MM or YYYY-MM-DD)."""
    mentioned = {name for sign, name in form.atoms if sign > 0 or form.mood == "ends"}
    countries = sorted(name for name in mentioned if name.startswith("nation-"))
    if "passport" in mentioned:
        nations = LEXICON.table("claims")["nations"].items()
        yield from (("passport", code) for name in countries for code, nation in nations if name == f"nation-{nation}")
        if "expire" in mentioned and (expiry := _DAY.search(text)):
            month = next((f"{at:02d}" for at, name in enumerate(MONTHS, 1) if name in text.casefold()), None)
            parts = [expiry["year"], expiry["month"] or month, expiry["day"]]
            yield "passport_expiry", "-".join(part.zfill(2) for part in parts if part)
    if "visa" in mentioned:
        named = (written_as(name, text, "document") for name in [*countries, *sorted(mentioned & form.names)])
        yield from (("visa", words) for words in named if words)


def homes_in(text: str, form: Form) -> Iterator[tuple[str, int]]:
    """Yield the user's home city with sign 0; a former home, if no present one is named, with sign OVER."""
    patterns = NOTES.patterns("claims")
    lately = patterns["former_home"].sub("", text)
    now = patterns["home"].search(lately) or (patterns["home_now"].search(lately) if lately != text else None)
    if home := now or patterns["home"].search(text):
        over = not now or (form.mood == "ends" and lately == text)
        yield (home["city"] or home["town"]).rstrip(".")[:80], OVER if over else 0


OVER = 2
"""The sign of a claim that no longer holds: "no longer allergic to eggs"."""
_NAMING = CONTENT | {"list", "comma"}


def allergies(form: Form, items: Sequence[Item], topic: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield each allergen in a statement, in its own words, with sign 1, or OVER if the allergy has ended."""
    of_allergy = form.refused if (-1, "allergy") in form.atoms else ()
    turned = {opposite(name): name for name in of_allergy}  # "not allergic to nuts" is no diet without nuts
    atoms = ((-1, turned[name]) if name in turned else (sign, name) for sign, name in form.atoms if sign)
    signed = [(sign, name.removeprefix("<")) for sign, name in sorted(atoms)]
    patterns = NOTES.patterns("claims")
    over = {sign for sign, name in signed if name == "allergy"} == {-1}
    allergic = over or (1, "allergy") in form.atoms
    named = _allergens(items, near=over)
    ends, reason = over or (allergic and form.mood == "ends"), "allergy" in form.reasons and not allergic
    if ends or reason:  # "not allergic to nuts any more"; "I'm allergic to nuts, so please check the menu"
        unsaid = sorted(named - {name for _, name in signed})
        yield from ((words, OVER if ends else 1) for name in unsaid if (words := written_as(name, text, topic)))
    if not allergic and not (topic == "meal" and patterns["cannot"].search(text)):
        return
    contrasted = allergic and len({sign for sign, _ in signed}) > 1 and form.mood != "ends"
    for sign, name in signed:
        if name == "allergy" or name in concepts() or name[0] == "#" or not (allergic or sign < 0):
            continue
        words = written_as(name, text, topic) or ""
        denied = bool(words and patterns["allergy_denied"].match(text.partition(words)[2]))
        if words and (not allergic or name in named or denied):
            gone = ends or denied or (contrasted and sign < 0) or patterns["gone"].search(text)
            yield words, OVER if gone else 1


def _allergens(items: Sequence[Item], *, near: bool) -> set[str]:
    """Return the allergens: right before the allergy ("nut allergy"), else after it, else, unless `near`, before it."""
    names: set[str] = set()
    for at, item in enumerate(items):
        if item.name == "allergy":
            stops = (place for place in range(at - 1, -1, -1) if items[place].role not in _NAMING)
            beside = items[next(stops, -1) + 1 : at] if at and items[at - 1].role in CONTENT else ()
            names |= _contents(beside) or _contents(_members(items[at + 1 :])) or _contents(() if near else items[:at])
    return names


def _members(items: Sequence[Item]) -> list[Item]:
    """Return the members of a list, up to the start of another statement: "nuts and | my knee is bad"."""
    kept: list[Item] = []
    member: list[Item] = []
    for item in items:
        if item.role in ("stop", "reason"):
            break
        if item.role in ("like", "dislike") or (item.role == "filler" and member):
            return kept or member
        if item.role in ("list", "comma"):
            kept, member = [*kept, *member], []
        else:
            member += [item] if item.role in CONTENT else []
    return [*kept, *member]


def _contents(items: Sequence[Item]) -> set[str]:
    return {item.name for item in items if item.role in CONTENT and item.name not in relations()["accompanied"]}
