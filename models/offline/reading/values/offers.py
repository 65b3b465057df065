"""Reads which offer or booking is meant: by place in the list, name, hour, price, reference, or what sorts it first."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from models.offline.reading.form import Form, parts_of
from models.offline.reading.understanding import Choice, Clause, Wishes
from models.offline.reading.values.names import companies
from models.offline.reading.values.wishes import clock
from text.words import fold

_COMMON = frozenset(
    {"the", "and", "one", "hotel", "hotels", "inn", "house", "air", "airlines", "airways", "lines", "flight", "flights",
     "room", "rooms", "city", "center", "suites", "boutique", "grand", "park", "plaza", "royal", "place"}
)  # fmt: skip
_WORD = re.compile(r"[a-z0-9]+")


def read_choice(form: Form, names: Sequence[str], wishes: Wishes) -> Choice | None:
    """Return which offer a clause means; None for none. What is to be `sort`ed first is one where it is taken."""
    known, found = form.patterns("wishes", "choice"), Choice()
    if known["compares"].search(form.whole) or (wishes.sort and known["which_of"].search(form.whole)):
        named_rows = [match for key in ("row", "nth") for match in known[key].finditer(form.whole)]
        for row in named_rows:
            form.blank(*row.span(), "choice")
        places = sorted((row.start(), _ordinal(form, row)) for row in named_rows)
        rows = tuple(dict.fromkeys(place for _, place in places))
        return Choice(ordinal=rows[0] if rows else None, compares=True, rows=rows)
    if match := form.first(known["reference"], "choice"):
        found = replace(found, reference=f"TC-{match['reference'].upper()}")
    if match := form.first(known["unmeasured"], "choice"):  # 「一番大きいの」: no offer is called that, so it is asked
        found = replace(found, name=match[0])
    for key in ("number", "nth"):
        if match := form.first(known[key], "choice"):
            found = replace(found, ordinal=_ordinal(form, match) if found.ordinal is None else found.ordinal)
    if match := form.first(known["price"], "choice"):
        found = replace(found, price=float(match["price"].replace(",", ".")))
    if match := form.first(known["hour"], "choice"):
        found = replace(found, hour=clock(form, parts_of(match)))
    brands = [brand.lower() for brand in (*wishes.airline, wishes.chain) if brand]
    shown = [name for name in names if any(brand in name.lower() for brand in brands)]
    if name := named(form, names) or (shown[0] if len(shown) == 1 else ""):
        found = replace(found, name=name)
    takes = form.says("take") or any(form.says(act, "acts") for act in ("book", "hold", "cancel", "choose"))
    if wishes.sort and (takes or known["definite"].search(form.whole)):
        found = replace(found, sort=wishes.sort)
    if known["every"].search(form.left) or known["which_ones"].search(form.whole):
        found = replace(found, every=True)
    if found == Choice() and known["that"].search(form.whole):
        found = replace(found, that=True)
    return found if found != Choice() else None


def less_refused(form: Form, clause: Clause) -> Clause:
    """Return a clause that takes and wishes for nothing that its words refuse ("not the first one", "no Ryanair")."""
    airlines, chain = clause.wishes.airline, clause.wishes.chain
    named = (*airlines, *clause.wishes.without, chain, clause.choice and clause.choice.name)
    without = _refused(form, [name for name in named if name])
    pointed = clause.choice is not None and clause.choice.ordinal is not None
    passed = pointed and any(_is_refused(form, (at, end)) for at, end, what in form.taken if what == "choice")
    if not (without or passed):
        return clause
    airlines, chain = tuple(name for name in airlines if name not in without), None if chain in without else chain
    without = tuple(dict.fromkeys((*clause.wishes.without, *without)))
    wishes = replace(clause.wishes, airline=airlines, chain=chain, without=without, others=passed)
    return replace(clause, wishes=wishes, choice=None)


def _refused(form: Form, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the names that are refused: what is said of one is said of all that it is joined to."""
    places = {name: place for name in dict.fromkeys(names) if (place := _place_of(form, name))}
    found = {name for name, place in places.items() if _is_refused(form, place)}
    row = sorted(places, key=lambda name: places[name])
    pairs = [*pairwise(row)]
    for one, other in (*pairs, *pairs[::-1]):
        between = form.whole[places[one][1] : places[other][0]]
        if {one, other} & found and form.patterns("acts", "refusal")["joint"].fullmatch(between):
            found |= {one, other}
    return tuple(name for name in row if name in found)


def _place_of(form: Form, name: str) -> tuple[int, int] | None:
    """Return where a clause names a company or an offer."""
    own = (form.patterns("wishes", section).get(name) for section in ("airline", "chain"))
    known = [*filter(None, own), *(pattern for company, pattern in companies() if company.name == name)]
    words = [each for each in _WORD.findall(fold(name)) if each not in _COMMON and len(each) > 2]
    for pattern in (*known, *(re.compile(rf"\b{re.escape(each)}\b") for each in words)):
        if match := pattern.search(form.whole):
            return match.span()
    return next(((at, end) for at, end, what in form.taken if what in ("airline", "chain", "choice")), None)


def _is_refused(form: Form, place: tuple[int, int]) -> bool:
    known = form.patterns("acts", "refusal")
    if match := known["after"].match(form.whole, place[1]):
        form.blank(place[1], match.end(), "refused")
    return bool(match or known["before"].search(form.whole[: place[0]]))


def _ordinal(form: Form, match: re.Match[str]) -> int:
    """Return the place that was said: a number `n`, one counted from `below`, or a word or a group of the table."""
    parts = parts_of(match)
    if "n" in parts:
        return form.words.number(parts["n"]) - 1
    if "below" in parts:
        return -form.words.number(parts["below"])
    places: dict[str, int] = form.words.table("wishes")["nth"]
    return next(places[said] for said in (parts.get("nth"), *parts) if said in places)


def named(form: Form, names: Sequence[str]) -> str:
    """Return the one of the names shown that a clause holds, whole or by words that no other has; empty for none."""
    spoken = f" {' '.join(_WORD.findall(form.left))} "
    words = {name: _WORD.findall(fold(name)) for name in names}
    whole = [name for name, own in words.items() if own and f" {' '.join(own)} " in spoken]
    points = {
        name: sum(f" {word} " in spoken for word in own if word not in _COMMON and len(word) > 2)
        for name, own in words.items()
    }
    best = max(points.values(), default=0)
    leading = [name for name, score in points.items() if score == best]
    name = max(whole, key=len) if whole else leading[0] if best and len(leading) == 1 else ""
    for word in words.get(name, ()):
        if len(word) > 2 and (match := re.search(rf"\b{word}\b", form.left)):
            form.blank(match.start(), match.end(), "choice")
    return name
