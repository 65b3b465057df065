"""Reads which offer or booking is meant: by its position in the list, name, hour, price, reference or sort order."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from models.offline.reading.form import Form, parts_of
from models.offline.reading.understanding import Choice, Clause, ReadingContext, Wishes
from models.offline.reading.values.hours import clock
from models.offline.reading.values.names import companies
from text.words import fold

_COMMON = frozenset(
    {"the", "and", "one", "hotel", "hotels", "inn", "house", "air", "airlines", "airways", "lines", "flight", "flights",
     "room", "rooms", "city", "center", "suites", "boutique", "grand", "park", "plaza", "royal", "place"}
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")


def read_choice(form: Form, names: Sequence[str], wishes: Wishes) -> Choice | None:
    """Return which offer a clause means, or None; "the cheapest" is one only if the clause takes it."""
    patterns, choice = form.patterns("wishes", "choice"), Choice()
    if patterns["compares"].search(form.text) or (wishes.sort and patterns["which_of"].search(form.text)):
        named_rows = [match for key in ("row", "nth") for match in patterns[key].finditer(form.text)]
        for row in named_rows:
            form.blank(*row.span(), "choice")
        places = sorted((row.start(), _ordinal(form, row)) for row in named_rows)
        rows = tuple(dict.fromkeys(place for _, place in places))
        return Choice(ordinal=rows[0] if rows else None, compares=True, rows=rows)
    if match := form.take_first(patterns["reference"], "choice"):
        choice = replace(choice, reference=f"TC-{match['reference'].upper()}")
    if match := form.take_first(patterns["unmeasured"], "choice"):  # 「一番大きいの」: no data can tell
        choice = replace(choice, name=match[0])
    for key in ("number", "nth"):
        if match := form.take_first(patterns[key], "choice"):
            choice = replace(choice, ordinal=_ordinal(form, match) if choice.ordinal is None else choice.ordinal)
    if match := form.take_first(patterns["price"], "choice"):
        choice = replace(choice, price=float(match["price"].replace(",", ".")))
    if match := form.take_first(patterns["hour"], "choice"):
        choice = replace(choice, hour=clock(form, parts_of(match)))
    brands = [brand.lower() for brand in (*wishes.airline, wishes.chain) if brand]
    shown = [name for name in names if any(brand in name.lower() for brand in brands)]
    if name := named(form, names) or (shown[0] if len(shown) == 1 else ""):
        choice = replace(choice, name=name)
    takes = form.says("take") or any(form.says(act, "acts") for act in ("book", "hold", "cancel", "choose"))
    if wishes.sort and (takes or patterns["definite"].search(form.text)):
        choice = replace(choice, sort=wishes.sort)
    if form.has("every") or patterns["every"].search(form.rest) or patterns["which_ones"].search(form.text):
        choice = replace(choice, every=True)
    if choice == Choice() and patterns["that"].search(form.text):
        choice = replace(choice, that=True)
    return choice if choice != Choice() else None


def read_leg(form: Form, context: ReadingContext) -> int | None:
    """Return the journey that a clause names ("the second leg"), or None; take a count of all ("all three"), too."""
    if context.journeys == 1:
        return None
    patterns = form.patterns("wishes", "journeys")
    for match in patterns["count"].finditer(form.rest):
        if form.words.number(parts_of(match)["n"]) == context.journeys:
            form.blank(*match.span(), "every")
    leg = form.take_first(patterns["leg"], "choice")
    return _ordinal(form, leg) if leg else None


def without_refused(form: Form, clause: Clause) -> Clause:
    """Return a clause without the choices and companies that its words refuse ("not the first one", "no Ryanair")."""
    airlines, chain = clause.wishes.airline, clause.wishes.chain
    named = (*airlines, *clause.wishes.without, chain, clause.choice and clause.choice.name)
    without, corrects = _refused(form, [name for name in named if name]), form.patterns("acts", "refusal")["corrected"]
    places = sorted((place, name) for name in airlines if (place := _place_of(form, name)))
    corrected = {one for (left, one), (right, _) in pairwise(places) if corrects.search(form.text[left[1] : right[0]])}
    pointed = clause.choice is not None and clause.choice.ordinal is not None
    skipped = pointed and any(_is_refused(form, (at, end)) for at, end, what in form.taken if what == "choice")
    if not (without or skipped or corrected):
        return clause
    airlines = tuple(name for name in airlines if name not in (*without, *corrected))
    chain = None if chain in without else chain
    without = tuple(dict.fromkeys((*clause.wishes.without, *without)))
    wishes = replace(clause.wishes, airline=airlines, chain=chain, without=without, others=skipped)
    return replace(clause, wishes=wishes, choice=None)


def _refused(form: Form, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are refused; a refusal of one extends to all that are joined to it by "or" or "and"."""
    places = {name: place for name in dict.fromkeys(names) if (place := _place_of(form, name))}
    refused = {name for name, place in places.items() if _is_refused(form, place)}
    row = sorted(places, key=lambda name: places[name])
    pairs = [*pairwise(row)]
    for one, other in (*pairs, *pairs[::-1]):
        between = form.text[places[one][1] : places[other][0]]
        if {one, other} & refused and form.patterns("acts", "refusal")["joint"].fullmatch(between):
            refused |= {one, other}
    return tuple(name for name in row if name in refused)


def _place_of(form: Form, name: str) -> tuple[int, int] | None:
    """Return (start, end) of the mention of a company or an offer, or None."""
    own = (form.patterns("wishes", section).get(name) for section in ("airline", "chain"))
    patterns = [*filter(None, own), *(pattern for company, pattern in companies() if company.name == name)]
    words = [each for each in _WORD.findall(fold(name)) if each not in _COMMON and len(each) > 2]
    for pattern in (*patterns, *(re.compile(rf"\b{re.escape(each)}\b") for each in words)):
        if match := pattern.search(form.text):
            return match.span()
    return next(((at, end) for at, end, what in form.taken if what in ("airline", "chain", "choice")), None)


def _is_refused(form: Form, place: tuple[int, int]) -> bool:
    patterns = form.patterns("acts", "refusal")
    if match := patterns["after"].match(form.text, place[1]):
        form.blank(place[1], match.end(), "refused")
    return bool(match or patterns["before"].search(form.text[: place[0]]))


def _ordinal(form: Form, match: re.Match[str]) -> int:
    """Return the position in the list, from 0 or negative from the end: by a number, a word or a group of the table."""
    parts = parts_of(match)
    if "n" in parts:
        return form.words.number(parts["n"]) - 1
    if "below" in parts:
        return -form.words.number(parts["below"])
    places: dict[str, int] = form.words.table("wishes")["nth"]
    return next(places[key] for key in (parts.get("nth"), *parts) if key in places)


def named(form: Form, names: Sequence[str]) -> str:
    """Return which of the names shown a clause mentions, in full or by words that no other name has; empty for none."""
    spoken = f" {' '.join(_WORD.findall(form.rest))} "
    words = {name: _WORD.findall(fold(name)) for name in names}
    whole = [name for name, parts in words.items() if parts and f" {' '.join(parts)} " in spoken]
    points = {
        name: sum(f" {word} " in spoken for word in parts if word not in _COMMON and len(word) > 2)
        for name, parts in words.items()
    }
    best = max(points.values(), default=0)
    leading = [name for name, score in points.items() if score == best]
    name = max(whole, key=len) if whole else leading[0] if best and len(leading) == 1 else ""
    for word in words.get(name, ()):
        if len(word) > 2 and (match := re.search(rf"\b{word}\b", form.rest)):
            form.blank(match.start(), match.end(), "choice")
    return name
