"""The tables of claims: the words that stand for concepts, what each concept claims, and the names of companies."""

import re
import unicodedata
from functools import cache

from models.offline.notes.meaning.items import items_of
from models.offline.reading.values.names import companies
from models.offline.tables import LEXICON
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
def names(part: str) -> dict[str, str]:
    """Return a part of the table that gives each name one other: `parts`, `rest`."""
    return dict(LEXICON.table("claims")[part])


@cache
def nations() -> dict[str, str]:
    """Return the code of each country by its concept."""
    return {f"nation-{name}": code for code, name in names("nations").items()}


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
            left = pattern.sub(mark, left)
    return left, marks
