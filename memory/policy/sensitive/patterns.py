"""Reads the regular expressions of `tables/`, one file for each kind of data, and compiles each at its first use.

`file.name` names a pattern, or a list of alternative patterns. A pattern may refer to others: `(?&name)` in the same
file, `(?&file.name)` in another; `(?&digits 4 8)` and `(?&mixed 6 10)` match a value of that many characters.
Line breaks in a pattern are ignored. Case is ignored unless the pattern says `(?-i:...)`. `READINGS` prepare a text for
detectors: in lower case, without the ordinary numbers of travel, and the like.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from text.tables import Words

_TABLES = Words(Path(__file__).parent / "tables")
_MASK = " \u2205 "
"""Replaces removed parts of a text."""
_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")
_REFERENCE = re.compile(r"\(\?&(?:(\w+)\.)?(\w+)(?: (\d+) (\d+))?\)")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile `pattern` at its first use: compiling all of them at import would take longer than most runs.

    `\\w` and `\\b` are ASCII only, so that there is a word boundary between a Japanese word and a number.
    """
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def has_any(words: str, text: str) -> bool:
    """Return whether one of `words`, separated by `|`, is a substring of `text`."""
    return any(map(text.__contains__, words.split("|")))


def search(name: str, text: str) -> re.Match[str] | None:
    """Return the first match of the named pattern, or of the first pattern of a list that matches."""
    return next(finditer(name, text), None)


def finditer(name: str, text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of the named pattern or patterns."""
    for pattern in _named(name):
        yield from pattern.finditer(text)


def without(text: str, *names: str, new: str = _MASK) -> str:
    """Return `text` with the matches of the named patterns replaced by `new`, one pattern after the other."""
    for pattern in (pattern for name in names for pattern in _named(name)):
        text = pattern.sub(new, text)
    return text


@cache
def words(name: str) -> frozenset[str]:
    """Return the named list of words, which is separated by spaces."""
    return frozenset(_value(name).split())


@cache
def records(name: str) -> tuple[dict[str, Any], ...]:
    """Return the named tables, with the references in their strings resolved."""
    file = name.partition(".")[0]
    return tuple(
        {key: _resolve(file, field) if isinstance(field, str) else field for key, field in record.items()}
        for record in _value(name)
    )


@cache
def _named(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(compiled, _sources(name)))


@cache
def _sources(name: str) -> tuple[str, ...]:
    value = _value(name)
    patterns = [value] if isinstance(value, str) else value
    return tuple(_resolve(name.partition(".")[0], pattern) for pattern in patterns)


def _value(name: str) -> Any:
    file, _, key = name.partition(".")
    return _TABLES.table(file)[key]


def _resolve(file: str, pattern: str) -> str:
    def resolved(reference: re.Match[str]) -> str:
        other, name, fewest, most = reference.groups()
        if fewest:
            return (_digits if name == "digits" else _mixed)(int(fewest), int(most))
        return _sources(f"{other or file}.{name}")[0]

    return _REFERENCE.sub(resolved, pattern.replace("\n", ""))


def _digits(fewest: int, most: int) -> str:
    return rf"(?<![\d])\d(?:[\s.\-/の]{{0,2}}\d){{{fewest - 1},{most - 1}}}(?!\d)"


def _mixed(fewest: int, most: int) -> str:
    """Return a pattern for `fewest`..`most` letters and digits with two digits or more, spaced or dashed in groups."""
    whole = rf"(?=(?:[a-z]*\d){{2}})[a-z0-9]{{{fewest},{most}}}"
    spaced = (
        r"(?!(?:in|on|at|to|by|of|is|no|nr|for|and|the|my|id|was|are|as|from|"
        r"till?)\b)[a-z]{1,3}(?:[\s\-.]?\d){3,12}(?:[\s\-.]?[a-z](?![a-z]))?"
    )
    dashed = r"(?=(?:[a-z\-]*\d){2})(?:[a-z0-9]{2,5}-){1,4}[a-z0-9]{2,5}"
    return rf"(?<![a-z0-9])(?:{whole}|{spaced}|{dashed})(?![a-z0-9])"


def full_years(text: str) -> list[int]:
    """Return the years of the full dates in `text`; 0 for one counted in Japanese eras."""
    years = (re.search(r"(?:18|19|20)\d\d", match.group()) for match in finditer("dates.full_date", text))
    return [int(year.group()) if year else 0 for year in years]


@lru_cache(maxsize=64)
def mask(text: str) -> str:
    """Return `text` without dates, times and amounts of money; cached, since many detectors read the same text."""
    if not re.search(r"\d", text):
        return text
    text = without(text, "dates.years", "dates.full_date", "dates.money", "dates.time", "dates.plain_date")
    return re.sub(r"\u2205(?:\s*[-~to]{1,2}\s*\u2205)+", "\u2205", text)


def without_memberships(text: str) -> str:
    """Return `text` without the numbers of loyalty programmes, which travellers may have remembered."""
    return without(text, "ordinary_numbers.member_forward", "ordinary_numbers.member_behind")


@lru_cache(maxsize=64)
def without_ordinary_numbers(text: str) -> str:
    """Return `text` without dates, times, amounts, memberships, quantities, flights, aircraft, rooms and seats.

    What is left should be an identifier or a secret.
    """
    return without(_numbers(text), "ordinary_numbers.flight", "ordinary_numbers.travel")


@lru_cache(maxsize=64)
def _numbers(text: str) -> str:
    return without_memberships(mask(text))


def _places(text: str) -> str:
    return without(mask(text), "street_addresses.near", new=r"\1")


READINGS: dict[str, Callable[[str], str]] = {
    "text": str,
    "lowered": str.lower,
    "numbers": _numbers,
    "unexplained": without_ordinary_numbers,
    "places": _places,
    "lowered_places": lambda text: _places(text).lower(),
    "phones": lambda text: without_memberships(_places(text)),
    "large_things": lambda text: without(mask(text.lower()), "lock_codes.small_things", new=" "),
    "mail": lambda text: re.sub(r" ?\u00b7 ?", "", text.lower()).translate(_BRACKETS),
}
"""The functions that prepare a text for a detector, by their names in `tables/detectors.toml`."""
