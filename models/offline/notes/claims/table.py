"""The table of what concepts claim: attributes with their values, conditions, and where each may be claimed."""

from __future__ import annotations

from functools import cache

from models.offline.notes.meaning.lexicon import read_table

ANY = "+"
"""Stands for a free name."""


@cache
def listed(part: str) -> dict[str, frozenset[str]]:
    """Return the lists of a part of `lexicon/claims.toml` by their names: `words`, `topics`, `companies`…"""
    return {name: frozenset(words.split()) for name, words in read_table("claims")[part].items()}


@cache
def names(part: str) -> dict[str, str]:
    """Return a part of the table that gives each name one other: `parts`, `rest`."""
    return dict(read_table("claims")[part])


@cache
def nations() -> dict[str, str]:
    """Return the code of each country by its concept."""
    return {f"nation-{name}": code for code, name in names("nations").items()}


@cache
def concepts() -> dict[str, list[tuple[str, str, str]]]:
    """Return what each concept claims: the part of the table, the attribute and the value."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for part in listed("topics"):
        for attribute, values in read_table("claims")[part].items():
            for value, concepts in values.items():
                for concept in concepts.split():
                    found.setdefault(concept, []).append((part, attribute, value))
    return found


@cache
def conditions() -> dict[str, tuple[str, str]]:
    """Return the key and the value of `when` for each concept that is a condition."""
    when = read_table("claims")["when"].items()
    return {name: (key, value) for key, values in when for value, names in values.items() for name in names.split()}
