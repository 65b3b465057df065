"""English words for comparing: tokens with their numbers read, and a base form that keeps different words apart."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from models.offline.tables import LEXICON
from text import normalise
from text.numbers import MONTHS, NUMBER_WORDS

_TOKEN = re.compile(
    r"(?P<time>\b\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b)"
    r"|(?P<number>\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th)?)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<mark>[$€£¥%,.;:!?()/&+>]|-+(?=\s)|->)"
)


@cache
def _rewritten() -> list[tuple[re.Pattern[str], str]]:
    """Return what is written out before words are told apart: contractions, measures, the framing of reports."""
    return [(re.compile(one, re.IGNORECASE), new) for one, new in LEXICON.table("spelling_en")["rewritten"]]


_DATE = re.compile(
    r"\b(?P<year>\d{4})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>\d{1,2})\b"
    r"|(?:(?<=\d )|(?<=(?:st|nd|rd|th) )|\b(?=[a-z]{3,4}\.? \d))"
    r"(?P<name>jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?",
    re.IGNORECASE,
)
"""A date in numbers, and the short name of a month beside one."""
_PLAIN = re.compile(r"(?!.*\b(?:an?|per|each|every|one|half|cannot|cant|hour)\b)[a-z]+(?: [a-z]+)*")
"""Phrases in which nothing has to be written out."""
_HALVES = {"morning": 0, "afternoon": 12, "evening": 12}
_VOWEL = re.compile(r"[aeiouy]")


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its base form, and whether it was written as a name."""

    base: str
    kind: str
    name: bool = False
    raw: str = ""


def tokens(text: str) -> list[Token]:
    """The tokens of `text` in order; number words are numbers, times and thousands are in one spelling."""
    plain = normalise(text).replace("\u3000", " ")
    if _PLAIN.fullmatch(plain):
        return [_word(raw, True) for raw in plain.split()]
    for pattern, written in _rewritten():
        plain = pattern.sub(written, plain)
    plain = _DATE.sub(_in_words, plain)
    found: list[Token] = []
    shouted = plain.isupper()
    for match in _TOKEN.finditer(plain):
        kind, raw = str(match.lastgroup), match[0]
        starts = not found or found[-1].base in {".", "!", "?"}
        starts = starts and not (raw.isupper() and len(raw) > 2 and not shouted)  # "JFK connections are …"
        if kind == "time":
            found.append(Token(_clock(raw), "number"))
        elif kind == "number":
            found.append(Token("#" + re.sub(r"(?:st|nd|rd|th)$|,", "", raw), "number"))
        elif kind == "mark":
            found.append(Token(raw[0] if raw[0] != "-" else ",", "mark"))
        else:
            found.append(_word(raw, starts))
    return _clocked(found)


def _in_words(found: re.Match[str]) -> str:
    """A date with its month in words: "2031-04-09" is "9 april 2031"."""
    if found["name"]:
        return next(one for one in MONTHS if one.startswith(found["name"].casefold()[:3]))
    return f"{int(found['day'])} {MONTHS[int(found['month']) - 1]} {found['year']}"


def _clocked(found: list[Token]) -> list[Token]:
    """The tokens with "nine in the morning" as a time."""
    words = [one.base for one in found]
    for at in range(1, len(words) - 2):
        hour, _, minutes = words[at - 1].removeprefix("#").partition(":")
        if found[at - 1].kind == "number" and hour.isdigit() and words[at : at + 2] == ["in", "the"]:
            half = _HALVES.get(words[at + 2])
            if half is not None:
                time = f"#{int(hour) + (half if int(hour) < half else 0)}:{minutes or '00'}"
                return [*found[: at - 1], Token(time, "number"), *_clocked(found[at + 3 :])]
    return found


def _word(raw: str, starts: bool) -> Token:
    lowered = raw.casefold()
    if lowered in NUMBER_WORDS and lowered != "one":
        return Token(f"#{NUMBER_WORDS[lowered]}", "number")
    name = raw[0].isupper() and not starts and lowered != "i"
    return Token(base(lowered), "word", name, lowered)


def _clock(raw: str) -> str:
    found = re.match(r"(\d{1,2})(?:[:.](\d\d))?\s?([ap])?", raw)
    assert found is not None
    hour = int(found[1])
    if found[3]:
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    return f"#{hour}:{found[2] or '00'}"


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """The base form of a lower-case word: "hiking" and "hikes" are "hike", while "car" and "care" stay apart."""
    spelling = LEXICON.table("spelling_en")
    if word in spelling["irregular"]:
        return str(spelling["irregular"][word])
    for british, american in spelling["british"].items():
        if word.endswith(british) and len(word) > len(british) + 2:
            return base(word.removesuffix(british) + str(american))
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word[:-1] in spelling["in_ie"].split() else word[:-3] + "y"
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ings") and len(word) > 6:
        return base(word[:-1])  # "paintings" are what "painting" is
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _VOWEL.search(word[: -len(ending)]):
            return _verb(word[: -len(ending)])
    return word


def _verb(trunk: str) -> str:
    if trunk[-1] == trunk[-2] and trunk[-1] not in "lszeo":
        return trunk[:-1]
    syllables = len(re.findall(r"[aeiouy]+", trunk))
    mute = trunk.endswith(tuple(LEXICON.table("spelling_en")["mute"]))
    if trunk[-1] in "vcu" or (trunk[-1] in "gz" and trunk[-2] in "aeiou") or mute:
        return trunk + "e"
    closed = re.search(r"[^aeiou][aeiou][^aeiouwxy]$", " " + trunk)
    return trunk + "e" if closed and syllables == 1 else trunk
