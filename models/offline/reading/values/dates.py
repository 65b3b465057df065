"""Reads when a journey is: days, ranges, periods and holidays.

The pattern groups in `words/dates.toml` name the parts of a date: `day`, `month`, `weekday`, `holiday` and so on.
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
"""Offers shown at once: a higher number that is also a day of the trip means the day, not an offer."""
_BESIDE = re.compile(r" ?[,、(] ?(?:which is |that's |(?:it's )?an? |on (?:the |a )?)?")
_NO_STAY = timedelta(days=350)
"""A longer range is not a stay: its last day was meant to come before its first."""


@dataclass(slots=True)
class _Mention:
    """A day mentioned in a clause, from `start` to `end`; `joined` if it is the right end of a range."""

    start: int
    end: int
    day: Day
    joined: bool = False
    refused: bool = False


def read_dates(form: Form, context: ReadingContext) -> Dates | None:
    """Return the dates in the unread rest of a clause and blank them out; None if there are none."""
    length = form.patterns("dates", "length")
    dates = read_lengths(form, context)
    if form.take_first(length["first"], "dates"):
        return replace(dates, first=True)
    list(form.take(length["not_month"], "dates"))
    period = _period("period", form, context.today)
    mentions = _days(form, context)
    if period == Dates() and any(not (each.day.month or each.day.on) for each in mentions):
        period = _period("month", form, context.today)
    near = replace(context, window=period.window or context.window)
    near = replace(context, start=period.start, end=period.end) if period.start else near
    if context.start and dates.shift_start and any(each.day.weekday is not None for each in mentions):
        near, context, dates = days.shifted(near, context, dates)  # "friday to sunday of the week after"
    starts = any(_role(form, 0, each) == "start" for each in mentions)
    first, last = _ends(_roles(form, mentions, context), near, context, starts)
    only = (first or last) if bool(first) != bool(last) else None
    if dates.longer and only and context.start and not context.one_way:
        first, last, dates = None, only, replace(dates, longer=0)  # "a night more, so leaving on the 15th"
    if period == Dates() and not first:
        period = _period("month", form, context.today)
    if (first or context.start) and not last and form.take_first(length["day_trip"], "dates"):
        last = first or context.start
    if period.window and context.start and length["corrects"].search(form.text):
        period = days.in_month(period.window[0], context)
    nights = dates.nights if not (first and last) or dates.nights == (last - first).days else None
    window = None if first or last else period.window
    dates = replace(dates, start=first or period.start, end=last or period.end, window=window, nights=nights)
    if last and context.one_way and form.patterns("dates", "links")["returns"].search(form.text):
        dates = replace(dates, round_trip=True)
    if last and dates.shift_end and not dates.shift_start:  # "a day earlier, and back on the Sunday"
        again = context.end and last - context.end == timedelta(dates.shift_end)  # "back a day later, on the 17th"
        dates = replace(dates, shift_start=0 if again else dates.shift_end, shift_end=0)
    dates = days.from_eve(dates, context)
    if dates.start and dates.end and length["wide"].search(form.text):
        dates = replace(dates, start=None, end=None, window=(dates.start, dates.end))
    if not (dates.start or dates.window) and form.take_first(length["same"], "dates"):
        return replace(dates, same=True)
    return dates if dates != Dates() else None


def _period(group: str, form: Form, today: date) -> Dates:
    """Return the days or the window of a part of a month, a weekend, a week or a season in the unread rest."""
    for pattern in form.patterns("dates", group).values():
        for match in form.take(pattern, "dates"):
            return days.period_of(form.words, parts_of(match), today)
    return Dates()


def _days(form: Form, context: ReadingContext) -> list[_Mention]:
    """Return the days in the unread rest of a clause, in order, and blank them out."""
    links = form.patterns("dates", "links")
    asked = context.asked in {"dates", "end"}
    pair = links["pair"].search(form.text) if asked or context.window or context.trip_open else None
    if match := pair or (links["one"].search(form.text) if asked else None):
        ends = [Day(day=int(each)) for each in match.groupdict().values() if each]
        form.blank(match.start(), match.end(), "dates")
        return [_Mention(at, at, day, joined=at > 0) for at, day in enumerate(ends)]
    mentions: list[_Mention] = []
    at, spaced = 0, form.text.startswith(" ")
    while at < len(form.rest):
        if spaced and form.rest[at - 1 : at] != " ":
            at += 1
        elif match := links["left"].match(form.rest, at):
            mentions.append(_Mention(at, match.end(), Day(day=int(match["day"]))))
            at = match.end()
        elif not (mention := _day_at(form, at, context, spaced)):
            at += 1
        elif links["not"].search(form.rest[:at]):
            mentions.append(replace(mention, refused=True))
            at = mention.end
        else:
            mentions.append(mention)
            at = _end_of_range(form, mentions, context)
    if len(mentions) > 2:  # "new year in Lisbon, 29 december to 2 january"
        mentions = [each for each in mentions if not each.day.holiday]
    for each in mentions:
        form.blank(each.start, each.end, "dates")
    own = [each for each in mentions if not links["event"].search(form.text[: each.start])]  # "the fair is on the 3rd"
    mentions = _without_repeats(_without_corrected(own or mentions, form), form, context)
    return _without_event(_weekdays_dated(mentions, form, context), form)


def _without_repeats(mentions: list[_Mention], form: Form, context: ReadingContext) -> list[_Mention]:
    """Return the days without weekdays that only repeat the dates before them ("3 to 5 April, Saturday to Monday")."""
    kept: list[_Mention] = []
    again = False
    for at, each in enumerate(mentions):
        start = days.resolve(kept[0].day, context) if kept and kept[0].day.day else None
        dates = {days.resolve(one.day, context, start) for one in kept if one.day.day} if start else set()
        beside = (again and each.joined) or _BESIDE.fullmatch(form.text[mentions[at - 1].end : each.start])
        bare = each.day.weekday is not None and each.day == Day(weekday=each.day.weekday)
        again = bool(bare and beside and each.day.weekday in {day.weekday() for day in (start, *dates) if day})
        kept += [] if again else [each]
    return kept


def _weekdays_dated(mentions: list[_Mention], form: Form, context: ReadingContext) -> list[_Mention]:
    """Return a range of weekdays with one date as a range of dates ("Friday to Sunday, 8 January").

    If the date is on neither of the weekdays, return the date alone.
    """
    ends = [each for each in mentions if each.day.weekday is not None]
    on = next((each for each in mentions if each.day.day), None)
    refused = any(each.refused for each in mentions)
    if refused or not on or len(ends) != 2 or len({*map(id, (on, *ends))}) != len(mentions):
        return mentions
    between = form.text[ends[0].end : ends[1].start].strip(" ")
    through = ends[1].joined or form.patterns("dates", "links")["through"].fullmatch(between)
    day = days.resolve(replace(on.day, weekday=None), context)
    if ends[0].day.day or not through or day is None:
        return mentions
    weekdays = [each.day.weekday or 0 for each in ends]
    stay = timedelta((weekdays[1] - weekdays[0]) % 7 or 7)
    if day.weekday() not in (weekdays if on in ends else weekdays[:1]):
        return [replace(on, joined=False)]
    start = day if day.weekday() == weekdays[0] else day - stay
    return [replace(ends[0], day=Day(on=start), joined=False), replace(ends[1], day=Day(on=start + stay), joined=True)]


def _without_event(mentions: list[_Mention], form: Form) -> list[_Mention]:
    """Return a range without the date of an event before it ("her birthday is 19 June; from the 18th to the 21st")."""
    if [each.joined for each in mentions] != [False, False, True] or _role(form, 0, mentions[0]):
        return mentions
    eve, *stay = mentions
    return [replace(each, day=replace(each.day, month=each.day.month or eve.day.month)) for each in stay]


def _without_corrected(mentions: list[_Mention], form: Form) -> list[_Mention]:
    """Return the days without those corrected at once ("the 22nd, no wait, the 23rd"); a range replaces a range."""
    kept: list[_Mention] = []
    for at, each in enumerate(mentions):
        repair, between = form.patterns("dates", "links")["repair"], slice(kept[-1].end if kept else 0, each.start)
        if kept and any(repair.search(text[between]) for text in (form.text, form.rest)):
            last = kept.pop()
            month = each.day.month or (last.day.month if each.day.day else None)
            if last.joined and any(other.joined for other in mentions[at + 1 : at + 2]):
                last = kept.pop()
            each = replace(each, day=replace(each.day, month=month), joined=last.joined)
        kept.append(each)
    return kept


def _end_of_range(form: Form, mentions: list[_Mention], context: ReadingContext) -> int:
    """Mark whether the last day ends a range or replaces one; add a bare end ("3 may to 7"); return its end."""
    last, links = mentions[-1], form.patterns("dates", "links")
    before = mentions[-2] if len(mentions) > 1 and not mentions[-2].refused else None
    between = form.rest[before.end : last.start] if before else ""
    if before and links["becomes"].fullmatch(between):
        ends = {context.start, context.end} - {None}
        was, now = (days.resolve(each.day, context) in ends for each in (before, last))
        before.refused = not now and (was or bool(links["moved"].search(form.text)))
    last.joined = bool(before and not before.refused and links["range"].fullmatch(between))
    right = links["right"].match(form.rest, last.end)
    patterns = form.patterns("dates", "day")
    follows = right and any(patterns[key].match(form.rest, right.start("day")) for key in ("day_month", "nth"))
    if right and not follows:
        mentions.append(_Mention(right.start(), right.end(), Day(day=int(right["day"])), joined=True))
    return mentions[-1].end


def _day_at(form: Form, at: int, context: ReadingContext, spaced: bool) -> _Mention | None:
    cued = form.patterns("dates", "cued")
    for key, pattern in form.patterns("dates", "day").items():
        match = pattern.match(form.rest, at)
        if not match or BLANK in match[0] or (spaced and not form.rest.startswith(" ", match.end())):
            continue
        if key == "nth" and cued["needs_cue"].match(match[0]):
            before, after = form.rest[: match.start()], form.rest[match.end() :]
            named = int(match["day"]) > MOST_SHOWN and int(match["day"]) in {day.day for day in context.days}
            if not (named or cued["after"].match(after) or any(cued[key].search(before) for key in ("range", "cue"))):
                continue
        day = days.day_of_trip(form, parts_of(match), context) if key == "of_trip" else None
        if day := day or days.day_of(form, parts_of(match), context.today):
            return _Mention(at, match.end(), day)
    return None


def _roles(form: Form, mentions: list[_Mention], context: ReadingContext) -> tuple[Day | None, Day | None]:
    """Return the day out and the day home, by the words around them, else by their order. The last mention counts."""
    start: Day | None = None
    end: Day | None = None
    at, ends, month, anew = 0, False, None, False
    for place, each in enumerate(mentions):
        if month and each.day.day and not each.day.month:
            each, month = replace(each, day=replace(each.day, month=month)), None
        opens = place + 1 < len(mentions) and mentions[place + 1].joined
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


def _role(form: Form, floor: int, mention: _Mention) -> str:
    """Return the role of a day by the words around it: `start`, `end`, `not` or `stays`; empty if there are none."""
    links = form.patterns("dates", "links")
    for role in ("not", "stays"):
        if links[f"{role}_after"].match(form.text, mention.end):
            return role
    cues = [
        (match.end(), key)
        for key in ("start", "end")
        for match in links[key].finditer(form.text, floor)
        if match.end() <= mention.start + 1
    ]
    if cues:
        return max(cues)[1]
    return next((key for key in ("end", "start") if links[f"{key}_after"].match(form.text, mention.end)), "")


def _ends(
    roles: tuple[Day | None, Day | None], near: ReadingContext, context: ReadingContext, starts: bool
) -> tuple[date | None, date | None]:
    """Return the first and the last day as dates. A start without a month takes that of the end.

    A single day is the last if the day home was asked for, or if the trip ends on it and no word makes it the start; an
    activity is on that day.
    """
    first, last = roles
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
    ends = context.asked == "end" or (start == context.end and not starts and context.about != "activity")
    return (None, start) if later and ends else (start, end)
