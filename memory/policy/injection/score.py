"""Scores how much a text reads as an instruction to the machine rather than as something that a person says.

One linear model over the features of `features`, for every language. `weights.md` says how the weights in
`weights.npz` were learned; `python -m evals.training.injection` rebuilds them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile
from zlib import crc32

from memory.policy.injection.features import features, is_unspaced, tokenize
from text import sentences, stem

WEIGHTS = Path(__file__).parent / "weights.npz"
TENTHS = 10
"""Weights are stored as whole tenths."""
LOWEST = -9.0
"""The score of a text without words."""
THRESHOLD = 0.51
"""The log-odds above which a passage is an instruction."""
_MOST_CHARACTERS = 400
_WINDOW, _STRIDE = 12, 4
_WINDOW_PENALTY = 2.0
"""A window of a long sentence lacks its context, so its score has to be higher."""
_MOSTLY = 0.7
_FEW_WORDS, _FOREIGN = 3, 0.2
_CLAUSE_BREAKS = re.compile(
    r"\s*[;()\[\]\u3010\u3011|]\s*|\s+[-\u2013]+\s+|,? (?:and|but|plus|also|oh and|while you're at it) (?:also )?|"
    r"\b[pP]\.?[sS]\.? |(?<=[\u3002\uff01\uff1f])|\u3001(?=それ|あと|ついで|また|さらに|そして)"
)


@lru_cache(maxsize=4096)
def injection_score(text: str) -> float:
    """Return the highest log-odds of any passage of `text` minus the threshold: above 0 is an instruction."""
    scored = [(part, 0.0) for part in passages(text)] + [(window, _WINDOW_PENALTY) for window in _windows(text)]
    return max((log_odds(part) - THRESHOLD - penalty for part, penalty in scored), default=LOWEST)


def is_known_word(word: str) -> bool:
    """Return whether the English training texts hold the lower-case `word` in some form."""
    return stem(word) in _stored().vocabulary


def is_readable(text: str) -> bool:
    """Return whether `text` holds kana or mostly known words: a score means nothing otherwise."""
    words = tokenize(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(is_known_word, words)) >= _MOSTLY * len(words)
    )


def is_foreign(text: str) -> bool:
    """Return whether `text` is in a language that the weights were not taught: few of its words have a weight."""
    words = [part for token in tokenize(text) for part in (token if is_unspaced(token) else [token])]
    known = sum(crc32(word.encode()) in _stored().weights for word in words)
    return len(words) > _FEW_WORDS and known < _FOREIGN * len(words)


def passages(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, each pair of neighbours, and their clauses, without repeats."""
    return tuple(dict.fromkeys(part for part in _passages(text) if len(part) > 3))


def _passages(text: str) -> Iterator[str]:
    whole = [sentence[:_MOST_CHARACTERS] for sentence in sentences(text)]
    yield from (" ".join(pair) for pair in pairwise(whole))
    for sentence in whole:
        yield sentence
        clauses = (clause.strip(" ,:") for clause in _CLAUSE_BREAKS.split(sentence))
        yield from (clause for clause in clauses if clause.count(" ") > 1 or (not clause.isascii() and len(clause) > 5))


def _windows(text: str) -> Iterator[str]:
    """Yield stretches of long sentences, in which an instruction would be outweighed by the rest."""
    for words in (sentence[:_MOST_CHARACTERS].split() for sentence in sentences(text)):
        if len(words) > _WINDOW:
            yield from (" ".join(words[at : at + _WINDOW]) for at in range(0, len(words) - _WINDOW + _STRIDE, _STRIDE))


def log_odds(text: str) -> float:
    """Return the log-odds that `text` as a whole is an instruction."""
    known = _stored()
    found = features(text)
    if not found:
        return LOWEST
    return (known.intercept + sum(known.weights.get(name, 0) * share for name, share in found.items())) / TENTHS


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
