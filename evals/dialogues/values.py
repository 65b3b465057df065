"""Compares one value with what a row names: text, places, numbers, dates, ranges and lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

PLACES = frozenset(("origin", "destination", "city", "to"))
_EXACT = frozenset(("cabin", "sort", "category", "topic", "kind", "source", "target", "features", "interests", "parts"))
"""Arguments whose values are of a closed list; what is free text may hold the words named."""
_DENIES_BEFORE = ("not", "no", "no longer", "never", "isn't", "without", "rather than", "instead of", "used to")
_DENIES_AFTER = ("is fine", "are fine", "any more", "anymore", "ではない", "ではなく", "じゃない")
_LATIN = re.compile(r"[a-z0-9]")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return text in lower case, without accents, with straight apostrophes and single spaces."""
    bare = "".join(_base(one) for one in unicodedata.normalize("NFKC", text))
    return " ".join(bare.replace("’", "'").casefold().split())


def _base(letter: str) -> str:
    """Return a Latin letter without its accents; others (Japanese voicing marks are no accents) as they are."""
    apart = unicodedata.normalize("NFD", letter)
    return apart[0] if apart[0].isascii() else letter


def position(phrase: str, text: str) -> int:
    """Return where `phrase` begins in `text` at a word's beginning (Japanese anywhere), -1 where it does not."""
    wanted, found = plain(phrase), plain(text)
    if not wanted or not _LATIN.match(wanted):
        return found.find(wanted) if wanted else -1
    match = re.search(rf"(?<![^\W_]){re.escape(wanted)}", found)
    return match.start() if match else -1


def holds(text: str, phrases: Iterable[str]) -> bool:
    """Return whether the text holds one of these words or phrases."""
    return any(position(phrase, text) >= 0 for phrase in phrases)


def asserts(text: str, phrase: str) -> bool:
    """Return whether a sentence of the text says `phrase` without denying it."""
    for sentence in re.split(r"(?<=[.!?。！？])\s*|\n+", text):
        at = position(phrase, sentence)
        if at < 0:
            continue
        before, after = plain(sentence)[:at], plain(sentence)[at + len(plain(phrase)) :]
        denied = any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", before) for word in _DENIES_BEFORE)
        if not denied and not any(word in after for word in _DENIES_AFTER):
            return True
    return False


def fits(name: str, wanted: Any, value: Any) -> bool:
    """Return whether the argument `name` has a value that a row allows."""
    if isinstance(value, list):
        return _list_fits(name, wanted, value)
    if isinstance(wanted, list):
        return any(fits(name, one, value) for one in wanted)
    if isinstance(wanted, Mapping):
        low, high = wanted["between"]
        return value is not None and (low <= value <= high if type(low) is type(value) else _number(low, value, high))
    if wanted is None or value is None:
        return wanted is value
    if isinstance(wanted, str):
        return _text_fits(name, wanted, str(value))
    return isinstance(value, int | float) and float(value) == float(wanted)


def _number(low: Any, value: Any, high: Any) -> bool:
    return all(isinstance(one, int | float) for one in (low, value, high)) and low <= value <= high


def _text_fits(name: str, wanted: str, value: str) -> bool:
    if name in PLACES:
        after = r"(?!\w)" if plain(wanted).isascii() else ""
        return position(wanted, value) >= 0 and bool(re.search(re.escape(plain(wanted)) + after, plain(value)))
    if name in _EXACT:
        return plain(wanted) == plain(value)
    return position(wanted, value) >= 0


def _list_fits(name: str, wanted: Any, values: list[Any]) -> bool:
    def is_in(one: Any) -> bool:
        return any(fits(name, one, value) for value in values)

    if isinstance(wanted, Mapping):
        return all(map(is_in, wanted.get("all", ()))) and not any(map(is_in, wanted.get("none", ())))
    listed = wanted if isinstance(wanted, list) else [wanted]
    return not listed or any(map(is_in, listed)) or (not values and None in listed)
