"""Reads who travels: counts, ages, relations, who joins and who stays at home."""

from __future__ import annotations

import re

from models.offline.en.patterns import Groups, pattern, patterns
from models.offline.en.tokens import Form
from models.offline.reading.party import Heads, parsed_ages, party_of
from models.offline.reading.understanding import Party, ReadingContext
from text.numbers import COUNT_WORDS
from text.spelled import NUMBER_WORDS

_FOR_KIN = re.compile(r"\b(?:for|it is|just) (?:my|our|\d|two|three|four|five) ")
_ONE_IS = re.compile(r"\b(?:one|two|1|2)(?: of (?:us|them))? (?:is|are)(?: an?)? $")
_CHILDREN = re.compile(r"\b(?:the|our|my) (?:kids|children|boys|girls|twins)\b")
_TWINS = re.compile(r"\btwins?\b")
_NAME = re.compile(r"\b(?!and\b|plus\b)[a-z]+\b")
_GIRLS = re.compile(r"\b(?:girls|boys)\b")
_PARTY = 5
"""Girls or boys of no age from which they are grown people out together rather than the children of somebody."""
_SELF = re.compile(r"\b(?:me|myself|i)\b")


def read_party(form: Form, context: ReadingContext) -> Party | None:
    """Return who travels by what is left of a clause, and blank it out; None where nobody is named."""
    known, heads = patterns("people", "people"), Heads()
    heads.leaves = bool(known["leaves"].search(form.text))
    heads.joins = bool(known["joins"].search(form.text)) and not heads.leaves
    if context.asked == "ages" and (match := form.first(pattern("people", "asked", "ages"), "people")):
        heads.ages = [age - bool(match["under"]) for age in _ages(match["ages"])]
        return party_of(heads)
    _read_ages(form, known, heads)
    _read_young(form, known, heads)
    if _TWINS.search(form.whole):
        heads.children = max(2, heads.children)
        heads.ages = heads.ages * 2 if len(heads.ages) == 1 else heads.ages
    _read_grown(form, known, heads)
    if heads.leaves and not (heads.children or heads.ages) and _CHILDREN.search(form.whole):
        heads.no_children, heads.leaves = True, False
    open_trip = context.trip_open and not context.offers_shown and context.asked is None
    if (
        not _any(heads)
        and (context.asked == "people" or open_trip)
        and (match := form.first(pattern("people", "asked", "people"), "people"))
    ):
        heads.total = _count(match["count"])
    heads.no_children = heads.no_children or bool(
        heads.total and known["nobody_else"].search(form.whole) and not (heads.children or heads.infants or heads.ages)
    )
    if heads.joins and not _any(heads) and (match := form.first(known["one_more"], "people")):
        heads.children += match["who"] in {"child", "kid"}
        heads.infants += match["who"] in {"baby", "infant"}
        heads.adults += not (heads.children or heads.infants)
    if heads.total or (heads.adults and not re.search(r"\bmore\b|\banother\b", form.whole)):
        heads.joins = heads.joins and not (heads.total or heads.adults > 1)
    if heads.kin and not (
        heads.me or heads.joins or heads.leaves or heads.total or heads.adults or _FOR_KIN.search(form.whole)
    ):
        heads.kin = heads.kin if heads.children or heads.infants or heads.ages else 0
    heads.leaves = heads.leaves and not (heads.total or (heads.adults and not known["one_less"].search(form.whole)))
    if not _any(heads):
        heads.joins = heads.leaves = False
    return party_of(heads)


def _any(heads: Heads) -> bool:
    return bool(heads.total or heads.adults or heads.children or heads.infants or heads.kin or heads.ages or heads.me)


