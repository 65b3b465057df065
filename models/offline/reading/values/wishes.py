"""Reads what offers are to be like and what they may cost: sums, hours, cabin, stops, bags, what a hotel is to have.

Each section of `words/wishes.toml` is a wish, each of its keys a value; one that begins with "=" stands for the words.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import time
from itertools import pairwise
from typing import Any, get_args

from models.offline.reading.form import Form, Parts, parts_of
from models.offline.reading.understanding import Conversion, Dates, Kind, Money, Per, ReadingContext, Wishes
from models.offline.reading.values.names import named
from models.offline.tables import READING

_ONE = ("refundable", "max_stops", "bags", "cabin", "chain", "meal", "seat", "sort", "stars", "rooms", "others")
"""Sections of which one value counts."""
_LISTS: dict[str, Kind | None] = {
    "airline": None, "requests": None, "features": None, "interests": "activity", "parts": "insurance",
}  # fmt: skip
"""Sections of which every value counts, with the kind of offers that they are read for."""
_PLAIN: dict[str, Any] = {"none": 0, "each": 0, "yes": True, "no": False, "any": None}
_OTHER_SIDE = {"before": "after", "after": "before"}
_SIDES = ("aisle", "window")
_NOON = 12
_EARLY = time(6)
"""The latest hour that, said alone, is one of the afternoon where it is to be later than that."""


def read_seats_for(form: Form) -> tuple[tuple[str, str], ...]:
    """Return the sides that a clause wishes for on one way or for one traveller; empty where one is for all."""
    known, whose = form.patterns("wishes", "seat"), form.patterns("wishes", "seat_for")
    said = sorted((match.start(), side) for side in _SIDES for match in known[side].finditer(form.whole))
    joints = [[each.end() for each in whose["joint"].finditer(form.whole, one, other)] or [other]
              for (one, _), (other, _) in pairwise(said)]  # fmt: skip
    cuts, names = [0, *(each[-1] for each in joints), len(form.whole)], ("out", "home", "one", "self")
    parts = [form.whole[start:end] for start, end in pairwise(cuts)]
    found = [next((name for name in names[: 3 + bool(joints)] if whose[name].search(part)), "") for part in parts]
    pairs = zip(found, (side for _, side in said), strict=False)
    return tuple((name.replace("self", "one"), side) for name, side in pairs) if all(found) else ()


def read_wishes(form: Form, kinds: tuple[Kind | None, ...], hours: Mapping[str, Any]) -> Wishes:
    """Return what is left of a clause wishes of offers, and its hours, and blank it out."""
    found: dict[str, Any] = {**hours}
    gone: list[str] = []
    without: list[str] = []
    for section in _ONE:
        for key, known in form.patterns("wishes", section).items():
            if match := form.first(known, section):
                value = _value(form, key, match)
                if value is None or _dropped(form, match):
                    gone.append(section)
                    continue
                if match.groupdict().get("n_each"):  # "three twins and a single"
                    value += sum(_value(form, key, more) for more in form.take(known, section))
                found[section] = value
                break
    for section, kind in _LISTS.items():
        values: list[str] = []
        for key, known in form.patterns("wishes", section).items() if kind is None or kind in kinds else ():
            for match in form.take(known, section):
                value = form.own(match.start(), match.end()) if key.startswith("=") else key
                refused = without if section == "airline" else gone
                into = refused if _dropped(form, match) else values
                into += [value] if value not in (*gone, *values) else []
        found[section] = tuple(values)
    gone += ["extras"] if form.first(form.patterns("wishes", "cues")["without_extras"], "extras") else []
    found |= {"category": _category(form, kinds), "area": _near(form, kinds)}
    found |= {"dropped": tuple(gone), "without": tuple(without)}
    return replace(Wishes(), **found)


def read_passed_on(form: Form) -> tuple[str, ...]:
    """Return what a hotel or an airline is to be told or asked for, in the traveller's words, and blank it out."""
    cues = form.patterns("wishes", "cues")
    found = (match for key in ("passed_on", "room_like") for match in form.take(cues[key], "requests"))
    return tuple(form.own(*match.span("what")) for match in found)


def _value(form: Form, key: str, match: re.Match[str]) -> Any:
    said = [value for name, value in match.groupdict().items() if value and name.startswith("n")]
    if key in _PLAIN:
        return _PLAIN[key]
    if key == "some":
        return sum(form.words.number(each) for each in said) or 1  # "a double and two singles"
    return int(key) if key.isdigit() else key


def _dropped(form: Form, match: re.Match[str]) -> bool:
    """Return True where a wish is taken back, or said to be none."""
    known = form.patterns("wishes", "taken_back")
    before = f"{form.whole[: match.start()].rstrip()} "
    return bool(known["before"].search(before) or known["after"].match(form.whole[match.end() :]))


