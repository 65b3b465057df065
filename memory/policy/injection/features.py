"""Extracts what a sentence of any language shows of being an instruction: words, pieces of words, and shapes.

Features are hashed, so that no language needs a list of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import sqrt
from zlib import crc32

from text import fold

_MOST_WORDS, _MOST_CHARACTERS = 60, 160
_NEAR = 4
"""How many words apart two words may stand to be one feature."""
_PIECES = (4, 5, 6)
_UNSPACED_PIECES = (1, 2, 3, 4)
_URL = re.compile(
    r"https?://\S+|www\.\S+|\b[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]{2,8}\b(?:/\S*)?|\b\d{1,3}(?:\.\d{1,3}){3}\S*"
)
_UNSPACED = "\u0e00-\u0e7f\u3005\u3041-\u3096\u30a1-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|[^\W\d_{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_KATAKANA = re.compile("[\u30a1-\u30f6]")
_HIRAGANA_OR_KANJI = re.compile("[\u3041-\u3096\u3400-\u9fff]")
_SHAPES = {
    "tag": re.compile(r"</?[a-z_]+[^>]*>|\[/?[a-z _]+\]|<\||\{\{|```|<!--|\]\("),
    "pair": re.compile(r"\"[a-z_]+\" ?:|\b[a-z_]+ ?= ?[a-z0-9_]+\b|\b[a-z]+_[a-z_]+\b"),
    "call": re.compile(r"\b[a-z_]+\("),
    "label": re.compile(r"(?:^|[.;!?\]] )[^a-z]{0,3}[a-z]+(?: [a-z0-9.]+){0,2} ?: |^.{1,12}[:\u3011\u300d]"),
    "url": re.compile(r"\burl\b"),
    "mail": re.compile(r"\S@[^\s@][^\s.@]*\.\S"),
    "quoted": re.compile(r"(?:^|\s)['\"][^'\"]{2,}['\"]|\u300c.+\u300d"),
    "number": re.compile(r"\d"),
    "asks": re.compile(r"\?\W*$"),
    "shouts": re.compile(r"!\W*$"),
}


def tokenize(text: str) -> list[str]:
    """Return the folded words of `text`, runs of scripts without spaces whole, each web address as `url`."""
    return _TOKEN.findall(_URL.sub(" url ", fold(text)).replace("n't", " not").replace("'", " "))


def is_unspaced(token: str) -> bool:
    """Return whether a token of `tokenize` is a run of a script without spaces."""
    return _IS_UNSPACED.match(token) is not None


def addresses_machine(text: str) -> bool:
    """Return whether `text` holds markup, a call, a pair of name and value, or a web or mail address."""
    folded = _URL.sub(" url ", fold(text))
    return any(_SHAPES[name].search(folded) for name in ("tag", "pair", "call", "url", "mail"))


def features(text: str) -> dict[int, float]:
    """Return the features of `text`, each by the CRC-32 of its name; each group of them is a vector of length one."""
    folded = _URL.sub(" url ", fold(text))
    tokens = tokenize(text)[:_MOST_WORDS]
    words = [token for token in tokens if not is_unspaced(token)]
    unspaced = _as_hiragana("".join(token for token in tokens if is_unspaced(token)))[:_MOST_CHARACTERS]
    found: dict[int, float] = {}
    shapes = ["*"] + [f"*{name}" for name, shape in _SHAPES.items() if shape.search(folded)]
    for group in (_words(words), _pairs(words), _pieces(words), _grams(unspaced), _edges(words, unspaced), shapes):
        names = {crc32(name.encode()) for name in group}
        for name in names:
            found[name] = found.get(name, 0.0) + 1 / sqrt(len(names))
    return found


def _words(words: list[str]) -> Iterator[str]:
    yield from words
    yield from (f"{one} {two}" for one, two in pairwise(["^", *words, "$"]))


def _pairs(words: list[str]) -> Iterator[str]:
    """Yield words that stand near each other, in order, whatever is between them."""
    for at, one in enumerate(words):
        yield from (f"{one}~{two}" for two in words[at + 2 : at + 1 + _NEAR])


def _pieces(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        marked = f"_{word}_"
        for size in _PIECES:
            yield from (marked[at : at + size] for at in range(len(marked) - size + 1))


def _grams(run: str) -> Iterator[str]:
    for size in _UNSPACED_PIECES:
        yield from (run[at : at + size] for at in range(len(run) - size + 1))


def _edges(words: list[str], unspaced: str) -> Iterator[str]:
    """Yield how the text begins and ends."""
    if words:
        yield from (f"^{' '.join(words[:size])}" for size in (1, 2, 3))
    if unspaced:
        yield from (f"${unspaced[-size:]}" for size in (2, 3, 4))
        yield f"^{unspaced[:2]}"


def _as_hiragana(run: str) -> str:
    """Return a run in katakana alone as hiragana."""
    if _HIRAGANA_OR_KANJI.search(run):
        return run
    return _KATAKANA.sub(lambda match: chr(ord(match.group()) - 0x60), run)
