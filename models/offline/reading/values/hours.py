"""Reads hours: when a journey leaves or lands, and when one has to be somewhere or is free again."""

import re
from datetime import time
from typing import Any

from models.offline.reading.form import Form, Parts
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.reading.values.wishes import is_dropped
from models.offline.tables import READING

_OTHER_SIDE = {"before": "after", "after": "before"}
_NOON = 12
_EARLY, _MORNING = time(6), time(8)
"""The latest hour that means the afternoon in "after 5", where neither am nor pm is given, and the first at which an
appointment is taken to begin in the morning."""
APPOINTMENT, ELSEWHERE = "appointment", "elsewhere"
"""The kinds of values that the hour of an appointment, and one of something else than a journey, are read as."""


def read_hours(form: Form, dates: Dates | None, context: ReadingContext) -> dict[str, Any]:
    """Return the hours in the unread rest of a clause by the fields of `Wishes`, and blank them out.

    An hour next to the last day is about the way home. If offers are shown, a bare hour is left for `read_choice`.
    """
    nights, cues = form.patterns("wishes", "overnight"), form.patterns("wishes", "cues")
    overnight = next((key for key, pattern in nights.items() if form.take_first(pattern, "hours")), "any")
    hours: dict[str, Any] = {} if overnight == "any" else {"overnight": overnight == "yes"}
    ends = _last_day(form, dates, context)
    for key, pattern in form.patterns("wishes", "hours").items():
        for match in form.take(pattern, "hours") if not (key.startswith("around") and context.offers_shown) else ():
            limits = _limits(form, match, key, dates, context)
            first = [each["arrive_before"] for each in (limits, hours) if "arrive_before" in each]
            hours |= limits | ({"arrive_before": min(first)} if first else {})  # of two appointments, the first
    stays = form.patterns("acts", "kinds")["hotel"].search(form.text)
    for part, pattern in form.patterns("wishes", "daypart").items():
        for match in form.take(pattern, "hours") if part != "night" or not stays else ():
            hours = {**_part_of_day(form, match, part, ends), **hours}
    for sort in () if context.offers_shown else ("earliest", "latest"):
        if (first_or_last := cues[sort].search(form.rest)) and not _homeward(form, first_or_last, ends):
            hours.setdefault("sort", sort)  # "first flight on Monday"
    return hours


def _limits(form: Form, match: re.Match[str], key: str, dates: Dates | None, context: ReadingContext) -> dict[str, Any]:
    """Return the limits that a matched hour sets; an hour of no journey sets none, and is left unread."""
    parts = {name: value for name, value in match.groupdict().items() if value}
    side = _appointment(form, match, parts)
    stated, limits = side not in ("", "none"), None
    if stated:
        limits = _of_appointment(form, match, parts, side, dates, context)
    elif _leaves(form, match, key, parts):
        ends, around_it = _last_day(form, dates, context), {"around": key} if key.startswith("around") else {}
        limits = _hours(form, match, parts | around_it, ends)
    if limits is None:
        form.restore(*match.span())
        form.taken[-1:] = [(*match.span(), ELSEWHERE)] if stated else []
    return limits or {}


def _leaves(form: Form, match: re.Match[str], key: str, parts: Parts) -> bool:
    """Return whether an hour is one of a flight; "after 6" alone is none, nor is it in "class is until 5pm"."""
    marked, cues = {"noon", "minute", "half", "minute2", "half2", "mark"} & set(parts), form.patterns("wishes", "cues")
    vague = not {"land", "home"} & set(parts) and any(name.startswith("vague") for name in parts)
    bare = vague or key.startswith("around") or not cues["leaving"].search(form.text[: match.end()])
    return key != "any" and bool(marked or not bare) and not cues["busy"].search(form.text[: match.start()])


def _appointment(form: Form, match: re.Match[str], parts: Parts) -> str:
    """Return what the words around an hour, for which "@" stands, say of it; empty if they say nothing.

    One has to be there when it `begins`, `arrives` at it, is back `home` at it, or is free when it `ends` or `works`;
    `none` if there is no appointment to travel to, `else` if it is no hour of a journey either ("a table at 7pm").
    """
    spans = [match.span(name) for name in ("part", "hour", "mark", "minute", "half", "noon") if name in parts]
    around = f"{form.text[: min(spans)[0]]}@{form.text[max(spans)[1] :]}"
    return form.words.first(around, "wishes", "appointment").rstrip("0123456789") if "land" not in parts else ""