def _category(form: Form, kinds: tuple[Kind | None, ...]) -> str | None:
    """Return the class of car; what is had instead is named after what is given up ("swap the compact for a van")."""
    cues = form.patterns("wishes", "cues")
    sections = ("vehicle", "category") if "car" in kinds or cues["cars"].search(form.whole) else ("vehicle",)
    found = [
        (match.end(), key)
        for section in sections
        for key, known in form.patterns("wishes", section).items()
        if (match := form.first(known, "category"))
    ]
    if not found:
        return None
    return max(found)[1] if cues["swapped"].search(form.whole) else found[0][1]


def _near(form: Form, kinds: tuple[Kind | None, ...]) -> str | None:
    """Return what a stay is to be near; "a weekend by the sea" asks for no stay yet."""
    match = form.patterns("wishes", "cues")["near"].search(form.left)
    if not match or "hotel" not in kinds or ((place := named(match["area"].split())) and place.sort != "areas"):
        return None
    form.blank(match.start(), match.end(), "area")
    return form.own(match.start("area"), match.end("area"))


def read_hours(form: Form, dates: Dates | None, context: ReadingContext) -> dict[str, Any]:
    """Return the hours that are left of a clause by the fields of `Wishes`, and blank them out.

    An hour beside the last of its days is one of the way home. Where offers are shown a bare hour names one of them.
    """
    nights, cues = form.patterns("wishes", "overnight"), form.patterns("wishes", "cues")
    overnight = next((key for key, known in nights.items() if form.first(known, "hours")), "any")
    found: dict[str, Any] = {} if overnight == "any" else {"overnight": _PLAIN[overnight]}
    ends = _last_day(form, dates, context)
    for key, known in form.patterns("wishes", "hours").items():
        bare = key.startswith("around")
        for match in form.take(known, "hours") if not (bare and context.offers_shown) else ():
            parts = {key: value for key, value in match.groupdict().items() if value}
            marked = {"noon", "minute", "half", "minute2", "half2", "mark"} & set(parts)
            vague = not {"land", "home"} & set(parts) and any(key.startswith("vague") for key in parts)
            unsaid = not marked and (vague or bare or not cues["leaving"].search(form.whole[: match.end()]))
            if unsaid or cues["busy"].search(form.whole[: match.start()]):
                form.taken.pop()
                form.give_back(*match.span())  # "after 6" of nothing that leaves, "class is until 5pm": no hour to fly
            else:
                found |= _hours(form, match, parts | ({"around": key} if bare else {}), ends)
    stays = form.patterns("acts", "kinds")["hotel"].search(form.whole)
    for part, known in form.patterns("wishes", "daypart").items():
        for said in form.take(known, "hours") if part != "night" or not stays else ():
            found = {**_part_of_day(form, said, part, ends), **found}
    for sort in () if context.offers_shown else ("earliest", "latest"):
        if (first_or_last := cues[sort].search(form.left)) and not _homeward(form, first_or_last, ends):
            found.setdefault("sort", sort)  # "first flight on Monday"
    return found


def _hours(form: Form, match: re.Match[str], parts: Parts, ends: tuple[int, int]) -> dict[str, Any]:
    """Return what an hour says: from when or until when one leaves, or by when one is there or at home."""
    home = "home" in parts or _homeward(form, match, ends)
    way = "return_" if home else "depart_"
    at, told = clock(form, parts), {"unwanted", "part", "half", "minute", "noon"} & set(parts)
    if "hour2" in parts:
        return {f"{way}after": at, f"{way}before": clock(form, parts, "2")}
    if "around" in parts:
        return dict(zip((f"{way}after", f"{way}before"), around(at), strict=True))
    limit = next((match.start(side) for side in ("before", "after") if side in parts), -1)
    if "land" in parts and match.end("land") < limit:
        form.give_back(match.end("land"), limit)  # "in Amsterdam by 10am"
    before = (match.groupdict().get("before") is not None) != ("unwanted" in parts)
    lands = "land" in parts and before
    side = ("home_" if home else "arrive_") if lands else way
    if (home or not before) and at <= _EARLY and not told:
        at = at.replace(hour=at.hour + _NOON)  # "after 5"
    at = time(23, 59) if before and at == time(0) else at  # "before midnight"
    return {side + ("before" if before else "after"): at}


def around(hour: time) -> tuple[time, time]:
    """Return the hour before and the hour after an hour."""
    before, after = (hour.replace(hour=max(0, min(23, hour.hour + side))) for side in (-1, 1))
    return before, after


