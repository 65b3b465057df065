"""Normalises English clauses for matching, and keeps the offsets of each word in the original."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from models.offline.reading.form import Form
from models.offline.reading.values.names import is_code, named
from text.normalise import normalise
from text.numbers import COUNT, COUNT_WORDS, MONTH, MONTHS, WEEKDAYS
from text.tables import Words
from text.terms import stem
from text.words import fold

_OF_DATES = frozenset({*MONTHS, *WEEKDAYS})
_CODE = 3
_FEWEST_TO_MEND = 6
_SHOUTED, _FEWEST_SHOUTED = re.compile(r"[A-Z]{2,}"), 4
"""A message in upper case with at least this many such words is lowered: they are not airport codes."""


def _number(text: str) -> int:
    return int(text) if text.isdigit() else COUNT_WORDS.get(text, 0)


WORDS = Words(Path(__file__).parent / "words", "en", {"count": COUNT, "month": MONTH}, _number)
"""The word tables of English."""


def form_of(original: str) -> Form:
    """Return the normal form of a clause: lower case, no accents, contractions written out, common typos corrected.

    Days and hours are written in digits ("21st" for "the twenty first"), and joined codes are separated ("OSL-MXP").
    """
    if original.isupper() and len(_SHOUTED.findall(original)) >= _FEWEST_SHOUTED:
        original = original.lower()
    original = normalise(original)
    for key in ("long", "short", "short"):
        original = WORDS.patterns("dates", "ordinals")[key].sub(_ordinal, original)
    for key, written in WORDS.patterns("spelling", "figures").items():
        original = written.sub(_FIGURES[key], original)
    for plainer, written in WORDS.patterns("spelling", "plainer").items():
        original = written.sub(plainer, original)
    spans: list[tuple[int, int, int, int]] = []
    parts: list[str] = []
    at = 1
    for match in WORDS.patterns("spelling", "tokens")["token"].finditer(original):
        word = _word(match[0])
        if not word:
            continue
        parts.append(word)
        spans.append((at, at + len(word), match.start(), match.end()))
        at += len(word) + 1
    text = f" {' '.join(parts)} "
    return Form(original, text, text, WORDS, spans)


def _hundreds(match: re.Match[str]) -> str:
    """Write "two hundred and fifty" as "250"."""
    unit = 100 if match[2].lower() == "hundred" else 1000
    rest = _number((match[3] or "").lower())
    joined = rest >= 10 or " and " in match[0].lower()
    left = f" {match[3]}" if rest and not joined else ""
    return f"{unit * _number(match[1].lower()) + rest * joined}{left}"


def _clock(match: re.Match[str]) -> str:
    """Write "quarter past nine" as "9:15"."""
    part, side, hour = match[1].lower(), match[2].lower(), _number(match[3].lower())
    minutes = 60 * hour + (30 if part == "half" else 15) * (-1 if side == "to" else 1)
    return f"{minutes // 60 % 24}:{minutes % 60:02}" if hour else match[0]


def _apart(match: re.Match[str]) -> str:
    """Write "OSL-MXP" as "OSL - MXP", for known codes, or capitalised names of which one is a known place."""
    parts = re.split("[-/]", match[0])
    codes = all(len(part) == _CODE and is_code(part) for part in parts)
    places = [named([part.lower()]) for part in parts]
    alike = all(part.isupper() and len(part) == _CODE for part in parts) or all(map(str.istitle, parts))
    joined = codes or (alike and any(places) and not named([match[0].lower()]))
    return " - ".join(parts) if joined else match[0]


def _ordinal(match: re.Match[str]) -> str:
    words = re.split(r"[ -]", match[0].lower())
    day = sum(int(WORDS.table("dates")["plain"][word]) for word in words)
    return f"{day}{'th' if day in {11, 12, 13} else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


_FIGURES: dict[str, Callable[[re.Match[str]], str]] = {
    "by": lambda match: f"{match[1]} {_number(match[2].lower())}",
    "prefix": lambda match: WORDS.table("spelling")["prefixes"].get(match[1].upper(), match[0]),
    "clock": _clock, "hundreds": _hundreds, "joined": _apart,
}  # fmt: skip


def _word(token: str) -> str:
    lower = fold(token)
    if token[0].isdigit() and lower.endswith("k"):
        return str(round(1000 * float(lower[:-1].replace(",", "."))))
    if token[0].isdigit():
        return re.sub(r"(?<=\d)[,.' ](?=\d{3}(?!\d))", "", lower)
    if len(token) == 9 and token.startswith("TC-"):
        return lower
    lower = lower.rstrip("'") if len(lower) > 1 else lower
    written = _written(lower)
    if written != lower or "-" not in lower[1:]:
        return written
    parts = [_written(part) for part in lower.split("-")]
    return (" - " if all(part in _OF_DATES for part in parts) else " ").join(parts)


def _written(word: str) -> str:
    for words in (WORDS.table("reading")["slang"], WORDS.table("spelling")["contractions"]):
        if word in words:
            return str(words[word])
    return corrected(word)


def corrected(word: str) -> str:
    """Return a lower-case word in American spelling, with one typo corrected if the word is often mistyped."""
    variants: dict[str, str] = WORDS.table("spelling")["variants"]
    if word in variants:
        return variants[word]
    if len(word) >= _FEWEST_TO_MEND - 1 and word.endswith("in") and not is_ordinary(word) and is_ordinary(f"{word}g"):
        return f"{word}g"  # "parkin"
    words, slips, swapped = _slips()
    if len(word) < _FEWEST_TO_MEND or not word.isalpha() or word in words:
        return swapped.get(word, word)
    return slips.get(word, word)


def is_ordinary(word: str) -> bool:
    """Return whether a lower-case word is known to the reader, and so not a typo of another word."""
    return word in WORDS.table("acts")["plain"]["words"] or stem(word) in _ordinary()


@cache
def _ordinary() -> frozenset[str]:
    """Return the stems of the words in the training data of the acts."""
    learned = (WORDS.folder / "ordinary.txt").read_text(encoding="utf-8").split()
    written_out = " ".join(WORDS.table("spelling")["contractions"].values()).split()
    return frozenset([*learned, *map(stem, written_out)])


@cache
def _slips() -> tuple[frozenset[str], dict[str, str], dict[str, str]]:
    """Return the words that are corrected, their spellings with one typo, and short words with two letters swapped."""
    table = WORDS.table("spelling")["often_mistyped"]
    words: list[str] = table["words"]
    swapped = {_swap(word, at): word for word in table["swapped"] for at in range(1, len(word))}
    slips: dict[str, str] = {}
    for word in words:
        for at in range(1, len(word)):
            slips.setdefault(word[:at] + word[at + 1 :], word)
            slips.setdefault(word[:at] + word[at] + word[at:], word)
            slips.setdefault(_swap(word, at), word)
            for vowel in "aeiou":
                slips.setdefault(word[:at] + vowel + word[at + 1 :], word)
    singular = {word[:-1] for word in words if word.endswith("s")}
    return frozenset(words) | singular, slips, swapped


def _swap(word: str, at: int) -> str:
    """Return `word` with the letters before and at `at` swapped."""
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
