"""The table of what concepts claim: attributes with their values, conditions, and where each may be claimed."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from models.offline.notes.meaning.lexicon import FOLDER

ANY = "+"
"""Stands for a free name."""
_OTHER_TABLES = frozenset({"topics", "rest", "when", "nations"})


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))


@cache
def topics() -> dict[str, frozenset[str]]:
    """Return notes of which topics may claim what of each part of the table."""
    return {part: frozenset(topics.split()) for part, topics in _tables()["topics"].items()}


@cache
def nations() -> dict[str, str]:
    """Return the code of each country by its concept."""
    return {f"nation-{name}": code for code, name in _tables()["nations"].items()}


@cache
def concepts() -> dict[str, list[tuple[str, str, str]]]:
    """Return what each concept claims: the part of the table, the attribute and the value."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for part, attributes in _tables().items():
        for attribute, values in attributes.items() if part not in _OTHER_TABLES else ():
            for value, concepts in values.items():
                for concept in concepts.split():
                    found.setdefault(concept, []).append((part, attribute, value))
    return found


@cache
def conditions() -> dict[str, tuple[str, str]]:
    """Return the key and the value of `when` for each concept that is a condition."""
    listed = [(key, value, names) for key, values in _tables()["when"].items() for value, names in values.items()]
    return {name: (key, value) for key, value, names in listed for name in names.split()}


def rest() -> dict[str, str]:
    """Return the free attribute that takes what is left over in notes of a topic."""
    found: dict[str, str] = _tables()["rest"]
    return found
