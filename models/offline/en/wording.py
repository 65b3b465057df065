"""Reads English spelling: one normal form for matching, while the user's own letters stay for what is kept."""

from __future__ import annotations

import re
from functools import cache, partial

from models.offline import tables
from models.offline.tables import alternatives
from text import tidy
from text.normalise import INVISIBLE

table = partial(tables.table, "en")

_TOKEN = re.compile(r"[\w'’/&-]+|[^\w\s]")
_QUOTES = str.maketrans("’‘ʼ`´“”–—‑‐", "'''''\"\"----")


def clean(text: str) -> str:
    """`text` with straight quotes and single spaces, without invisible characters; letters are untouched."""
    return tidy(text).translate(_QUOTES)


def quoted(source: str, first: str, last: str) -> str:
    """The exact stretch of `source` from the clean words `first` to `last`; `first` when it isn't found."""
    at = source.find(first)
    until = source.find(last, at)
    if at >= 0 and until >= 0:
        return source[at : until + len(last)]
    start = _spelled(first).search(source)
    end = _spelled(last).search(source, start.start()) if start else None
    return source[start.start() : end.end()] if start and end else first


def _spelled(words: str) -> re.Pattern[str]:
    """Matches clean `words` as they were typed, with any quotes, dashes, spaces and invisible characters."""
    skipped = INVISIBLE.pattern + "*"
    marks = {"'": "['’‘ʼ`´]", '"': '["“”]', "-": "[-–—‑‐]", " ": rf"(?:\s|{INVISIBLE.pattern})+"}
    return re.compile(skipped.join(marks.get(letter, re.escape(letter)) for letter in words))


def plain(text: str) -> str:
    """The form that is matched: lower case, contractions written out, American spelling, plain slips mended."""
    text = clean(text).lower()
    spelling = table("spelling")
    text = _contractions().sub(lambda match: spelling["contractions"][match[0]], text)
    words = [_mend(word) for word in _TOKEN.findall(text)]
    return re.sub(r" (?=[.,!?;:)%])|(?<=[($€£]) ", "", " ".join(words)).strip()


@cache
def _contractions() -> re.Pattern[str]:
    keys = [re.escape(key) for key in table("spelling")["contractions"]]
    return re.compile(r"(?<![\w'])" + alternatives(keys) + r"(?![\w'])")


def _mend(word: str) -> str:
    variants: dict[str, str] = table("spelling")["variants"]
    if word in variants:
        return variants[word]
    if len(word) < 6 or not word.isalpha():
        return word
    known, slips = _slips()
    return word if word in known else slips.get(word, word)


@cache
def _slips() -> tuple[frozenset[str], dict[str, str]]:
    """The words worth mending, and each form of them with a letter dropped, doubled or swapped with its neighbour."""
    known: list[str] = table("spelling")["often_mistyped"]["words"]
    slips: dict[str, str] = {}
    for word in known:
        for at in range(1, len(word)):
            slips.setdefault(word[:at] + word[at + 1 :], word)
            slips.setdefault(word[:at] + word[at] + word[at:], word)
            slips.setdefault(word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :], word)
            for vowel in "aeiou":
                slips.setdefault(word[:at] + vowel + word[at + 1 :], word)
    singular = {word[:-1] for word in known if word.endswith("s")}
    return frozenset(known) | singular, slips


@cache
def _subject() -> re.Pattern[str]:
    grammar = table("grammar")
    kin = alternatives(grammar["party"])
    someone = (
        rf"(?:(?:my|our) (?:[\w-]+ ){{0,2}}?{kin}|the (?:kids|children|baby|twins|dog|boys|girls|little one|"
        r"family))(?!'s|\w|-)"
    )
    people = rf"(?:me|i|we|{someone})"
    pair = rf"{people}(?: and |, ){people}(?:(?: and |, ){people})?"
    groups = (
        r"(?:both|all|most|neither|none|some|one|two) of us|us (?:both|two|all)|everyone in (?:my|our) (?:family|"
        r"party|group)"
    )
    return re.compile(rf"(?<![\w'])(?:{pair}|{groups}|{someone}|i|we)(?![\w'])")


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){alternatives(table('grammar')['fillers'])}(?![\w'-])")


def reduce(text: str) -> str:
    """`plain` text with fillers dropped and each subject of the user's party written ME."""
    text = _subject().sub("ME", text)
    text = _fillers().sub(" ", text)
    text = re.sub(r"[,;:()\"!.…*-]+(?= |$)|^[-*•\s]+", " ", text)
    return re.sub(r"\s+", " ", text).strip()
