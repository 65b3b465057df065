"""Scores how much a text reads as an instruction to the machine rather than as something that a person says.

A linear model over words, pieces of words and shapes, which are hashed, so that no language needs a list of its own,
and a small net over the vector of the passage, which carries its meaning to wordings that no weight was learned for.
What counts is the mean of their log-odds.
`weights.md` says how the weights in `weights.npz` were learned; `python -m evals.training.injection` rebuilds them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile
from zlib import crc32

from text import fold, sentences, stem
from text.encoder import combined_odds

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


def features(text: str) -> dict[int, float]:
    """Return the features of `text`, each by the CRC-32 of its name; each group of them is a vector of length one."""
    folded = _URL.sub(" url ", fold(text))
    tokens = tokenize(text)[:_MOST_WORDS]
    words = [token for token in tokens if not is_unspaced(token)]
    unspaced = _as_hiragana("".join(token for token in tokens if is_unspaced(token)))[:_MOST_CHARACTERS]
    groups: tuple[Iterable[str], ...] = (
        [*words, *(f"{one} {two}" for one, two in pairwise(["^", *words, "$"]))],
        [f"{one}~{two}" for at, one in enumerate(words) for two in words[at + 2 : at + 1 + _NEAR]],
        [piece for word in words for piece in _cuts(f"_{word}_", _PIECES)],
        _cuts(unspaced, _UNSPACED_PIECES),
        _edges(words, unspaced),
        ["*", *(f"*{name}" for name, shape in _SHAPES.items() if shape.search(folded))],
    )
    found: dict[int, float] = {}
    for group in groups:
        names = {crc32(name.encode()) for name in group}
        for name in names:
            found[name] = found.get(name, 0.0) + 1 / sqrt(len(names))
    return found


def _cuts(text: str, sizes: Iterable[int]) -> list[str]:
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


WEIGHTS = Path(__file__).parent / "weights.npz"
NET = Path(__file__).parent / "net.npz"
TENTHS = 10
"""Weights are stored as whole tenths."""
LOWEST = -9.0
"""The score of a text without words."""
THRESHOLD = 0.25
"""The log-odds above which a passage is an instruction."""
_HARMLESS = -2.0
"""Log-odds by words up to which no meaning has made a text an instruction in any author's set; most talk lies below."""
_LONGEST_PASSAGE = 400
_WINDOW, _STRIDE = 12, 4
_WINDOW_PENALTY = 2.0
"""A window of a long sentence lacks its context, so its score has to be higher."""
_MOSTLY = 0.7
_FEW_WORDS, _FOREIGN = 3, 0.3
_CLAUSE_BREAKS = re.compile(
    r"\s*[;()\[\]\u3010\u3011|]\s*|\s+[-\u2013]+\s+|,? (?:and|but|plus|also|oh and|while you're at it) (?:also )?|"
    r"\b[pP]\.?[sS]\.? |(?<=[\u3002\uff01\uff1f])|\u3001(?=それ|あと|ついで|また|さらに|そして)"
)


@lru_cache(maxsize=4096)
def injection_score(text: str) -> float:
    """Return the highest log-odds of any passage of `text` minus the threshold: above 0 is an instruction."""
    by_words = {part: word_odds(part) for part, _ in _judged(text)}
    odds = combined_odds(NET, by_words, above=_HARMLESS, share=0.5)
    return max((odds[part] - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


@lru_cache(maxsize=4096)
def word_score(text: str) -> float:
    """Return the same by words alone, for a reading that may be no sentence at all."""
    return max((word_odds(part) - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


def _judged(text: str) -> list[tuple[str, float]]:
    """Return the passages and windows of `text`, each with what its log-odds have to exceed."""
    return [(part, 0.0) for part in passages(text)] + [(window, _WINDOW_PENALTY) for window in _windows(text)]


def is_known_word(word: str) -> bool:
    """Return whether the English training texts hold the lower-case `word` in some form."""
    return stem(word) in _stored().vocabulary


def is_readable(text: str) -> bool:
    """Return whether `text` holds kana or mostly known words: a score means nothing otherwise."""
    words = tokenize(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(is_known_word, words)) >= _MOSTLY * len(words)
    )


def addresses_machine(text: str) -> bool:
    """Return whether `text` holds markup, a call or an address, in a language of which few words have a weight."""
    words = [part for token in tokenize(text) for part in (token if is_unspaced(token) else [token])]
    known = sum(crc32(word.encode()) in _stored().weights for word in words)
    folded = _URL.sub(" url ", fold(text))
    is_foreign = len(words) > _FEW_WORDS and known < _FOREIGN * len(words)
    return is_foreign and any(_SHAPES[name].search(folded) for name in ("tag", "pair", "call", "url", "mail"))


def passages(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, each pair of neighbours, and their clauses, without repeats."""
    return tuple(dict.fromkeys(part for part in _passages(text) if len(part) > 3))


def _passages(text: str) -> Iterator[str]:
    whole = [sentence[:_LONGEST_PASSAGE] for sentence in sentences(text)]
    yield from (" ".join(pair) for pair in pairwise(whole))
    for sentence in whole:
        yield sentence
        clauses = (clause.strip(" ,:") for clause in _CLAUSE_BREAKS.split(sentence))
        yield from (clause for clause in clauses if clause.count(" ") > 1 or (not clause.isascii() and len(clause) > 5))


def _windows(text: str) -> Iterator[str]:
    """Yield stretches of long sentences, in which an instruction would be outweighed by the rest."""
    for words in (sentence[:_LONGEST_PASSAGE].split() for sentence in sentences(text)):
        if len(words) > _WINDOW:
            yield from (" ".join(words[at : at + _WINDOW]) for at in range(0, len(words) - _WINDOW + _STRIDE, _STRIDE))


def word_odds(text: str) -> float:
    """Return the log-odds that `text` as a whole is an instruction, by its words and shapes."""
    known = _stored()
    found = sum(known.weights.get(name, 0) * share for name, share in features(text).items())
    return (known.intercept + found) / TENTHS


class _Stored(NamedTuple):
    """What `weights.npz` holds: the weight of each feature, the intercept, and known stems."""

    weights: dict[int, int]
    intercept: int
    vocabulary: frozenset[str]


@cache
def _stored() -> _Stored:
    """Read the weights without numpy, whose import would take longer than the judgement."""
    with ZipFile(WEIGHTS) as stored:
        names, weights, intercept, words = (
            _values(stored.read(f"{name}.npy"), code)
            for name, code in (("names", "I"), ("weights", "b"), ("intercept", "h"), ("vocabulary", "B"))
        )
    return _Stored(dict(zip(names, weights, strict=True)), intercept[0], frozenset(bytes(words).decode().split("\n")))


def _values(npy: bytes, code: str) -> array[int]:
    """Return the numbers of a one-dimensional `.npy` file; its header ends where bytes 8 and 9 say."""
    return array(code, npy[10 + int.from_bytes(npy[8:10], "little") :])
