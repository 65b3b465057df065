"""Reads wishes for offers: prices, cabin, stops, bags, hotel features.

Each section of `words/wishes.toml` is a wish, each key a value; "=" at its start stands for the traveller's own words.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, get_args

from models.offline.reading.form import Form, Parts, parts_of
from models.offline.reading.understanding import Conversion, Kind, Money, Per, ReadingContext, Wishes
from models.offline.reading.values.names import named

_ONE = ("refundable", "max_stops", "bags", "cabin", "chain", "meal", "seat", "sort", "stars", "rooms", "others")
"""Sections that give a single value."""
_LISTS: dict[str, Kind | None] = {
    "airline": None, "requests": None, "features": None, "interests": "activity", "parts": "insurance",
}  # fmt: skip
"""Sections that give every value that matches, with the kind of offers that they apply to (None for all)."""
_PLAIN: dict[str, Any] = {"none": 0, "each": 0, "yes": True, "no": False, "any": None}
_SIDES = ("aisle", "window")
_ONE_WAY = (
    ("cabin", ("premium_economy", "business", "first", "economy"), (["out"], ["home"])),
    ("sort", ("earliest", "latest"), (["home"],)),
)
"""Wishes with the values and the directions for which no search takes them."""


def read_seats_for(form: Form) -> tuple[tuple[str, str], ...]:
    """Return (whose, side) for each seat wished for one direction or one traveller; empty if it holds for all."""
    patterns, whose = form.patterns("wishes", "seat"), form.patterns("wishes", "seat_for")
    sides = sorted((match.start(), side) for side in _SIDES for match in patterns[side].finditer(form.text))
    cut_points = [[each.end() for each in whose["joint"].finditer(form.text, one, other)] or [other]
              for (one, _), (other, _) in pairwise(sides)]  # fmt: skip
    cuts, names = [0, *(each[-1] for each in cut_points), len(form.text)], ("out", "home", "one", "self")
    parts = [form.text[start:end] for start, end in pairwise(cuts)]
    owners = [next((name for name in names[: 3 + bool(cut_points)] if whose[name].search(part)), "") for part in parts]
    pairs = zip(owners, (side for _, side in sides), strict=False)
    return tuple((name.replace("self", "one"), side) for name, side in pairs) if all(owners) else ()


def read_one_way(form: Form) -> tuple[tuple[str, str], ...]:
    """Return (wish, words) of wishes for one direction that no search takes; an empty wish if it has another value.

    A stretch that names the days of both directions is about both ("on 5 May coming back 9 May business class").
    """
    ways, joint = form.patterns("wishes", "direction").items(), form.patterns("wishes", "seat_for")["joint"]
    cuts, pairs = [0, *(each.end() for each in joint.finditer(form.text)), len(form.text)], list[tuple[str, str]]()
    days = [start for start, _, what in form.taken if what == "dates"]
    for section, keys, directions in _ONE_WAY:
        found = [form.patterns("wishes", section)[key] for key in keys]
        parts = [part for part in pairwise(cuts) if any(pattern.search(form.text, *part) for pattern in found)]
        bound = [part for part in parts if [way for way, each in ways if each.search(form.text, *part)] in directions]
        bound = [part for part in bound if sum(part[0] <= at < part[1] for at in days) <= 1]
        for pattern, (start, end) in product(found, bound):
            if match := pattern.search(form.rest, start, end):
                form.blank(*match.span(), section)
        pairs += [(section if bound == parts else "", form.original_at(*part).strip(" ,、")) for part in bound]
    return tuple(pairs)


def read_wishes(form: Form, kinds: tuple[Kind | None, ...], hours: Mapping[str, Any]) -> Wishes:
    """Return the wishes in the unread rest of a clause, together with `hours`, and blank them out."""
    fields: dict[str, Any] = {**hours}
    dropped: list[str] = []
    without: list[str] = []
    for section in _ONE:
        for key, pattern in form.patterns("wishes", section).items():
            if match := form.take_first(pattern, section):
                value = _value(form, key, match)
                if value is None or is_dropped(form, match):
                    dropped.append(section)
                    continue
                if match.groupdict().get("n_each"):  # "three twins and a single"
                    value += sum(_value(form, key, more) for more in form.take(pattern, section))
                fields[section] = value
                break
    for section, kind in _LISTS.items():
        values: list[str] = []
        for key, pattern in form.patterns("wishes", section).items() if kind is None or kind in kinds else ():
            for match in form.take(pattern, section):
                value = form.original_at(match.start(), match.end()) if key.startswith("=") else key
                refused = without if section == "airline" else dropped
                into = refused if is_dropped(form, match) else values
                into += [value] if value not in (*dropped, *values) else []
        fields[section] = tuple(values)
    dropped += ["extras"] if form.take_first(form.patterns("wishes", "cues")["without_extras"], "extras") else []
    fields |= {"category": _category(form, kinds), "area": _near(form, kinds)}
    fields |= {"dropped": tuple(dropped), "without": tuple(without)}
    return replace(Wishes(), **fields)


def read_passed_on(form: Form) -> tuple[str, ...]:
    """Return the requests to pass on to a hotel or an airline, in the traveller's words, and blank them out."""
    cues = form.patterns("wishes", "cues")
    matches = (match for key in ("passed_on", "room_like") for match in form.take(cues[key], "requests"))
    return tuple(form.original_at(*match.span("what")) for match in matches)


