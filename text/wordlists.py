"""Reads the word lists of `words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "words.toml"


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def word_list(name: str) -> tuple[str, ...]:
    """Return the named list in its order. Raises KeyError when there is none."""
    words: str = _lists()[name]
    return tuple(words.split())


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the named list as a set. Raises KeyError when there is none."""
    return frozenset(word_list(name))


@cache
def irregular_forms() -> dict[str, str]:
    """Return the English forms that no stemmer joins, each with the form it is indexed under."""
    forms: dict[str, str] = _lists()["irregular"]
    return {form: base for base, irregular in forms.items() for form in irregular.split()}
