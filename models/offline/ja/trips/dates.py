"""Reads dates in ordinary Japanese (「12月3日から9日まで」「来月の第2週」「明日から4泊」)."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from models.offline.calendar_days import Dates, Holiday, holiday_days, next_month
from text.numbers import WEEKDAYS_JA, kanji_number

_N = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"


def _month(prefix: str) -> str:
    year = rf"(?:(?P<{prefix}year>20\d\d)年|(?P<{prefix}next>来年)の?)?"
    return rf"{year}(?P<{prefix}month>{_N}月|来月|再来月|今月)の?"


def _day(prefix: str) -> str:
    return rf"(?P<{prefix}day>{_N})日?(?:\([{WEEKDAYS_JA}]\))?"


_TO = r"(?:から|~|-|より|→|と)"
_ISO = re.compile(r"(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_SLASH = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_SPAN_MONTHS = re.compile(_month("a") + _day("a") + _TO + _month("b") + _day("b"))
_SPAN = re.compile(_month("a") + _day("a") + _TO + rf"(?P<bday>{_N})日?")
_SPAN_DAYS = re.compile(rf"(?<![月\d])(?P<aday>{_N})日?{_TO}(?P<bday>{_N})日")
_SPAN_BARE = re.compile(rf"^(?P<aday>{_N}){_TO}(?P<bday>{_N})(?:まで)?(?:です|で)?$")
_WEEK_OF = re.compile(_month("a") + r"(?:第(?P<which>[1-5一二三四五])|(?P<last>最終))週")
_SINGLE = re.compile(_month("a") + rf"(?P<aday>{_N})日")
_SINGLE_DAY = re.compile(rf"(?<![月\d第/])(?P<aday>{_N})日(?!間|後|前|目|以|ほど|くらい|ぐらい)")
_PART_OF = re.compile(_month("a") + r"(?P<part>上旬|中旬|下旬|初め|はじめ|初旬|半ば|なかば|末|後半|前半|終わり)")
_IN_MONTH = re.compile(_month("a"))
_NIGHTS = re.compile(rf"({_N})泊(?:{_N}日)?")
_SPELL = re.compile(rf"({_N})(日間|週間)")
_AHEAD = re.compile(rf"({_N})(日|週間|か月|ヶ月|ヵ月|カ月)後")
_WEEKDAY = re.compile(rf"(?P<week>今週|来週|再来週|次|今度)?の?(?P<day>[{WEEKDAYS_JA}])曜日?")
_FLEXIBLE = re.compile(
    r"いつでも|未定|決めてい?ない|決まってい?ない|決めてい?ません|決まってい?ません|柔軟|特に(?:ない|"
    r"希望は)|こだわ(?:り|ら)(?:は)?(?:ない|ありません)|わから(?:ない|ん)|分から(?:ない|ん)|わかりません|"
    r"分かりません|お任せ|おまかせ"
)
_VAGUE = re.compile(
    r"来週|再来週|今週|春休み|夏休み|冬休み|年末|年明け|"
    r"シルバーウィーク|来年(?:の)?(?:春|夏|秋|冬)?|今年の(?:春|夏|秋|冬)|この(?:春|夏|秋|冬)|"
    r"そのうち|近いうち"
)
_HOLIDAYS: dict[Holiday, str] = {
    "easter": "イースター", "christmas": "クリスマス(?!マーケット|市)", "new_year": "年末年始|正月",
    "golden_week": "ゴールデンウィーク|gw", "obon": "お盆",
}  # fmt: skip
_DAYS_AWAY = (
    ("明々後日", 3), ("しあさって", 3), ("明後日", 2), ("あさって", 2), ("明日", 1), ("あした", 1),
    ("本日", 0), ("今日", 0),
    ("今夜", 0), ("今晩", 0),
)  # fmt: skip


def read_dates(form: str, today: date, asked: bool = False, month: date | None = None) -> Dates:
    """Dates in matched text. `asked` also takes bare numbers; `month` gives the month to days that name none."""
    nights, form = _nights(form)
    start, end = _days(form, today, asked, month)
    if start and nights and (start, end) == _holiday(form, today):
        end = None
    if start:
        return Dates(start=start, end=end if end and end > start else None, nights=nights)
    vague, named = _vaguely(form, today)
    return Dates(nights=nights, vague=vague, month=named, flexible=asked and bool(_FLEXIBLE.search(form)))


def month_in_words(day: date) -> str:
    """「2026年12月」."""
    return f"{day.year}年{day.month}月"


def _nights(form: str) -> tuple[int | None, str]:
    if match := _NIGHTS.search(form):
        return kanji_number(match[1]), form[: match.start()] + "、" + form[match.end() :]
    if match := _SPELL.search(form):
        count = kanji_number(match[1])
        nights = count * 7 if match[2] == "週間" else max(1, count - 1)
        if form[match.end() :].startswith("後"):
            return None, form
        return nights, form[: match.start()] + "、" + form[match.end() :]
    return (0, form) if "日帰り" in form else (None, form)


def _days(form: str, today: date, asked: bool, month: date | None) -> tuple[date | None, date | None]:
    exact = [found for parts in _ISO.findall(form) if (found := _date(*map(int, parts)))]
    if not exact:
        exact = [found for one, two in _SLASH.findall(form) if (found := _coming(int(one), int(two), today))]
    if exact:
        return exact[0], exact[1] if len(exact) > 1 else None
    for pattern in (_SPAN_MONTHS, _SPAN, _SPAN_DAYS, *((_SPAN_BARE,) if asked else ())):
        if match := pattern.search(form):
            return _span(match.groupdict(), today, month)
    if match := _WEEK_OF.search(form):
        return _week_of(match, today)
    for pattern in (_SINGLE, _SINGLE_DAY):
        if match := pattern.search(form):
            return _made(match.groupdict(), "a", today, month), None
    return _relative(form, today)


def _date(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1] else None


def _coming(month: int, day: int, after: date) -> date | None:
    """The first such day from `after` on."""
    found = (made for year in (after.year, after.year + 1) if (made := _date(year, month, day)) and made >= after)
    return next(found, None)


def _span(parts: dict[str, str | None], today: date, month: date | None) -> tuple[date | None, date | None]:
    start = _made(parts, "a", today, month)
    if start is None:
        return None, None
    return start, _made(parts, "b", start, start.replace(day=1))


def _made(parts: dict[str, str | None], prefix: str, after: date, month: date | None) -> date | None:
    day = kanji_number(parts[prefix + "day"] or "0")
    named = _month_of(parts, prefix, after) if parts.get(prefix + "month") else month
    months = [named] if named else [after]
    following = next_month(months[0])
    candidates = [*months] if parts.get(prefix + "month") else [*months, following]
    made = (found for each in candidates if (found := _date(each.year, each.month, day)) and found >= after)
    return next(made, None)


def _month_of(parts: dict[str, str | None], prefix: str, today: date) -> date:
    name, year = parts[prefix + "month"] or "", parts.get(prefix + "year")
    if not name.endswith("月") or name in {"来月", "再来月", "今月"}:
        ahead = {"今月": 0, "来月": 1, "再来月": 2}[name]
        day = today.replace(day=1)
        for _ in range(ahead):
            day = next_month(day)
        return day
    wanted = min(max(kanji_number(name[:-1]), 1), 12)
    if year or parts.get(prefix + "next"):
        return date(int(year) if year else today.year + 1, wanted, 1)
    return date(today.year + (wanted < today.month), wanted, 1)


def _week_of(match: re.Match[str], today: date) -> tuple[date, date]:
    month = _month_of(match.groupdict(), "a", today)
    days = calendar.monthrange(month.year, month.month)[1]
    first = days - 6 if match["last"] else min(1 + 7 * (kanji_number(match["which"]) - 1), days)
    return month.replace(day=first), month.replace(day=min(first + 6, days))


def _relative(form: str, today: date) -> tuple[date | None, date | None]:
    for word, ahead in _DAYS_AWAY:
        if word in form:
            return today + timedelta(days=ahead), None
    if match := re.search(r"(今|来|再来|次の|今度の)?週末", form):
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        saturday += timedelta(days=7 * {"来": 1, "再来": 2}.get(match[1] or "", 0))
        return saturday, saturday + timedelta(days=1)
    if match := _AHEAD.search(form):
        return _ahead(kanji_number(match[1]), match[2], today), None
    found: list[date] = []
    for match in _WEEKDAY.finditer(form):
        found.append(_weekday(match, found[-1] if found else today, today))
    if not found:
        return _holiday(form, today)
    return found[0], (found[1] if len(found) > 1 else None)


def _holiday(form: str, today: date) -> tuple[date | None, date | None]:
    name = next((name for name, words in _HOLIDAYS.items() if re.search(words, form)), None)
    return holiday_days(name, today) if name else (None, None)


def _ahead(count: int, unit: str, today: date) -> date:
    if unit == "日" or unit == "週間":
        return today + timedelta(days=count * (7 if unit == "週間" else 1))
    month = today.replace(day=1)
    for _ in range(count):
        month = next_month(month)
    return month.replace(day=min(today.day, calendar.monthrange(month.year, month.month)[1]))


def _weekday(match: re.Match[str], after: date, today: date) -> date:
    wanted = WEEKDAYS_JA.index(match["day"])
    weeks = {"今週": 0, "来週": 1, "再来週": 2}
    if match["week"] in weeks:
        monday = today - timedelta(days=today.weekday())
        return monday + timedelta(days=7 * weeks[match["week"]] + wanted)
    return after + timedelta(days=(wanted - after.weekday() - 1) % 7 + 1)


def _vaguely(form: str, today: date) -> tuple[str | None, date | None]:
    if match := _PART_OF.search(form):
        month = _month_of(match.groupdict(), "a", today)
        return f"{month_in_words(month)}{match['part']}", month
    if match := _IN_MONTH.search(form):
        month = _month_of(match.groupdict(), "a", today)
        return month_in_words(month), month
    if match := _VAGUE.search(form):
        return match[0], None
    return None, None
