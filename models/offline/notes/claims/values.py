"""The tables of claims, and the amounts, hours, counts, papers and names of companies that statements claim."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import relations
from models.offline.reading.values.names import companies
from models.offline.tables import LEXICON
from text.numbers import MONTHS
from text.words import fold, is_japanese, same_stem

ANY = "+"
"""Stands for a free name."""
_WORDS = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_LONGEST, _LONGEST_JA = 4, 12
"""The words, and the Japanese characters, of the longest phrase that is looked at."""
_ATTRIBUTES = {"airline": "airline", "hotel": "hotel_brand", "car": "car_company"}


@cache
def listed(part: str) -> dict[str, frozenset[str]]:
    """Return the lists of a part of `lexicon/claims.toml` by their names: `words`, `topics`, `companies`…"""
    return {name: frozenset(words.split()) for name, words in LEXICON.table("claims")[part].items()}


@cache
def concepts() -> dict[str, list[tuple[str, str, str]]]:
    """Return what each concept claims: the part of the table, the attribute and the value."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for part in listed("topics"):
        for attribute, values in LEXICON.table("claims")[part].items():
            for value, concepts in values.items():
                for concept in concepts.split():
                    found.setdefault(concept, []).append((part, attribute, value))
    return found


@cache
def conditions() -> dict[str, tuple[str, str]]:
    """Return the key and the value of `when` for each concept that is a condition."""
    when = LEXICON.table("claims")["when"].items()
    return {name: (key, value) for key, values in when for value, names in values.items() for name in names.split()}


def written_as(name: str, text: str, topic: str) -> str | None:
    """Return the shortest words of `text` that mean the concept `name`; None where no phrase does.

    A concept that the text calls by its own name stays so: "trains" and "a train" are both "train".
    """
    if is_japanese(text):
        found = ((text[at : at + size]) for size in range(1, _LONGEST_JA) for at in range(len(text) - size + 1))
    else:
        spans = [match.span() for match in _WORDS.finditer(text)]
        folded = ((text[start:end], fold(text[start:end])) for start, end in spans)
        own = [word for word, said in folded if same_stem(said, name) or said in (f"{name}s", f"{name}es")]
        if own and name.isalpha():
            return own[0] if fold(own[0]) == name else name
        found = (
            text[spans[at][0] : spans[at + size - 1][1]]
            for size in range(1, _LONGEST + 1)
            for at in range(len(spans) - size + 1)
        )
    concepts = ((each, [item.name for item in items_of(each, topic) if item.role != "stop"]) for each in found)
    return next((each for each, named in concepts if named == [name]), None)


