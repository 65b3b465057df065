"""Reads what offers are to be like: money, hours, cabin, stops, bags, seats, what a hotel is to have, interests."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import time
from typing import Any

from models.offline.en.patterns import pattern, patterns, table
from models.offline.en.tokens import Form
from models.offline.reading.places import named
from models.offline.reading.understanding import Conversion, Kind, Money, Wishes
from text.numbers import COUNT_WORDS

_LEAST = 10
"""Sums under it have a currency."""
_SAID = {"noon": 12, "midday": 12, "midnight": 0, "lunch": 12, "lunchtime": 12}
_SWAPPED = re.compile(r"\b(?:swap|change|switch|exchange|trade)\b.* (?:for|to|into|with) ")
"""What is had instead is named after what is given up ("swap the compact for a van")."""


def read_money(form: Form) -> tuple[Money | None, Conversion | None]:
    """Return the most that something may cost, and a sum to convert; blank them out."""
    known, exchange = patterns("wishes", "money"), patterns("wishes", "conversion")
    paying = re.search(r"\b(?:pay|paid|accept|charge|card)\b", form.whole)
    if not paying and (match := form.first(exchange["full"], "money")):
        source = currency_code(match["currency"] or match["unit"])
        return None, Conversion(_amount(match), source, currency_code(match["currency2"]))
    if match := form.first(exchange["more"], "money"):
        return None, Conversion(_amount(match))
    for key in ("cap", "tail", "each"):
        match = known[key].search(form.left)
        if match and (_amount(match) >= _LEAST or _currency(match)):
            form.blank(match.start(), match.end(), "money")
            return Money(_amount(match), _currency(match), _per(match)), None
    if not paying and (match := form.first(exchange["target"], "money")):
        return None, Conversion(target=currency_code(match["currency2"]))
    return None, None


def read_sum(form: Form) -> Money | None:
    """Return a sum of money that stands by itself ("900 usd i mean"), blanked out."""
    offered = pattern("acts", "choice", "price").search(form.left)
    match = None if offered else form.first(pattern("wishes", "money", "sum"), "money")
    if not match:
        return None
    parts = match.groupdict()
    amount = parts["amount"] or parts["amount2"]
    return Money(float(str(amount).replace(",", ".")), _currency(match), _per(match))


def currency_code(said: str | None) -> str | None:
    """Return the ISO code of a currency as it was named."""
    codes = table("wishes")["currencies"]
    return next((code for names, code in codes.items() if said and re.fullmatch(names, said)), None)


def _currency(match: re.Match[str]) -> str | None:
    return currency_code(match["currency"]) or currency_code(match["currency2"])


def _amount(match: re.Match[str]) -> float:
    return float(match["amount"].replace(",", ".")) * (1000 if match["thousand"] else 1)


def _per(match: re.Match[str]) -> Any:
    parts = match.groupdict()
    return next((key for key in ("night", "person", "day", "total") if parts.get(key)), None)


def read_wishes(form: Form, kinds: tuple[Kind, ...]) -> Wishes:
    """Return what is left of a clause wishes of offers, and blank it out."""
    found, gone = Wishes(), list[str]()
    found = _hours(form, found)
    for name, choose in _ONE_OF.items():
        for value, known in patterns("wishes", name).items():
            if match := form.first(known, name):
                if _dropped(form, match):
                    gone.append(name)
                    continue
                found = _with(found, choose(value, match))
                break
    if match := form.first(pattern("wishes", "other", "rooms"), "rooms"):
        found = replace(found, rooms=1 if match["one"] else _number(match))
    for name in ("features", "requests", "interests", "parts"):
        if (name == "interests" and "activity" not in kinds) or (name == "parts" and "insurance" not in kinds):
            continue
        values: list[str] = []
        for value, known in patterns("wishes", name).items():
            if match := form.first(known, name):
                (gone if _dropped(form, match) else values).append(value)
        found = _with(found, {name: tuple(values)})
    if form.first(pattern("wishes", "other", "without_extras"), "extras"):
        gone.append("extras")
    found = _others(form, found, kinds)
    return replace(found, dropped=tuple(gone))


def _dropped(form: Form, match: re.Match[str]) -> bool:
    """Return True where a wish is taken back, or said to be none."""
    return bool(
        pattern("wishes", "taken_back", "before").search(before_of(form, match.start()))
        or pattern("wishes", "taken_back", "after").match(form.whole[match.end() :])
    )


def before_of(form: Form, at: int) -> str:
    """Return the words of a clause before a place in it, with one blank at the end."""
    return f"{form.whole[:at].rstrip()} "


def _number(match: re.Match[str]) -> int:
    said = match.groupdict().get("n") or "1"
    return int(said) if said.isdigit() else COUNT_WORDS.get(said, 1)


_ONE_OF: dict[str, Callable[[str, re.Match[str]], dict[str, Any]]] = {
    "cabin": lambda value, _: {"cabin": value},
    "stops": lambda value, match: {"max_stops": {"none": 0, "some": _number(match)}.get(value)},
    "bags": lambda value, match: {"bags": 0 if value == "none" else _number(match)},
    "seat": lambda value, _: {"seat": value},
    "meal": lambda value, _: {"meal": value},
    "sort": lambda value, _: {"sort": value},
}


def _others(form: Form, found: Wishes, kinds: tuple[Kind, ...]) -> Wishes:
    known = patterns("wishes", "other")
    if match := form.first(known["stars"], "stars"):
        found = replace(found, stars=_number(match))
    elif form.first(known["luxury"], "stars"):
        found = replace(found, stars=5)
    if form.first(known["not_overnight"], "hours"):
        found = replace(found, overnight=False)
    elif form.first(known["overnight"], "hours"):
        found = replace(found, overnight=True)
    if form.first(known["refundable"], "fare"):
        found = replace(found, refundable=True)
    named_cars = [
        (match.end() if _SWAPPED.search(form.whole) else -at, value)
        for at, (value, known_as) in enumerate(patterns("wishes", "category").items())
        if ("car" in kinds or value in {"electric", "suv", "van"}) and (match := form.first(known_as, "category"))
    ]
    if named_cars:
        found = replace(found, category=max(named_cars)[1])
    match = known["near"].search(form.left)
    if match and not ((place := named(match["area"].split())) and place.sort != "areas"):
        form.blank(match.start(), match.end(), "area")
        found = replace(found, area=form.own(match.start("area"), match.end("area")))
    return replace(found, others=bool(form.first(known["others"], "others")))


def _hours(form: Form, found: Wishes) -> Wishes:
    known = patterns("wishes", "hours")
    for match in form.take(known["between"], "hours"):
        said = any(match[group] for group in ("minute", "half", "noon", "minute2", "half2"))
        if not said and not pattern("wishes", "hour_words", "leaving").search(form.whole):
            continue
        found = replace(found, depart_after=_time(match), depart_before=_time(match, "2"))
    for key in ("after", "onward"):
        for match in form.take(known[key], "hours"):
            parts = match.groupdict()
            if _bare(match):
                form.taken.pop()
                continue
            before = re.search(
                r"^(?:before|by|until|no later|not later|not after|earlier|latest|or earlier|or before|at the latest)",
                match["way"],
            )
            back = parts.get("home") or _homeward(form, match)
            name = ("return_" if back else "arrive_" if parts.get("land") and before else "depart_") + (
                "before" if before else "after"
            )
            found = _with(found, {name: _time(match)})
    for part, known_part in patterns("wishes", "daypart").items():
        if match_part := known_part.search(form.left):
            form.blank(match_part.start(), match_part.end(), "hours")
            side = "return" if _homeward(form, match_part) else "depart"
            hours = {"early": {"before": 12}, "afternoon": {"after": 12, "before": 18}, "evening": {"after": 17}}[part]
            found = _with(found, {f"{side}_{end}": time(hour) for end, hour in hours.items()})
    return found


def _with(found: Wishes, values: dict[str, Any]) -> Wishes:
    return replace(found, **values)


def _homeward(form: Form, match: re.Match[str]) -> bool:
    """Return True where an hour is that of the way home."""
    before = re.search(r"\b(?:back|home|return\w*|inbound)\b[^,]*$", before_of(form, match.start()))
    return bool(
        before or re.match(r" ?(?:o'clock )?(?:back|home|on the way back|for the return)\b", form.whole[match.end() :])
    )


def _bare(match: re.Match[str]) -> bool:
    """Return True for a number that is no hour by anything: neither minutes nor am, and no word of leaving."""
    parts = match.groupdict()
    if parts.get("noon") or parts.get("minute") or parts.get("half"):
        return False
    leaving = pattern("wishes", "hour_words", "leaving").search(match.string[: match.end()])
    return not leaving or match["way"] in {"from", "by", "until"}


def _time(match: re.Match[str], suffix: str = "") -> time:
    if noon := match[f"noon{suffix}"]:
        return time(_SAID[noon])
    hour, half = int(match[f"hour{suffix}"]), match[f"half{suffix}"]
    if half in {"am", "pm"} or (half and half.startswith(("in", "at"))):
        hour = hour % 12 + (0 if half in {"am", "in the morning"} else 12)
    return time(hour, int(match[f"minute{suffix}"] or 0))
