"""Reads when a journey is: days, ranges, periods and holidays.

The patterns of `words/dates.toml` name by their groups what was said: `day`, `month`, `weekday`, `holiday` and so on.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from models.offline.reading.form import BLANK, Form, parts_of
from models.offline.reading.understanding import Dates, ReadingContext
from models.offline.reading.values import days
from models.offline.reading.values.days import Day
from models.offline.reading.values.lengths import read_lengths

MOST_SHOWN = 3
"""Offers shown at once: a higher number that is a day of the trip is that day, and no offer."""
_BESIDE = re.compile(r" ?[,、(] ?(?:which is |that's |(?:it's )?an? |on (?:the |a )?)?")
_NO_STAY = timedelta(days=350)
"""What is longer is a day before another, and no stay."""
_AFTER = 20
"""Letters after a day that may tell its role."""


@dataclass(slots=True)
class _Found:
    """A day in a clause: where it stands, what was said of it; the right end of a range is `joined`."""

    start: int
    end: int
    day: Day
    joined: bool = False
    refused: bool = False


def read_dates(form: Form, context: ReadingContext) -> Dates | None:
    """Return what is left of a clause says of time, and blank it out; None for nothing."""
    length = form.patterns("dates", "length")
    found = read_lengths(form, context)
    if form.take_first(length["first"], "dates"):
        return replace(found, first=True)
    list(form.take(length["not_month"], "dates"))
    period = _period("period", form, context.today)
    found_days = _days(form, context)
    if period == Dates() and any(not (each.day.month or each.day.on) for each in found_days):
        period = _period("month", form, context.today)
    near = replace(context, window=period.window or context.window)
    near = replace(context, start=period.start, end=period.end) if period.start else near
    if context.start and found.shift_start and any(each.day.weekday is not None for each in found_days):
        near, context, found = days.shifted(near, context, found)  # "friday to sunday of the week after"
    starts = any(_role(form, 0, each) == "start" for each in found_days)
    first, last = _ends(_roles(form, found_days, context), near, context, starts)
    only = (first or last) if bool(first) != bool(last) else None
    if found.longer and only and context.start and not context.one_way:
        first, last, found = None, only, replace(found, longer=0)  # "a night more, so leaving on the 15th"
    if period == Dates() and not first:
        period = _period("month", form, context.today)
    if (first or context.start) and not last and form.take_first(length["day_trip"], "dates"):
        last = first or context.start
    if period.window and context.start and length["corrects"].search(form.text):
        period = days.in_month(period.window[0], context)
    nights = found.nights if not (first and last) or found.nights == (last - first).days else None
    window = None if first or last else period.window
    found = replace(found, start=first or period.start, end=last or period.end, window=window, nights=nights)
    if last and context.one_way and form.patterns("dates", "links")["returns"].search(form.text):
        found = replace(found, round_trip=True)
    if last and found.shift_end and not found.shift_start:  # "a day earlier, and back on the Sunday"
        again = context.end and last - context.end == timedelta(found.shift_end)  # "back a day later, on the 17th"
        found = replace(found, shift_start=0 if again else found.shift_end, shift_end=0)
    found = days.from_eve(found, context)
    if found.start and found.end and length["wide"].search(form.text):
        found = replace(found, start=None, end=None, window=(found.start, found.end))
    if not (found.start or found.window) and form.take_first(length["same"], "dates"):
        return replace(found, same=True)
    return found if found != Dates() else None


def _period(group: str, form: Form, today: date) -> Dates:
    """Return the days, or else the window, that a part of a month, a weekend, a week or a season stands for."""
    for known in form.patterns("dates", group).values():
        for match in form.take(known, "dates"):
            return days.period_of(form.words, parts_of(match), today)
    return Dates()


def _days(form: Form, context: ReadingContext) -> list[_Found]:
    """Return the days of a clause in their order, each blanked out."""
    links = form.patterns("dates", "links")
    asked = context.asked in {"dates", "end"}
    pair = links["pair"].search(form.text) if asked or context.window or context.trip_open else None
    if match := pair or (links["one"].search(form.text) if asked else None):
        ends = [Day(day=int(each)) for each in match.groupdict().values() if each]
        form.blank(match.start(), match.end(), "dates")
        return [_Found(at, at, day, joined=at > 0) for at, day in enumerate(ends)]
    found: list[_Found] = []
    at, spaced = 0, form.text.startswith(" ")
    while at < len(form.rest):
        if spaced and form.rest[at - 1 : at] != " ":
            at += 1
        elif match := links["left"].match(form.rest, at):
            found.append(_Found(at, match.end(), Day(day=int(match["day"]))))
            at = match.end()
        elif not (one := _day_at(form, at, context, spaced)):
            at += 1
        elif links["not"].search(form.rest[:at]):
            found.append(replace(one, refused=True))
            at = one.end
        else:
            found.append(one)
            at = _end_of_range(form, found, context)
    if len(found) > 2:  # "new year in Lisbon, 29 december to 2 january"
        found = [each for each in found if not each.day.holiday]
    for each in found:
        form.blank(each.start, each.end, "dates")
    event = links["event"]
    found = [each for each in found if not event.search(form.text[: each.start])] or found  # "the fair is on the 3rd"
    found = _less_weekdays(_repaired(found, form), form, context)
    return _less_eve(_anchored(found, form, context), form)


def _less_weekdays(found: list[_Found], form: Form, context: ReadingContext) -> list[_Found]:
    """Return the days without weekdays that only say those before them again ("3 to 5 April, Saturday to Monday")."""
    kept: list[_Found] = []
    again = False
    for at, each in enumerate(found):
        start = days.resolve(kept[0].day, context) if kept and kept[0].day.day else None
        told = {days.resolve(one.day, context, start) for one in kept if one.day.day} if start else set()
        beside = (again and each.joined) or _BESIDE.fullmatch(form.text[found[at - 1].end : each.start])
        bare = each.day.weekday is not None and each.day == Day(weekday=each.day.weekday)
        again = bool(bare and beside and each.day.weekday in {day.weekday() for day in (start, *told) if day})
        kept += [] if again else [each]
    return kept


def _anchored(found: list[_Found], form: Form, context: ReadingContext) -> list[_Found]:
    """Return a range of weekdays beside one day as the range around it ("Friday to Sunday, 8 January").

    Where that day is on neither end of the range, only the day is sure.
    """
    ends = [each for each in found if each.day.weekday is not None]
    on = next((each for each in found if each.day.day), None)
    if not on or len(ends) != 2 or len({*map(id, (on, *ends))}) != len(found) or any(each.refused for each in found):
        return found
    between = form.text[ends[0].end : ends[1].start].strip(" ")
    through = ends[1].joined or form.patterns("dates", "links")["through"].fullmatch(between)
    day = days.resolve(replace(on.day, weekday=None), context)
    if ends[0].day.day or not through or day is None:
        return found
    weekdays = [each.day.weekday or 0 for each in ends]
    stay = timedelta((weekdays[1] - weekdays[0]) % 7 or 7)
    if day.weekday() not in (weekdays if on in ends else weekdays[:1]):
        return [replace(on, joined=False)]
    start = day if day.weekday() == weekdays[0] else day - stay
    return [replace(ends[0], day=Day(on=start), joined=False), replace(ends[1], day=Day(on=start + stay), joined=True)]


def _less_eve(found: list[_Found], form: Form) -> list[_Found]:
    """Return the days without one that a range goes around ("her birthday is 19 June; from the 18th to the 21st")."""
    if [each.joined for each in found] != [False, False, True] or _role(form, 0, found[0]):
        return found
    eve, *stay = found
    return [replace(each, day=replace(each.day, month=each.day.month or eve.day.month)) for each in stay]


def _repaired(found: list[_Found], form: Form) -> list[_Found]:
    """Return the days without those taken back at once ("the 22nd, no wait, the 23rd"); a range replaces a range."""
    kept: list[_Found] = []
    for at, each in enumerate(found):
        repair, between = form.patterns("dates", "links")["repair"], slice(kept[-1].end if kept else 0, each.start)
        if kept and any(repair.search(text[between]) for text in (form.text, form.rest)):
            last = kept.pop()
            month = each.day.month or (last.day.month if each.day.day else None)
            if last.joined and any(other.joined for other in found[at + 1 : at + 2]):
                last = kept.pop()
            each = replace(each, day=replace(each.day, month=month), joined=last.joined)
        kept.append(each)
    return kept


def _end_of_range(form: Form, found: list[_Found], context: ReadingContext) -> int:
    """Mark a day that ends a range or is given up for it, add the number that ends one ("3 may to 7"); go on there."""
    last, links = found[-1], form.patterns("dates", "links")
    before = found[-2] if len(found) > 1 and not found[-2].refused else None
    between = form.rest[before.end : last.start] if before else ""
    if before and links["becomes"].fullmatch(between):
        ends = {context.start, context.end} - {None}
        was, now = (days.resolve(each.day, context) in ends for each in (before, last))
        before.refused = not now and (was or bool(links["moved"].search(form.text)))
    last.joined = bool(before and not before.refused and links["range"].fullmatch(between))
    right = links["right"].match(form.rest, last.end)
    known = form.patterns("dates", "day")
    follows = right and any(known[key].match(form.rest, right.start("day")) for key in ("day_month", "nth"))
    if right and not follows:
        found.append(_Found(right.start(), right.end(), Day(day=int(right["day"])), joined=True))
    return found[-1].end


def _day_at(form: Form, at: int, context: ReadingContext, spaced: bool) -> _Found | None:
    cued = form.patterns("dates", "cued")
    for key, known in form.patterns("dates", "day").items():
        match = known.match(form.rest, at)
        if not match or BLANK in match[0] or (spaced and not form.rest.startswith(" ", match.end())):
            continue
        if key == "nth" and cued["needs_cue"].match(match[0]):
            before, after = form.rest[: match.start()], form.rest[match.end() :]
            named = int(match["day"]) > MOST_SHOWN and int(match["day"]) in {day.day for day in context.days}
            if not (named or cued["after"].match(after) or any(cued[key].search(before) for key in ("range", "cue"))):
                continue
        if day := days.day_of(form, parts_of(match), context.today):
            return _Found(at, match.end(), day)
    return None


def _roles(form: Form, found: list[_Found], context: ReadingContext) -> tuple[Day | None, Day | None]:
    """Return the day out and the day home: by the words beside them, else by their order. The last one said counts."""
    start: Day | None = None
    end: Day | None = None
    at, ends, month, anew = 0, False, None, False
    for place, each in enumerate(found):
        if month and each.day.day and not each.day.month:
            each, month = replace(each, day=replace(each.day, month=month)), None
        opens = place + 1 < len(found) and found[place + 1].joined
        role = "not" if each.refused else "end" if each.joined else "start" if opens else _role(form, at, each)
        at = each.end
        on = days.resolve(each.day, context)
        if role == "not" or (role == "stays" and on in {context.start, context.end}):
            if taken_back := form.patterns("dates", "links")["not_after"].match(form.text, each.end):
                form.blank(each.end, taken_back.end(), "dates")
            ends = ends or on == (context.end if role == "not" else context.start)
            ends = ends or (each.refused and context.end is not None and each.day == Day(weekday=context.end.weekday()))
            if ends and not end and each.refused:
                start, end = None, start  # "leaving on Saturday instead of Sunday"
            month = None if ends else each.day.month  # 「1月5日、いや6日から」
            anew = start is not None  # 「1月5日から8日、いや6日から9日」
            month = month or (start.month if start else None)
            continue
        again = role == "start" and start is not None and end is None and not anew
        if role == "end" or again or (not role and (ends or start) and (end is None or each.day.month)):
            end = each.day
        elif role == "start" or start is None:
            start = each.day
    return start, end


def _role(form: Form, floor: int, found: _Found) -> str:
    """Return `start`, `end`, `not` or `stays` by the words around a day; empty where they don't tell."""
    links = form.patterns("dates", "links")
    after = form.text[found.end : found.end + _AFTER]
    for role in ("not", "stays"):
        if links[f"{role}_after"].match(after):
            return role
    cues = [
        (match.end(), key)
        for key in ("start", "end")
        for match in links[key].finditer(form.text, floor)
        if match.end() <= found.start + 1
    ]
    if cues:
        return max(cues)[1]
    return next((key for key in ("end", "start") if links[f"{key}_after"].match(after)), "")


def _ends(
    said: tuple[Day | None, Day | None], near: ReadingContext, context: ReadingContext, starts: bool
) -> tuple[date | None, date | None]:
    """Return the first and the last day: a start without a month is in that of the end, an end comes after the start.

    One day alone is the last where that is open, or where it is the last known and not said to be the first.
    """
    first, last = said
    if first and last and last.month and first.day and not first.month:
        fits = not last.day or first.day <= last.day
        first = replace(first, month=last.month if fits else (last.month - 2) % 12 + 1)
    if first and first.month and last and last.month and last.year and not first.year and first.month <= last.month:
        first = replace(first, year=last.year)
    start = days.resolve(first, near) if first else None
    end = days.resolve(last, near, start or near.start or near.today) if last else None
    end = None if start and end and end < start else end
    if start and end and last and not last.year and end - start > _NO_STAY:
        start, end = days.resolve(last, near), None  # "the concert is on the 23rd, so from the 22nd"
    later = start and not end and context.start and start > context.start
    ends = context.asked == "end" or (start == context.end and not starts)
    return (None, start) if later and ends else (start, end)