def with_companies_marked(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return `text` with each company replaced by a mark, and the attribute and the written name of each mark.

    A mark reads as one unknown word, so that "Holiday Inn" is neither a holiday nor an inn. Of "Park Hyatt" and
    "Hyatt" the longer one is found.
    """
    marks: dict[str, tuple[str, str]] = {}
    left = unicodedata.normalize("NFKC", text)
    for company, pattern in companies():
        if found := pattern.search(left):
            mark = f"Zq{'bcdfghjklm'[len(marks) % 10] * 2}x{'v' * (len(marks) // 10)}"
            marks[mark.casefold()] = (_ATTRIBUTES[company.kind], found[0])
            left = re.sub(rf"(?<={mark}) (?:hotel )?(?:chain|group)\b", "", pattern.sub(mark, left))
    return left, marks


_FLIGHT_WORDS = frozenset({"航空券", "fare", "fares", "airfare", "airfares"})
_CLOCK = re.compile(
    r"\b(?P<side>before|until|by|earlier than|after|from|later than)\s+(?:(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?"
    r"\s*(?P<half>[ap]\.?m\b\.?)?|(?P<noon>noon))",
    re.IGNORECASE,
)
_CLOCK_JA = re.compile(
    r"(?P<half>午前|午後)?(?:(?P<hour>\d{1,2})時(?P<minute>半)?|(?P<noon>正午))(?P<side>より前|以前|前|まで|以降|過ぎ|より後|以後)"
)
_EARLIER = frozenset({"before", "until", "by", "earlier than", "より前", "以前", "前", "まで"})
_LANDING = re.compile(r"\b(arriv\w*|land(s|ing|ed)?)\b|到着|着く|着き", re.IGNORECASE)
_STARS_JA = re.compile(r"([1-5])つ星")
_MOST_STOPS, _MOST_BAGS, _MOST_STARS = 3, 9, 5

Value = tuple[str, str]
"""An attribute and what is claimed of it, as in ("departure_hour", ">=9")."""


def measured_in(text: str, topic: str, form: Form, items: Sequence[Item]) -> Iterator[Value]:
    """Yield what the numbers of a statement claim; "never before nine" is after nine."""
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
    if topic in listed("words")["hours"]:
        yield from hours_in(text, form)


def _limit(names: set[str], said: set[str]) -> Value | None:
    """Return the most that a night, a day of a car or a flight may cost, in the coin that is named, if any."""
    amounts = [name[1:] for name in names if re.match(r"#\d+(?:\.\d+)?$", name)]
    stay = "night_budget" if "pernight" in names or {"hotel", "room"} & said else None
    attribute = "flight_budget" if "flight" in said or _FLIGHT_WORDS & said else stay
    attribute = "car_budget" if "car" in said else attribute
    if len(amounts) != 1 or attribute is None or "atleast" in names or "pertrip" in names:
        return None
    coin = next((coin for coin in relations()["currencies"] if coin in names), "")
    if not (coin or names & {"atmost", "pernight"}):
        return None
    return attribute, f"<={amounts[0]} {coin.upper()}".strip()


def hours_in(text: str, form: Form) -> Iterator[Value]:
    """Yield the hours before or after which a statement wants flights to leave or to land."""
    attribute = "arrival_hour" if is_landing(text) else "departure_hour"
    matches = [*_CLOCK.finditer(text), *_CLOCK_JA.finditer(text)]
    for match in matches:
        hour = _hour(match)
        if hour is not None:
            yield attribute, f"{_side(match['side'], form, alone=len(matches) == 1)}{hour}"


def is_landing(text: str) -> bool:
    """Return True when `text` speaks of when a flight lands."""
    return bool(_LANDING.search(text))


def _side(written: str, form: Form, *, alone: bool) -> str:
    """Return the side of a time of day that is wanted: the form of the statement has turned round what is refused."""
    said = {name: sign for sign, name in form.atoms if sign and name in ("before", "afterwards")}
    if alone and len(said) == 1:
        ((name, sign),) = said.items()
        return "<=" if (name == "before") == (sign > 0) else ">="
    refused = not said and any(sign < 0 for sign, _ in form.atoms)
    return "<=" if (written.casefold() in _EARLIER) != refused else ">="


def _hour(match: re.Match[str]) -> str | None:
    """Return an hour of the day with its minutes where it has any, as in "9" and "18:30"."""
    if match["noon"]:
        return "12"
    hour, half = int(match["hour"]), (match["half"] or "").casefold()
    if half.startswith(("p", "午後")) and hour < 12:
        hour += 12
    elif half.startswith(("a", "午前")) and hour == 12:
        hour = 0
    minute = 30 if match["minute"] == "半" else int(match["minute"] or 0)
    if hour >= 24 or minute >= 60:
        return None
    return f"{hour}:{minute:02d}" if minute else str(hour)


def counted(attribute: str, value: str, form: Form) -> str:
    """Return the number that a statement names of bags or stars, else `value`."""
    most = {"checked_bags": _MOST_BAGS, "stars": _MOST_STARS}.get(attribute)
    count = count_in(form) if most and value != "0" else None
    return str(count) if count and most and count <= most else value


def count_in(form: Form, unit: Literal["", "min"] = "") -> int | None:
    """Return the one whole number that a statement names, as in two checked bags, four stars, or 90 minutes."""
    found = [match[1] for _, name in form.atoms if (match := re.match(rf"#(\d+(?:\.\d+)?){unit}$", name))]
    return int(found[0]) if len(found) == 1 and found[0].isdigit() else None


_DAY = re.compile(r"(?P<year>\d{4})(?:[-/.年](?P<month>\d{1,2})(?:[-/.月](?P<day>\d{1,2})\b日?)?)?")


def documents_in(text: str, form: Form) -> Iterator[Value]:
    """Yield the countries of passports and visas, and until when the passport is valid."""
    said = {name for sign, name in form.atoms if sign > 0 or form.mood == "ends"}
    countries = sorted(name for name in said if name.startswith("nation-"))
    if "passport" in said:
        nations = LEXICON.table("claims")["nations"].items()
        yield from (("passport", code) for name in countries for code, nation in nations if name == f"nation-{nation}")
        if "expire" in said and (found := _DAY.search(text)):
            month = next((f"{at:02d}" for at, name in enumerate(MONTHS, 1) if name in text.casefold()), None)
            parts = [found["year"], found["month"] or month, found["day"]]
            yield "passport_expiry", "-".join(part.zfill(2) for part in parts if part)
    if "visa" in said:
        named = (written_as(name, text, "document") for name in [*countries, *sorted(said & form.names)])
        yield from (("visa", words) for words in named if words)