def _value(form: Form, key: str, match: re.Match[str]) -> Any:
    numbers = [value for name, value in match.groupdict().items() if value and name.startswith("n")]
    if key in _PLAIN:
        return _PLAIN[key]
    if key == "some":
        return sum(form.words.number(each) for each in numbers) or 1  # "a double and two singles"
    return int(key) if key.isdigit() else key


def is_dropped(form: Form, match: re.Match[str]) -> bool:
    """Return whether a wish is taken back or negated by the words around it."""
    patterns = form.patterns("wishes", "taken_back")
    before = f"{form.text[: match.start()].rstrip()} "
    return bool(patterns["before"].search(before) or patterns["after"].match(form.text[match.end() :]))


def _category(form: Form, kinds: tuple[Kind | None, ...]) -> str | None:
    """Return the class of car; of a swap, the one named last ("swap the compact for a van")."""
    cues = form.patterns("wishes", "cues")
    sections = ("vehicle", "category") if "car" in kinds or cues["cars"].search(form.text) else ("vehicle",)
    matches = [
        (match.end(), key)
        for section in sections
        for key, pattern in form.patterns("wishes", section).items()
        if (match := form.take_first(pattern, "category"))
    ]
    if not matches:
        return None
    return max(matches)[1] if cues["swapped"].search(form.text) else matches[0][1]


def _near(form: Form, kinds: tuple[Kind | None, ...]) -> str | None:
    """Return what a hotel should be near; None if no hotel is wanted ("a weekend by the sea")."""
    match = form.patterns("wishes", "cues")["near"].search(form.rest)
    if not match or "hotel" not in kinds or ((place := named(match["area"].split())) and place.sort != "areas"):
        return None
    form.blank(match.start(), match.end(), "area")
    return form.original_at(match.start("area"), match.end("area"))


_LEAST = 10
"""The least amount that is a sum of money without a currency."""
_SCALES = {"scale": 10_000, "thousand": 1_000, "million": 1_000_000}
_PER: tuple[Per, ...] = get_args(Per)
_GROUPED = re.compile(r",(?=\d{3})")


def read_money(form: Form, context: ReadingContext) -> tuple[Money | None, Conversion | None]:
    """Return the budget, or else the conversion that a clause asks for, and blank it out."""
    exchange, cues = form.patterns("wishes", "conversion"), form.patterns("wishes", "cues")
    converts = not cues["paying"].search(form.text)
    if converts and (parts := _first(form, exchange["how_many"], exchange["full"], exchange["reversed"])):
        return None, _conversion(form, parts, context)
    for pattern in form.patterns("wishes", "money").values():
        for match in pattern.finditer(form.rest):
            parts = parts_of(match)
            explicit = _code(form, parts) or parts.get("scale") or parts.get("thousand")
            if explicit or (_amount(parts) >= _LEAST and cues["limit"].search(match[0])):
                form.blank(match.start(), match.end(), "money")
                return _money(form, parts), None
    if converts and (parts := _first(form, exchange["bare"], exchange["target"])):
        return None, _conversion(form, parts, context)
    return None, None


def read_sum(form: Form) -> Money | None:
    """Return a bare sum of money ("900 usd i mean") and blank it out."""
    offered = form.patterns("wishes", "choice")["price"].search(form.rest)
    parts = None if offered else _first(form, form.patterns("wishes", "cues")["sum"])
    return _money(form, parts) if parts else None


def _first(form: Form, *patterns: re.Pattern[str]) -> Parts | None:
    matches = (form.take_first(pattern, "money") for pattern in patterns)
    return next((parts_of(match) for match in matches if match), None)


def _money(form: Form, parts: Parts) -> Money:
    return Money(_amount(parts), _code(form, parts), next((per for per in _PER if per in parts), None))


def _amount(parts: Parts) -> float:
    amount = float(_GROUPED.sub("", parts["amount"]).replace(",", "."))
    amount *= math.prod(scale for name, scale in _SCALES.items() if name in parts)
    return amount + _SCALES["thousand"] * int(parts.get("more") or 0)


def _conversion(form: Form, parts: Parts, context: ReadingContext) -> Conversion:
    """Return a conversion; a name of several currencies is that of the destination, else of home, else the commonest.

    It never means the currency on the other side ("100 Canadian dollars in dollars").
    """
    places = {"there": context.currencies[0], "home": context.currencies[1]}
    sources, targets = (
        [places.get(code, code) for code in _codes(form, parts, name)] for name in ("currency", "target")
    )
    source = _first_of(places.values(), [code for code in sources if [code] != targets])
    amount = _amount(parts) if "amount" in parts else None
    return Conversion(amount, source, _first_of(places.values(), [code for code in targets if code != source]))


def _first_of(known: Iterable[str], codes: Sequence[str]) -> str | None:
    return next((code for code in (*known, *codes) if code and code in codes), None)


def _code(form: Form, parts: Parts) -> str | None:
    """Return the ISO code of the currency of a budget, or None."""
    return next((code for code in _codes(form, parts, "currency") if code.isupper()), None)


def _codes(form: Form, parts: Parts, name: str) -> list[str]:
    """Return what the currency that the group `name` matched may mean, commonest first: codes, `there` or `home`."""
    said, codes = parts.get(name, "").strip(), form.patterns("wishes", "currencies")
    return [code for code, pattern in codes.items() if said and pattern.fullmatch(said)]
