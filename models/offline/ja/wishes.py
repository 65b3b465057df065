"""Reads what offers are to be like: money, hours, cabin, stops, bags, seats, features; and which offer is meant."""

from __future__ import annotations

import re
from datetime import time
from functools import partial
from typing import Any, Literal

from models.offline.ja.form import Form, matched, named, number, pattern, patterns
from models.offline.reading.understanding import Choice, Conversion, Money, ReadingContext

_table = partial(pattern, "wishes")

_PER: tuple[Literal["night", "person", "day", "total"], ...] = ("night", "person", "day", "total")
_LATER = ("午後", "夕方", "夜", "pm")
_NOON = 12
_COMMON = frozenset({"hotel", "house", "rooms", "boutique", "airlines", "airways", "tokyo", "paris", "london", "place"})


def _currency(said: str) -> str | None:
    return next((code for code, pattern in patterns("currencies") if pattern.fullmatch(said.strip())), None)


def read_money(form: Form) -> tuple[Money | None, bool]:
    """Return the sum that `form` names, and whether it is a limit."""
    for match in _table("money").finditer(form.left):
        said = match["before"] or match["unit"]
        scaled = bool(match["scale"] or match["thousand"])
        if not (said or scaled or (match["night"] and match["cap"]) or "予算" in match[0]):
            continue
        amount = float(match["number"].replace(",", "")) * (10_000 if match["scale"] else 1)
        amount = amount * (1_000 if match["thousand"] and not match["scale"] else 1) + 1_000 * int(match["more"] or 0)
        per = next((each for each in _PER if match[each]), None)
        marked = match["per"] or ""
        per = per or ("night" if "泊" in marked else "person" if "人" in marked else "day" if "日" in marked else None)
        form.blank(*match.span(), "")
        return Money(amount, _currency(said) if said else None, per), bool(_table("capped").search(match[0]))
    return None, False


def read_conversion(form: Form, money: Money | None, capped: bool) -> Conversion | None:
    """Return the conversion asked for; None where the text asks for none."""
    if capped or not _table("convert").search(form.whole):
        return None
    found = [
        code for match in _table("target").finditer(form.whole) if (code := _currency(match["what"] or match["unit"]))
    ]
    targets = [code for code in found if money is None or code != money.currency]
    if not targets:
        return None
    return Conversion(money.amount if money else None, money.currency if money else None, targets[-1])


def read_hours(form: Form) -> tuple[dict[str, Any], time | None]:
    """Return the wishes for hours, and the hour that tells which offer is meant."""
    found: dict[str, Any] = {}
    chosen: time | None = None
    for match in list(_table("hour").finditer(form.left)):
        at, rest = _hour(match), form.whole[match.end() :]
        back = bool(_table("return_before").search(form.whole[: match.start()]))
        if at is None:
            continue
        end = match.end()
        for name, wish in (("arrival", "arrive_before"), ("after", "after"), ("before", "before")):
            if (told := _table(name).match(rest)) and not (back and name == "arrival"):
                end += told.end()
                if _table("not_wanted").match(form.whole, end):
                    wish = {"after": "before", "before": "after"}.get(wish, wish)
                found[wish if name == "arrival" else f"{'return' if back else 'depart'}_{wish}"] = at
                break
        else:
            chosen = at if _table("of_offer").match(rest) else None
        form.blank(match.start(), end, "")
    _parts_of_day(form, found)
    return found, chosen


def _hour(match: re.Match[str]) -> time | None:
    hour = int(match["clock"]) if match["clock"] else number(match["hour"]) if match["hour"] else _NOON
    minute = 30 if match["half"] else int(match["minute"] or match["minutes"] or 0)
    hour += 12 if match["part"] in _LATER and hour < _NOON else 0
    return time(hour % 24, minute) if hour <= 24 else None


