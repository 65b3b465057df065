"""The normal form of a Japanese text for matching."""

import unicodedata
from functools import lru_cache
from pathlib import Path

from models.offline.reading.form import Form
from text.normalise import INVISIBLE
from text.numbers import kanji_number
from text.tables import Words

N = r"(?:\d{1,3}|[一二三四五六七八九十]{1,3})"
"""A number of up to three digits, or in kanji."""

_MARKS = str.maketrans("〜～–—−‐‑‒．⇒➡⟶►⇄↔⇆", "~~------.→→→→⇔⇔⇔")


@lru_cache(maxsize=4096)
def matched(text: str) -> str:
    """Return the normal form of `text`: NFKC, lower case, written language; spaces between words become commas."""
    folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", text).translate(_MARKS)).translate(_MARKS).lower()
    for plainer, said in WORDS.patterns("spoken", "plainer").items():
        folded = said.sub(plainer, folded)
    folded = WORDS.patterns("spoken", "sums")["kanji"].sub(lambda found: str(number(found[0])), folded).strip()
    for instead, blanks in WORDS.patterns("spoken", "blanks").items():
        folded = blanks.sub(instead, folded)
    return folded


@lru_cache(maxsize=1024)
def core(text: str) -> str:
    """Return the normal form of a clause without opening words and final marks."""
    form, before = matched(text), ""
    parts = WORDS.patterns("acts", "forms")
    while before != form:
        before = form
        form = parts["tail"].sub("", parts["lead"].sub("", form))
    return form


def form_of(text: str) -> Form:
    """Return the form of a text that patterns are matched against."""
    return Form(text, matched(text), core(text), WORDS)


def number(text: str) -> int:
    """Return the value of a number that `N` matches, 0 for none; 「二十」 is 20."""
    try:
        return kanji_number(text)
    except KeyError:
        return 0


WORDS = Words(Path(__file__).parent / "words", "ja", {"n": N}, number)
