"""Turn text into index terms: fold accents and case, stem English, cut scripts without spaces into bigrams.

The stemmer is Snowball's for English (Porter 2, snowballstem.org); a table adds irregular forms ("went", "children").
Chinese, Japanese, Korean and Thai text is indexed by overlapping pairs of characters and by single ideographs, which
needs no dictionary and finds a word at any position.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from Stemmer import Stemmer

from text.words import irregular_forms, word_list, word_set

_STEMMER = Stemmer("english", 0)  # without its own cache, since `stem` has one
_UNSPACED = "\u0e00-\u0e7f\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W\d_{_UNSPACED}]+)?")
_FIRST_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_ACCENT = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Fold full-width forms, case and Latin accents ("Ｃafé" becomes "cafe")."""
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENT.sub("", decomposed))


def terms(text: str) -> list[tuple[str, str]]:
    """Return the index terms of `text` in order, each with the word it comes from, without stop words."""
    index_terms: list[tuple[str, str]] = []
    stop_words = word_set("stop_words")
    for match in _TOKEN.finditer(fold(text)):
        token = match.group()
        if _FIRST_UNSPACED.match(token):
            index_terms += ((pair, pair) for pair in _pairs(token))
            continue
        word = re.split("['’]", token)[0]
        if stop_words.isdisjoint((token, word)):
            index_terms.append((stem(word), word))
    return index_terms


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a folded word: "parrots" and "parrot" have the same one, and so do "went" and "going"."""
    stemmed: str = _STEMMER.stemWord(irregular_forms().get(word, word))
    return stemmed


@cache
def travel_terms() -> frozenset[str]:
    """Return terms that are too common in talk about travel to identify a statement: English stems, Japanese words."""
    return frozenset({*map(stem, word_list("travel_words")), *word_list("travel_words_ja")})


def is_spaced(word: str) -> bool:
    """Return whether `word` is in a script with spaces between words."""
    return not _FIRST_UNSPACED.match(word)


def _pairs(run: str) -> Iterator[str]:
    for char in run:
        if _IDEOGRAPH.match(char):
            yield char
    if len(run) == 1 and not _IDEOGRAPH.match(run):
        yield run
    for start in range(len(run) - 1):
        pair = run[start : start + 2]
        if pair not in word_set("stop_pairs"):
            yield pair
