"""Scores how much a text reads as an instruction to the machine rather than as something that a person says.

One linear model over the features of `features`, for every language. `weights.md` says how the weights in
`weights.npz` were learned; `python -m evals.training.injection` rebuilds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memory.policy.injection.features import features, tokenize
from text import sentences, stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    import numpy as np

    known = _stored()
    found = features(text)
    if not found:
        return LOWEST
    names = np.fromiter(found, np.uint32, len(found))
    shares = np.fromiter(found.values(), np.float64, len(found))
    at = np.minimum(np.searchsorted(known.names, names), len(known.names) - 1)
    weights = np.where(known.names[at] == names, known.weights[at], 0)
    return (known.intercept + float(weights @ shares)) / TENTHS


class _Stored(NamedTuple):
    """What `weights.npz` holds: the names of features, sorted, each one's weight, the intercept, and known stems."""

    names: NDArray[np.uint32]
    weights: NDArray[np.int8]
    intercept: int
    vocabulary: frozenset[str]


@cache
def _stored() -> _Stored:
    import numpy as np

    with np.load(WEIGHTS) as stored:
        words = frozenset(stored["vocabulary"].tobytes().decode().split("\n"))
        return _Stored(stored["names"], stored["weights"], int(stored["intercept"][0]), words)