def _part_of_day(form: Form, said: re.Match[str], part: str, ends: tuple[int, int]) -> dict[str, time]:
    hours, cues = READING.table("dayparts")[part], form.patterns("wishes", "cues")
    if _dropped(form, said):  # "no morning flights"
        hours = {_OTHER_SIDE[end]: hour for end, hour in hours.items()} if len(hours) == 1 else {}
    home = _homeward(form, said, ends)
    if cues["lands_before"].search(form.whole[: said.start()]) or cues["lands_after"].match(form.whole, said.end()):
        until = time(hours["before"]) if "before" in hours else time(23, 59)
        return {"home_before" if home else "arrive_before": until}
    return {f"{'return' if home else 'depart'}_{end}": time(hour) for end, hour in hours.items()}


def _last_day(form: Form, dates: Dates | None, context: ReadingContext) -> tuple[int, int]:
    """Return where the day home stands: the last of several, or the one asked for; nowhere for another clause."""
    lengths = form.patterns("dates", "nights").values()
    spans = sorted((start, end) for start, end, what in form.taken if what == "dates")
    spans = [span for span in spans if not any(known.search(form.whole[slice(*span)]) for known in lengths)]
    ranged = dates and dates.start and dates.end and len(spans) > 1
    return spans[-1] if spans and (ranged or context.asked == "end") else (-1, -1)


def _homeward(form: Form, match: re.Match[str], ends: tuple[int, int]) -> bool:
    """Return True where an hour is that of the way home."""
    cues, before = form.patterns("wishes", "cues"), form.whole[: match.start()].rstrip() + " "
    beside = 0 <= ends[1] <= match.start() and cues["beside_day"].fullmatch(form.whole[ends[1] : match.start()])
    return bool(beside or cues["home_before"].search(before) or cues["home_after"].match(form.whole, match.end()))


def clock(form: Form, parts: dict[str, str], suffix: str = "") -> time:
    """Return the time of day that the groups `hour`, `minute`, `half`, `part` and `noon` say."""
    if noon := parts.get(f"noon{suffix}"):
        return time(0 if noon == "midnight" else _NOON)
    part = parts.get(f"part{suffix}") or parts.get(f"half{suffix}", "")
    hour, minute = form.words.number(parts[f"hour{suffix}"]), parts.get(f"minute{suffix}") or "0"
    cues = form.patterns("wishes", "cues")
    if cues["pm"].fullmatch(part) and hour < _NOON:
        hour += _NOON
    elif cues["am"].fullmatch(part) and hour == _NOON:
        hour = 0
    return time(hour % 24, int(minute) if minute.isdigit() else 30)


_LEAST = 10
"""Sums under it have a currency."""
_THOUSAND, _MYRIAD = 1_000, 10_000
_PER: tuple[Per, ...] = get_args(Per)
_GROUPED = re.compile(r",(?=\d{3})")


def read_money(form: Form) -> tuple[Money | None, Conversion | None]:
    """Return the most that something may cost, and a sum to convert; blank them out."""
    exchange, cues = form.patterns("wishes", "conversion"), form.patterns("wishes", "cues")
    converts = not cues["paying"].search(form.whole)
    if converts and (parts := _first(form, exchange["full"], exchange["reversed"])):
        return None, Conversion(_amount(parts), _code(form, parts), _code(form, parts, "target"))
    for known in form.patterns("wishes", "money").values():
        for match in known.finditer(form.left):
            parts = parts_of(match)
            told = _code(form, parts) or parts.get("scale") or parts.get("thousand")
            if told or (_amount(parts) >= _LEAST and cues["limit"].search(match[0])):
                form.blank(match.start(), match.end(), "money")
                return _money(form, parts), None
    if converts and (parts := _first(form, exchange["bare"], exchange["target"])):
        return None, Conversion(target=_code(form, parts, "target"))
    return None, None


def read_sum(form: Form) -> Money | None:
    """Return a sum of money that stands by itself ("900 usd i mean"), blanked out."""
    offered = form.patterns("wishes", "choice")["price"].search(form.left)
    parts = None if offered else _first(form, form.patterns("wishes", "cues")["sum"])
    return _money(form, parts) if parts else None


def _first(form: Form, *patterns: re.Pattern[str]) -> Parts | None:
    found = (form.first(pattern, "money") for pattern in patterns)
    return next((parts_of(match) for match in found if match), None)


def _money(form: Form, parts: Parts) -> Money:
    return Money(_amount(parts), _code(form, parts), next((per for per in _PER if per in parts), None))


def _amount(parts: Parts) -> float:
    amount = float(_GROUPED.sub("", parts["amount"]).replace(",", "."))
    amount *= _MYRIAD if parts.get("scale") else _THOUSAND if parts.get("thousand") else 1
    return amount + _THOUSAND * int(parts.get("more") or 0)


def _code(form: Form, parts: Parts, name: str = "currency") -> str | None:
    """Return the ISO code of a currency as it was named."""
    said, codes = parts.get(name, "").strip(), form.patterns("wishes", "currencies")
    return next((code for code, known in codes.items() if said and known.fullmatch(said)), None)
