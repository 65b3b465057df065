"""Numbers in English and Japanese words: spoken digits ("double seven"), counts, months and weekdays."""

import re
from functools import cache

from text.tables import TABLES

_UNITS = {
    "zero": "0", "oh": "0", "nought": "0", "nil": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
_TEENS = {
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19",
}  # fmt: skip
_TENS = {
    "twenty": "2", "thirty": "3", "forty": "4", "fifty": "5", "sixty": "6", "seventy": "7", "eighty": "8",
    "ninety": "9",
}  # fmt: skip
_KANJI_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_REPEATS = {"double": 2, "triple": 3}
_NATO_LIST = """
    alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar
    papa quebec romeo sierra tango uniform victor whiskey x-ray xray yankee zulu
"""
_NATO = tuple(_NATO_LIST.split())
_MIN_RUN = 3
"""Shortest run of number words that counts as spoken digits; shorter ones ("one or two") are ordinary language."""

NUMBER_WORDS: dict[str, int] = {
    **{word: int(digit) for word, digit in _UNITS.items() if word not in {"oh", "nil", "nought"}},
    **{word: int(digits) for word, digits in _TEENS.items()},
    **{word: int(digit) * 10 for word, digit in _TENS.items()},
}
"""English number words and their values."""

_SEPARATOR = r"(?:[\s,.\-–/]|\b(?:dash|hyphen|space|then|and|minus)\b)*"


@cache
def _runs() -> re.Pattern[str]:
    word = "|".join(sorted([*_UNITS, *_TEENS, *_TENS, *_REPEATS, "o"], key=len, reverse=True))
    token = rf"(?:\b(?:{word})\b|(?<![a-z\d])\d+(?![a-z\d]))"
    return re.compile(rf"{token}(?:{_SEPARATOR}{token}){{{_MIN_RUN - 1},}}", re.IGNORECASE)


@cache
def _kana() -> dict[str, str]:
    listed: dict[str, str] = TABLES.table("words")["kana"]
    return {word: digit for digit, words in listed.items() for word in words.split()}


@cache
def _kana_runs() -> re.Pattern[str]:
    word = "|".join(sorted(_kana(), key=len, reverse=True))
    return re.compile(rf"(?:(?:{word})[\s、,・の-]*){{4,}}")


@cache
def _nato_runs() -> re.Pattern[str]:
    word = "|".join([*_NATO, *_UNITS, "[a-z]", r"\d"])
    return re.compile(rf"\b(?:{word})\b(?:[\s,-]+(?:{word})\b){{4,}}", re.IGNORECASE)


def _digits(run: str) -> str:
    out: list[str] = []
    words = re.findall(r"[a-z]+|\d+", run.lower())
    position, repeat = 0, 1
    while position < len(words):
        word = words[position]
        position += 1
        if word in _REPEATS:
            repeat = _REPEATS[word]
            continue
        if word in _TENS:
            unit = _UNITS.get(words[position], "") if position < len(words) else ""
            joined = unit not in {"", "0"}
            position += int(joined)
            piece = _TENS[word] + (unit if joined else "0")
        else:
            piece = "0" if word == "o" else _UNITS.get(word) or _TEENS.get(word) or (word if word.isdigit() else "")
        out.append(piece * repeat)
        repeat = 1
    return "".join(out)


def _fold_run(match: re.Match[str]) -> str:
    run = match.group()
    if not re.search(r"[a-z]{3}|\boh\b", run, re.IGNORECASE) or not set(re.findall(r"[a-z]+", run.lower())) & _WORDS:
        return run
    return _digits(run)


_WORDS = frozenset([*_UNITS, *_TEENS, *_TENS])


def _fold_nato(match: re.Match[str]) -> str:
    words = re.findall(r"x-ray|[a-z]+|\d", match.group().lower())
    letters = sum(word in _NATO or (len(word) == 1 and word.isalpha()) for word in words)
    only_letters = letters == len(words) and not set(words) & set(_NATO)
    if letters < 2 or only_letters:
        return match.group()
    return "".join(_UNITS.get(word) or word[0].upper() for word in words)


def fold_numbers(text: str) -> str:
    """Replace longer runs of spoken digits and letters by digits and letters; keep short runs."""
    lowered = text.lower()
    if any(map(lowered.__contains__, _WORDS)):
        text = re.sub(
            r"\bplus (?=\d|(?:zero|one|two|three|four|five|six|seven|eight|nine)\b)", "+", text, flags=re.IGNORECASE
        )
        text = _nato_runs().sub(_fold_nato, text)
        text = _runs().sub(_fold_run, text)
    elif any(map(lowered.__contains__, _NATO)):
        text = _nato_runs().sub(_fold_nato, text)
    if text.isascii():
        return text
    text = _kana_runs().sub(lambda match: _kana_digits(match.group()), text)
    return re.sub(
        r"[〇零一二三四五六七八九](?:[\s・のー-]?[〇零一二三四五六七八九]){2,}",
        lambda match: match[0].translate(_KANJI_DIGITS),
        text,
    )


def spoken_runs(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each run of spoken digits and letters in `text`."""
    runs = [*_runs().finditer(text), *_nato_runs().finditer(text)]
    spans = [match.span() for match in runs if fold_numbers(match.group()) != match.group()]
    return spans if text.isascii() else [*spans, *(match.span() for match in _kana_runs().finditer(text))]


def _kana_digits(run: str) -> str:
    word = "|".join(sorted(_kana(), key=len, reverse=True))
    return "".join(_kana()[part] for part in re.findall(word, run))


COUNT_WORDS: dict[str, int] = {
    **{word: value for word, value in NUMBER_WORDS.items() if value},
    "a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "few": 3, "dozen": 12,
}  # fmt: skip
"""English words for counts ("three nights", "a couple of days") and their values."""
COUNT = "(?:" + "|".join(sorted(COUNT_WORDS, key=len, reverse=True)) + r"|\d{1,3})"
"""A regular expression group that matches a count in words or digits."""

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTH_NUMBERS: dict[str, int] = {
    **{name: number for number, name in enumerate(MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
"""English months and their abbreviations, from 1 to 12."""
MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + ")"
"""A regular expression group that matches a month or its abbreviation."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS_JA = "月火水木金土日"

_KANJI = {char: value for value, char in enumerate("〇一二三四五六七八九")}


def count(words: str) -> int:
    """Return the value of a count in English words or in digits. Raises KeyError for other words."""
    return int(words) if words.isdigit() else COUNT_WORDS[words]


def kanji_number(text: str) -> int:
    """Return the value of a number in digits, or in kanji up to 99. Raises KeyError for other characters."""
    if text.isdigit():
        return int(text)
    tens, mark, ones = text.rpartition("十")
    if not mark:
        return int("".join(str(_KANJI[char]) for char in text))
    return 10 * (_KANJI[tens] if tens else 1) + (_KANJI[ones] if ones else 0)
