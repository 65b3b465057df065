"""Counts who travels from the people that a clause names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from models.offline.reading.understanding import Party

ADULT, CHILD = 12, 2
"""The least age in years of an adult and of a child that needs a seat."""
_GROWN = 20
"""The least age in years that is taken for that of a relation named beside it ("my dad, he's 78")."""


@dataclass(slots=True)
class Heads:
    """The people of a clause as they are named; `ages` in years, `within` are the young who are among `total`."""

    total: int = 0
    adults: int = 0
    children: int = 0
    infants: int = 0
    kin: int = 0
    """Grown people named by what they are to the traveller."""
    me: bool = False
    ages: list[int] = field(default_factory=list)
    within: bool = False
    no_children: bool = False
    joins: bool = False
    leaves: bool = False


def party_of(heads: Heads) -> Party | None:
    """Return who travels, as far as it was said; None for nobody."""
    young = [age for age in heads.ages if age < ADULT]
    infants = max(heads.infants, sum(age < CHILD for age in young))
    laps = max(0, sum(age < CHILD for age in young) - heads.infants)
    children = max(heads.children - (len(heads.ages) - len(young)) - laps, sum(age >= CHILD for age in young))
    grown_young = len(heads.ages) - len(young)
    adults = heads.adults + grown_young if heads.adults or (grown_young and not heads.total) else 0
    if heads.kin and not heads.adults:
        told = min(heads.kin, sum(age >= _GROWN for age in heads.ages))
        adults = heads.kin + grown_young - told + (1 if heads.me else 0)
    elif heads.me and not (heads.adults or heads.total):
        adults = 1 + grown_young
    if heads.total:
        rest = heads.total - children - infants if heads.within else heads.total
        adults = adults or (max(1, rest) if children or infants or heads.no_children else 0)
    ages = tuple(young)
    if grown_young and not (heads.total or heads.adults or heads.children or heads.infants or heads.kin or heads.me):
        return Party(ages=tuple(heads.ages))
    said = Party(heads.total or None, adults or None, children or None, infants or None, ages)
    if said == Party() and not heads.no_children:
        return None
    none = 0 if heads.no_children else None
    adults_known = said.adults or (said.total if heads.no_children else None)
    return Party(said.total, adults_known, said.children or none, said.infants or none, ages, heads.joins, heads.leaves)


def parsed_ages(said: Iterable[str], words: dict[str, int]) -> list[int]:
    """Return ages in digits or words."""
    return [int(each) if each.isdigit() else words[each] for each in said if each.isdigit() or each in words]
