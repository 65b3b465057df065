"""Scores how much a text reads as an instruction to the machine rather than as a word about travel.

A linear model per language over the features of `features_en` and `features_ja`. `weights.md` says how the weights in
`weights.npz` were learned; `python -m evals.training.injection` rebuilds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

from memory.policy.injection import features_en, features_ja
from text import sentences, stem
from text.words import word_set

WEIGHTS = Path(__file__).parent / "weights.npz"
HUNDREDTHS = 100
"""Weights are stored as whole hundredths."""
LOWEST = -9.0
"""The score of a text in no language that has weights."""
_MOST_CHARACTERS = 400
_WINDOW, _STRIDE = 12, 4
_WINDOW_PENALTY = 1.0
"""A window of a long sentence lacks its context, so its score has to be higher."""
_MOSTLY = 0.7
_CLAUSE_BREAKS = re.compile(
    r"\s*[;()\[\]\u3010\u3011|]\s*|\s+[-\u2013]+\s+|,? (?:and|but|plus|also|oh and|while you're at it) (?:also )?|"
    r"\b[pP]\.?[sS]\.? |(?<=[\u3002\uff01\uff1f])|\u3001(?=それ|あと|ついで|また|さらに|そして)"
)

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Language:
    """A language with weights: its name, feature extractor, and the log-odds above which a text is an instruction."""

    name: str
    features: Callable[[str], tuple[frozenset[str], frozenset[str]]]
    threshold: float = 0.5


ENGLISH = Language("en", features_en.features)
JAPANESE = Language("ja", features_ja.features)


def injection_score(text: str) -> float:
    """Return the highest log-odds of any passage of `text` minus the threshold: above 0 is an instruction."""
    scored = [(part, 0.0) for part in passages(text)] + [(window, _WINDOW_PENALTY) for window in _windows(text)]
    return max(
        (
            log_odds(part, language, weights(language)) - language.threshold - penalty
            for language in _languages(text)
            for part, penalty in scored
        ),
        default=LOWEST,
    )


def is_known_word(word: str) -> bool:
    """Return whether the English weights or word lists hold the lower-case `word`."""
    return stem(word) in weights(ENGLISH) or bool(features_en.classes_of(word)) or word in word_set("function_words")


def is_readable(text: str) -> bool:
    """Return whether `text` holds kana or mostly known words: a score means nothing otherwise."""
    words = features_en.tokenize(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(is_known_word, words)) >= _MOSTLY * len(words)
    )


def _languages(text: str) -> tuple[Language, ...]:
    japanese = re.search(r"[\u3041-\u30ff\u4e00-\u9fff]", text) is not None
    latin = len(re.findall(r"[A-Za-z]{2,}", text))
    return (*((JAPANESE,) if japanese else ()), *((ENGLISH,) if latin >= (4 if japanese else 1) else ()))


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


def feature_values(text: str, language: Language) -> dict[str, float]:
    """Return the features of `text`; words and structure are each scaled to a vector of length one."""
    return {name: 1 / sqrt(len(group)) for group in language.features(text) for name in sorted(group)}


def log_odds(text: str, language: Language, known: Weights) -> float:
    """Return the log-odds that `text` is an instruction under the weights `known`; `""` names the intercept."""
    values = feature_values(text, language)
    return known[""] + sum(known[name] * value for name, value in values.items() if name in known)


@cache
def weights(language: Language) -> Weights:
    """Return the learned weights of `language` by feature."""
    import numpy as np

    with np.load(WEIGHTS) as stored:
        names = stored[f"{language.name}_features"].tobytes().decode().split("\n")
        values = (stored[f"{language.name}_weights"] / HUNDREDTHS).tolist()
    return dict(zip(names, values, strict=True))