def _read_ages(form: Form, known: Groups, heads: Heads) -> None:
    for match in form.take(known["parent_of"], "people"):
        heads.me = True
        heads.ages += _ages(match["ages"] or "")
        heads.children += max(0, _count(match["count"]) - len(heads.ages))
    for match in form.take(known["months_old"], "people"):
        heads.ages += [] if "pregnant" in form.whole else [int(match["months"]) // 12]
    for match in form.take(known["ages_of"], "people"):
        ages = _ages(match["ages"])
        heads.ages += ages
        heads.children += max(0, _count(match["count"] or "0") - len(ages))
    young = re.search(
        r"\b(?:kid|child|son|daughter|boy|girl|baby|toddler|she|he|eldest|oldest|youngest|big one|little one)\b",
        form.text,
    )
    told = known["she_is"].search(form.whole) if young and not heads.ages else None
    if told:
        form.blank(told.start(), told.end(), "people")
        heads.ages += _ages(told["ages"])
    for key in ("years_old", "aged"):
        for match in form.take(known[key], "people"):
            ages = _ages(match["ages"] or match["both"])
            heads.within = heads.within or bool(_ONE_IS.search(form.whole[: match.start()]))
            heads.ages += ages * (
                _count(match["count"]) if key == "years_old" and match["count"] and len(ages) == 1 else 1
            )


def _read_young(form: Form, known: Groups, heads: Heads) -> None:
    if form.first(known["one_infant"], "people"):
        heads.infants, heads.within = heads.infants + 1, True
    if match := form.first(known["one_child"], "people"):
        heads.children, heads.within = heads.children + _count(match["count"] or match["counted"]), True
    heads.no_children = bool(form.first(known["all_adults"], "people"))
    if not re.search(r"\b(?:pregnant|expecting)\b", form.whole):
        heads.infants += sum(_count(match["count"] or "1") for match in form.take(known["infants"], "people"))
        if heads.ages and heads.infants:
            heads.infants = max(heads.infants, sum(age < 2 for age in heads.ages))
    for match in form.take(known["children"], "people"):
        if _count(match["count"]) >= _PARTY and _GIRLS.search(match[0]) and not heads.ages:
            heads.adults += _count(match["count"])
        else:
            heads.children += _count(match["count"])
    for match in form.take(known["my_children"], "people"):
        plural = re.search(r"(?:s|children)$", match["kids"])
        heads.children += (
            _count(match["count"])
            if match["count"] in COUNT_WORDS or (match["count"] or "").isdigit()
            else (0 if plural else 1)
        )


def _read_grown(form: Form, known: Groups, heads: Heads) -> None:
    heads.adults += sum(_count(match["count"]) for match in form.take(known["adults"], "people"))
    heads.me = heads.me or bool(known["with_me"].search(form.text))
    if form.first(known["one_less"], "people"):
        heads.adults, heads.leaves = 1, True
    if form.first(known["us_two"], "people"):
        heads.total = 2
    if match := form.first(known["couples"], "people"):
        heads.total = 2 * _count(match["count"])
    for key in ("of_us", "corrected", "labelled", "family", "people", "in_total", "we_are"):
        if not heads.total and (match := form.first(known[key], "people")):
            heads.total = _count(match["count"])
            heads.within = heads.within or key == "family"
    for match in form.take(known["kin"], "people"):
        heads.kin += 1
        heads.me = heads.me or bool(
            re.search(
                r"\bwith (?:my|our|a|the) $|\bwith $|\bwith my (?:\w+ )?$",
                match.string[: match.start()] + match[0][: match[0].find(match["kin"])],
            )
        )
    for match in form.take(known["kins"], "people"):
        heads.kin += _count(match["count"] or match["number"] or "two")
        heads.me = heads.me or bool(re.search(r"\bwith ", match.string[max(0, match.start() - 6) : match.end()]))
    if not _any(heads) and (match := form.first(known["named"], "people")):
        heads.total = 1 + len(_NAME.findall(match["names"]))
    if form.first(known["alone"], "people"):
        heads.total = heads.total or 1
    heads.me = heads.me or bool(
        re.search(r"\b(?:me|myself) (?:and|plus|with|,)|\bme and\b", form.whole)
        and (heads.children or heads.infants or heads.ages)
    )
    heads.me = heads.me or bool(
        _any(heads) and re.search(r"\b(?:with|bringing|taking) (?:my|our)\b", form.whole) and not heads.joins
    )
    if heads.me:
        form.first(_SELF, "people")


def _ages(said: str) -> list[int]:
    return parsed_ages(re.findall(r"\w+", said), dict(NUMBER_WORDS))


def _count(said: str) -> int:
    return int(said) if said.isdigit() else COUNT_WORDS.get(said, 0)
