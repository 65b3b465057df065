"""Hashed features of a text, and linear models over them.

Words, parts of words and shapes are hashed, so that no language needs a word list. The code does without numpy, whose
import would take longer than computing one text.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile
from zlib import crc32

from text.terms import fold

TENTHS = 10
"""Weights are stored in tenths, as integers."""
_MAX_WORDS, _MAX_CHARACTERS = 60, 160
_NEAR = 4
"""Largest distance, in words, of the two words of a pair feature."""
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
    """Return the folded words of `text`. A run of a script without spaces is one token, a web address is `url`."""
    return _TOKEN.findall(_URL.sub(" url ", fold(text)).replace("n't", " not").replace("'", " "))


def is_unspaced(token: str) -> bool:
    """Return whether a token of `tokenize` is a run of a script without spaces."""
    return _IS_UNSPACED.match(token) is not None


def features(text: str) -> dict[int, float]:
    """Return the features of `text` by the CRC-32 of their names; each group of features has an L2 norm of 1."""
    tokens = tokenize(text)[:_MAX_WORDS]
    words = [token for token in tokens if not is_unspaced(token)]
    unspaced = _as_hiragana("".join(token for token in tokens if is_unspaced(token)))[:_MAX_CHARACTERS]
    groups: tuple[Iterable[str], ...] = (
        [*words, *(f"{one} {two}" for one, two in pairwise(["^", *words, "$"]))],
        [f"{one}~{two}" for at, one in enumerate(words) for two in words[at + 2 : at + 1 + _NEAR]],
        [piece for word in words for piece in _ngrams(f"_{word}_", _PIECES)],
        _ngrams(unspaced, _UNSPACED_PIECES),
        _edges(words, unspaced),
        ["*", *(f"*{name}" for name in shapes(text))],
    )
    values: dict[int, float] = {}
    for group in groups:
        names = {crc32(name.encode()) for name in group}
        for name in names:
            values[name] = values.get(name, 0.0) + 1 / sqrt(len(names))
    return values


def shapes(text: str) -> set[str]:
    """Return the names of the shapes in `text`: `tag`, `pair`, `call`, `url`, `mail`, `quoted` and so on."""
    folded = _URL.sub(" url ", fold(text))
    return {name for name, shape in _SHAPES.items() if shape.search(folded)}


def _ngrams(text: str, sizes: Iterable[int]) -> list[str]:
    return [text[at : at + size] for size in sizes for at in range(len(text) - size + 1)]


def _edges(words: list[str], unspaced: str) -> Iterator[str]:
    if words:
        yield from (f"^{' '.join(words[:size])}" for size in (1, 2, 3))
    if unspaced:
        yield from (f"${unspaced[-size:]}" for size in (2, 3, 4))
        yield f"^{unspaced[:2]}"


def _as_hiragana(run: str) -> str:
    if _HIRAGANA_OR_KANJI.search(run):
        return run
    return _KATAKANA.sub(lambda match: chr(ord(match.group()) - 0x60), run)


class LinearModel(NamedTuple):
    """A linear model: the weight of each feature and the intercept, in tenths, and the stems of its vocabulary."""

    weights: dict[int, int]
    intercept: int
    vocabulary: frozenset[str]

    def odds(self, text: str) -> float:
        """Return the log-odds of `text` as a whole."""
        total = sum(self.weights.get(name, 0) * value for name, value in features(text).items())
        return (self.intercept + total) / TENTHS


@cache
def linear_model(path: Path) -> LinearModel:
    """Load a model from an `.npz` file with `names` (CRC-32), `weights`, `intercept` and `vocabulary` (UTF-8)."""
    with ZipFile(path) as stored:
        names, weights, intercept, words = (
            _values(stored.read(f"{name}.npy"), code)
            for name, code in (("names", "I"), ("weights", "b"), ("intercept", "h"), ("vocabulary", "B"))
        )
    return LinearModel(
        dict(zip(names, weights, strict=True)), intercept[0], frozenset(bytes(words).decode().split("\n"))
    )


def _values(npy: bytes, code: str) -> array[int]:
    """Return the numbers of a one-dimensional `.npy` file; bytes 8 and 9 are the length of the header after byte 10."""
    return array(code, npy[10 + int.from_bytes(npy[8:10], "little") :])
