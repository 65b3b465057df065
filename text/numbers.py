"""Number words and month names, in English and Japanese, for every reader of text."""

from __future__ import annotations

from text.spelled import NUMBER_WORDS

COUNT_WORDS: dict[str, int] = {
    **{word: value for word, value in NUMBER_WORDS.items() if value},
    "a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "few": 3,
}  # fmt: skip
"""English words that count things ("three nights", "a couple of days"), with their values."""
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
