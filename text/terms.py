"""From text to index terms: accents and case folded, English stemmed, scripts without spaces cut into pairs.

The stemmer is Snowball's English one (Porter 2, snowballstem.org). Its blind spot, irregular forms ("went",
"children"), is covered by a table. Chinese, Japanese, Korean and Thai text is indexed by overlapping pairs of
characters and by single ideographs, which needs no dictionary and finds a word wherever it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

from text.wordlists import IRREGULAR, STOP_PAIRS, STOP_WORDS

_UNSPACED = "\u0e00-\u0e7f\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W\d_{_UNSPACED}]+)?")
_FIRST_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_ACCENT = re.compile("[\u0300-\u036f]")
_stemmer = snowballstemmer.stemmer("english")


def fold(text: str) -> str:
    """`text` in one spelling: full-width forms, case and Latin accents folded ("Ｃafé" becomes "cafe")."""
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENT.sub("", apart))


def terms(text: str) -> list[tuple[str, str]]:
    """The index terms of `text` in order, each with the written form it comes from; function words are left out."""
    found: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(fold(text)):
        token = match.group()
        if _FIRST_UNSPACED.match(token):
            found += ((pair, pair) for pair in _pairs(token))
            continue
        word = re.split("['’]", token)[0]
        if token not in STOP_WORDS and word not in STOP_WORDS:
            found.append((stem(word), word))
    return found


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word: "parrots" and "parrot" share one, and so do "went" and "going"."""
    stemmed: str = _stemmer.stemWord(IRREGULAR.get(word, word))
    return stemmed


def is_spaced(word: str) -> bool:
    """Whether `word` is a word of a script that puts spaces between words, not a piece of unspaced text."""
    return not _FIRST_UNSPACED.match(word)


def _pairs(run: str) -> Iterator[str]:
    for char in run:
        if _IDEOGRAPH.match(char):
            yield char
    if len(run) == 1 and not _IDEOGRAPH.match(run):
        yield run
    for start in range(len(run) - 1):
        pair = run[start : start + 2]
        if pair not in STOP_PAIRS:
            yield pair