def _parts_of_day(form: Form, found: dict[str, Any]) -> None:
    if (match := form.first(_table("overnight"), "")) and not _table("may_be").match(form.whole, match.end()):
        found["overnight"] = not _table("not_wanted").match(form.whole, match.end())
    for name, after, before in (
        ("morning", None, time(12)),
        ("afternoon", time(12), None),
        ("evening", time(17), None),
    ):
        if match := form.first(_table(name), ""):
            way = "return" if _table("return_before").search(form.whole[: match.start()]) else "depart"
            found.setdefault(f"{way}_after" if after else f"{way}_before", after or before)


def read_wishes(form: Form, money: Money | None) -> dict[str, Any]:
    """Return the fields of `Wishes` that `form` names; the words are marked as read."""
    found: dict[str, Any] = {"budget": money}
    found["refundable"] = True if form.first(_table("refundable"), "") else None
    found["max_stops"] = _stops(form)
    found["dropped"] = ("max_stops",) if form.first(_table("stops_any"), "") else ()
    found["bags"] = _bags(form)
    found["cabin"] = _one(form, "cabins")
    found["chain"] = _one(form, "chains")
    found["airline"] = _one(form, "airlines")
    found["meal"] = _one(form, "meals")
    found["seat"] = _one(form, "seats")
    stars = _one(form, "stars")
    found["stars"] = int(stars) if stars else None
    found["requests"] = tuple(match[0] for _, pattern in patterns("requests") for match in list(form.take(pattern, "")))
    found["category"] = _one(form, "categories")
    found["features"] = tuple(named(form, "features"))
    if match := form.first(_table("rooms"), ""):
        found["rooms"] = number(match[1] or match[2])
    found["others"] = True if form.first(_table("others"), "") else None
    return {name: value for name, value in found.items() if value is not None and value != ()}


def _one(form: Form, section: str) -> str | None:
    return next(iter(named(form, section)), None)


def _stops(form: Form) -> int | None:
    if form.first(_table("stops_none"), ""):
        return 0
    match = form.first(_table("stops_most"), "")
    return number(match[1] or match[2]) if match else None


def _bags(form: Form) -> int | None:
    if form.first(_table("bags_none"), ""):
        return 0
    match = form.first(_table("bags"), "")
    return number(match[1] or match[2] or "1") if match else None


def read_sort(form: Form, alone: bool) -> str | None:
    """Return the order that is asked for; a bare 「高い」 asks for the cheapest when it is said `alone`."""
    if sort := _one(form, "sorts"):
        return sort
    return "cheapest" if alone and form.first(_table("expensive"), "") else None


def read_choice(form: Form, name: str, hour: time | None) -> Choice | None:
    """Return which offer or booking is meant, by number, name, hour or 「それ」; None for none."""
    reference = form.first(_table("reference"), "")
    found = Choice(
        ordinal=_ordinal(form), name=name, hour=hour, reference=f"TC-{reference[1].upper()}" if reference else "",
        every=bool(form.first(_table("every"), "")), that=bool(form.first(_table("that"), "")),
    )  # fmt: skip
    return None if found == Choice() else found


def _ordinal(form: Form) -> int | None:
    for name, place in (("first", 0), ("last", -1), ("middle", 1)):
        if form.first(_table(name), ""):
            return place
    if match := form.first(_table("ordinal"), ""):
        said = next((part for part in match.groups() if part), None)
        place = number(said) if said else "①②③④⑤".index(match[0]) + 1
        return -place if match[3] and match[0].startswith("下") else place - 1
    return None


def read_name(form: Form, context: ReadingContext) -> str:
    """Return the name on the table that `form` holds: whole, by a word that no other has, or as Japanese calls it."""
    known = {name: matched(name) for name in context.names}
    called = list(known.items())
    for name, plain in known.items():
        others = " ".join(other for at, other in known.items() if at != name)
        own = [word for word in plain.split() if len(word) > 3 and word not in (*_COMMON, *others.split())]
        called += [(name, word) for word in own]
    for name, words in called:
        if re.search(rf"(?<![a-z]){re.escape(words)}(?![a-z])", form.left):
            return name
    for section in ("airlines", "chains"):
        for canonical, known_as in patterns(section):
            if known and known_as.search(form.left):
                shown = [name for name, plain in known.items() if canonical.lower() in plain]
                if len(shown) == 1:
                    return shown[0]
    return ""