def _of_appointment(
    form: Form, match: re.Match[str], parts: Parts, side: str, dates: Dates | None, context: ReadingContext
) -> dict[str, Any] | None:
    """Return the limits that an appointment sets, with an hour's margin; none on a day on which nobody travels.

    None if no flight is to be found, if neither its day nor that of the journey is known, or if it begins at an hour
    of either half of the day.
    """
    flies = context.flight_open or not context.trip_open or form.patterns("acts", "kinds")["flight"].search(form.text)
    at, exact = clock(form, parts), {"part", "half", "minute", "noon"} & set(parts)
    begins, busy = side in ("begins", "arrives"), form.patterns("wishes", "cues")["busy"]
    stated = busy.search(form.text[: match.start()])
    dated = context.start or any(end <= stated.start() for _, end, what in form.taken if stated and what == "dates")
    if side == "else" or not flies or (stated and not dated) or (at < _MORNING and not exact and begins):
        return None
    form.taken[-1] = (*match.span(), APPOINTMENT)
    before, after = around(at.replace(hour=at.hour + _NOON) if at < _MORNING and not exact else at)
    day, start, end = dates and (dates.start or dates.end), context.start, context.end
    if start and day and start < day and (begins or day != end) and day <= (end or day):
        return {}
    if begins:
        return {"arrive_before": at if side == "arrives" else before}
    returns = form.patterns("dates", "links")["returns"].search(form.text)
    out = start != end and (day == start if start and day else side == "works" and not returns)
    return {"home_before": before} if side == "home" else {"depart_after" if out else "return_after": after}


def _hours(form: Form, match: re.Match[str], parts: Parts, ends: tuple[int, int]) -> dict[str, Any]:
    """Return the limits that an hour sets: a departure after or before it, or an arrival before it."""
    home = "home" in parts or _homeward(form, match, ends)
    way = "return_" if home else "depart_"
    at, exact = clock(form, parts), {"unwanted", "part", "half", "minute", "noon"} & set(parts)
    if "hour2" in parts:
        return {f"{way}after": at, f"{way}before": clock(form, parts, "2")}
    if "around" in parts:
        return dict(zip((f"{way}after", f"{way}before"), around(at), strict=True))
    limit = next((match.start(side) for side in ("before", "after") if side in parts), -1)
    if "land" in parts and match.end("land") < limit:
        form.restore(match.end("land"), limit)  # "in Amsterdam by 10am"
    before = (match.groupdict().get("before") is not None) != ("unwanted" in parts)
    lands = "land" in parts and before
    side = ("home_" if home else "arrive_") if lands else way
    if (home or not before) and at <= _EARLY and not exact:
        at = at.replace(hour=at.hour + _NOON)  # "after 5"
    at = time(23, 59) if before and at == time(0) else at  # "before midnight"
    return {side + ("before" if before else "after"): at}


def around(hour: time) -> tuple[time, time]:
    """Return the times one hour before and one hour after `hour`, within the day."""
    before, after = (hour.replace(hour=max(0, min(23, hour.hour + side))) for side in (-1, 1))
    return before, after


def _part_of_day(form: Form, match: re.Match[str], part: str, ends: tuple[int, int]) -> dict[str, time]:
    hours, cues = READING.table("dayparts")[part], form.patterns("wishes", "cues")
    if is_dropped(form, match):  # "no morning flights"
        hours = {_OTHER_SIDE[end]: hour for end, hour in hours.items()} if len(hours) == 1 else {}
    home = _homeward(form, match, ends)
    if cues["lands_before"].search(form.text[: match.start()]) or cues["lands_after"].match(form.text, match.end()):
        until = time(hours["before"]) if "before" in hours else time(23, 59)
        return {"home_before" if home else "arrive_before": until}
    return {f"{'return' if home else 'depart'}_{end}": time(hour) for end, hour in hours.items()}


def _last_day(form: Form, dates: Dates | None, context: ReadingContext) -> tuple[int, int]:
    """Return (start, end) of the day home: the last of several, or the answer to a question for it; else (-1, -1)."""
    lengths = form.patterns("dates", "nights").values()
    spans = sorted((start, end) for start, end, what in form.taken if what == "dates")
    spans = [span for span in spans if not any(known.search(form.text[slice(*span)]) for known in lengths)]
    ranged = dates and dates.start and dates.end and len(spans) > 1
    return spans[-1] if spans and (ranged or context.asked == "end") else (-1, -1)


def _homeward(form: Form, match: re.Match[str], ends: tuple[int, int]) -> bool:
    """Return whether an hour is about the way home."""
    cues, before = form.patterns("wishes", "cues"), form.text[: match.start()].rstrip() + " "
    beside = 0 <= ends[1] <= match.start() and cues["beside_day"].fullmatch(form.text[ends[1] : match.start()])
    return bool(beside or cues["home_before"].search(before) or cues["home_after"].match(form.text, match.end()))


def clock(form: Form, parts: dict[str, str], suffix: str = "") -> time:
    """Return the time of day from the groups `hour`, `minute`, `half`, `part` and `noon` of a match."""
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
