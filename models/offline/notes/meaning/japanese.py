"""Reads a Japanese statement into the same items: the longest phrase first, what is left over as words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from models.offline.notes.meaning.english import Item, english_items, measured
from models.offline.notes.meaning.lexicon import Entry, japanese, longest_japanese
from text import normalise
from text.numbers import MONTHS, kanji_number
from text.tokens import is_japanese

_RUN = re.compile(r"[a-zA-Z][a-zA-Z.'&-]*(?: [a-zA-Z][a-zA-Z.'&-]*)*|\d+(?:[.,:]\d+)*")
_LARGE = re.compile(r"(\d+(?:\.\d+)?)(万|千)")
_TIMES = {"万": 10_000, "千": 1_000}
_HOUR = re.compile(r"(午前|午後|朝|夜|夕方)?(?:の)?(\d{1,2})時(?!間)(?:(半)|(\d{1,2})分)?")
_DATE = re.compile(r"(\d{4})(?:年|/|-)(0?[1-9]|1[0-2])(?!\d)(?:月|/|-)(?:0?(\d{1,2})日?)?")
_KANJI = re.compile(
    r"(?:[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=時|歳|才|万|千(?!葉)|月|[かヶカ箇]所|回|杯)"
)
_SPAN = re.compile(r"(\d+)時間(?:(半)|(\d+)分)")
_UP_TO = re.compile(r"(\d(?:分|時間|回|本|円|ドル|ユーロ|ポンド|泊|日|個|kg|キロ))まで")
_KATAKANA = re.compile(r"[\u30a0-\u30ff]+")
_SHORT = 3
"""Letters up to which a word in katakana is taken for a part of a longer one: "スイカ" holds no "イカ"."""
_BOTH = re.compile(r"(\d+)万(\d+)千")


def japanese_items(text: str, topic: str = "") -> list[Item]:
    """The items of `text` in a note of `topic`, in the order that they are written."""
    plain = _KANJI.sub(_figures, normalise(text))
    plain = _BOTH.sub(lambda found: str(int(found[1]) * 10_000 + int(found[2]) * 1_000), plain)
    plain = _DATE.sub(_dated, plain)
    plain = _UP_TO.sub(r"\1以下", _SPAN.sub(_minutes, _HOUR.sub(_clock, plain)))
    plain = _LARGE.sub(lambda found: f"{float(found[1]) * _TIMES[found[2]]:.0f}", plain.replace(",", ""))
    phrases = {**japanese(""), **japanese(topic)} if japanese(topic) else japanese("")
    items: list[Item] = []
    left, at = "", 0
    while at < len(plain):
        run = _RUN.match(plain, at)
        phrase = _longest(plain, at, phrases)
        if phrase and not _is_part(plain, at, phrase, left, phrases):
            left = _flushed(left, items)
            entry = phrases[phrase]
            items.append(Item(entry.role, entry.name or phrase))
            at += len(phrase)
        elif run:
            left = _flushed(left, items)
            items += _foreign(run[0])
            at = run.end()
        else:
            left += plain[at]
            at += 1
    _flushed(left, items)
    return measured(_forward(items))


def _longest(plain: str, at: int, phrases: Mapping[str, Entry]) -> str:
    """The longest phrase that starts at `at`; empty for none."""
    sizes = range(longest_japanese(), 0, -1)
    return next((plain[at : at + size] for size in sizes if plain[at : at + size] in phrases), "")


def _is_part(plain: str, at: int, phrase: str, left: str, phrases: Mapping[str, Entry]) -> bool:
    """True for a short word in katakana that is but a part of a longer one, of which nothing else is known."""
    if len(phrase) > _SHORT or phrases[phrase].role != "value" or not _KATAKANA.fullmatch(phrase):
        return False
    end = at + len(phrase)
    goes_on = bool(_KATAKANA.match(plain, end)) and not _longest(plain, end, phrases)
    return bool(_KATAKANA.fullmatch(left[-1:])) or goes_on


def _minutes(found: re.Match[str]) -> str:
    """Hours and minutes in minutes."""
    return f"{int(found[1]) * 60 + (30 if found[2] else int(found[3]))}分"


def _figures(found: re.Match[str]) -> str:
    """Return a number in kanji up to 99, in figures."""
    return str(kanji_number(found[0]))


def _dated(found: re.Match[str]) -> str:
    """A date as English has it, so that day and month are told apart."""
    return f"{found[3] or ''} {MONTHS[int(found[2]) - 1]} {found[1]} "


def _clock(found: re.Match[str]) -> str:
    later = 12 if found[1] in ("午後", "夜", "夕方") and int(found[2]) < 12 else 0
    return f"{int(found[2]) + later}:{'30' if found[3] else found[4] or '00'}"


def _forward(items: list[Item]) -> list[Item]:
    """The items with what Japanese says afterwards put in front: a condition, a reason, a thing preferred less."""
    found: list[Item] = []
    for item in items:
        clause = _start(found, _BREAKS)
        run = _start(found, _BREAKS | {"at", "particle"})
        if item.role == "reason_after":
            found.insert(clause, Item("reason", "whole"))
            found.append(Item("stop"))
        elif item.role == "contrast_after":
            named = any(one.role in ("value", "word", "number") for one in found[run:])
            found.insert(run if named else clause, Item("contrast"))
            found += [Item("comma"), Item("always")]
        elif item.role in ("when_after", "place_after") and found[run:] and _is_context(item, found[run:]):
            found.insert(run, Item("when", "when"))
            found.append(Item("comma"))
        elif item.role == "place_after":
            found.append(Item("particle"))
        elif item.role != "when_after":
            found.append(item)
    return found


def _is_context(item: Item, run: list[Item]) -> bool:
    certain = item.role == "when_after" and item.name not in ("では", "なら")
    return certain or (item.name in ("では", "で", "なら", "は") and any(one.role == "context" for one in run))


def _start(found: list[Item], roles: frozenset[str]) -> int:
    return next((place + 1 for place in range(len(found) - 1, -1, -1) if found[place].role in roles), 0)


_BREAKS = frozenset({"stop", "comma", "list"})


def _flushed(left: str, items: list[Item]) -> str:
    word = left.strip()
    if len(word) == 1 and "ぁ" <= word <= "ん":
        return ""  # the tail of an inflected form
    if word and is_japanese(word):
        items.append(Item("word", word))
    return ""


def _foreign(run: str) -> list[Item]:
    if run[0].isdigit():
        return [Item("number", "#" + run.replace(",", ""))]
    return [item for item in english_items(run) if item.role in ("value", "context", "word", "person", "domain")]
