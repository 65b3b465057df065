"""How much a text sounds like an order to the machine rather than a word about travel.

Two tables of signs with weights, English and Japanese, written by `python -m evals.policy.orders.train`. What a text
adds up to is a log-odds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

from memory.policy.injection import features as order_signs
from memory.policy.injection import features_ja as order_signs_ja
from text.words import FUNCTION_WORDS, sentences, stem

Signs = Callable[[str], tuple[frozenset[str], frozenset[str]]]
Weights = dict[str, float]
_WORDS = Path(__file__).parent / "words"
_WHOLE = 400
"""Characters of a sentence that are looked at."""
_UNHEARD = -9.0
_STRETCH, _STEP = 12, 4
"""Words in a stretch of a long sentence, and from one stretch to the next."""
_GLIMPSED = 1.0
"""How much surer a stretch has to be: what stands around it is missing."""
_FAMILIAR = 0.7
_JOINTS = re.compile(
    r"\s*[;()\[\]\u3010\u3011|]\s*|\s+[-\u2013]+\s+|,? (?:and|but|plus|also|oh and|while you're at it) (?:also )?|"
    r"\b[pP]\.?[sS]\.? |(?<=[\u3002\uff01\uff1f])|\u3001(?=それ|あと|ついで|また|さらに|そして)"
)


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language of orders: where its weights lie, how its signs are seen, and from which log-odds on it is one."""

    table: Path
    signs: Signs
    cut: float


ENGLISH = Tongue(_WORDS / "orders_en.txt", order_signs.signs, 0.6)
JAPANESE = Tongue(_WORDS / "orders_ja.txt", order_signs_ja.signs, 0.6)


def order_odds(reading: str) -> float:
    """Log-odds that `reading`, or a part of it, is an order, counted from where one is taken for an order."""
    heard = [(part, 0.0) for part in parts(reading)] + [(glimpse, _GLIMPSED) for glimpse in _glimpses(reading)]
    return max(
        (
            odds(part, tongue.signs, _table(tongue.table)) - tongue.cut - doubt
            for tongue in tongues(reading)
            for part, doubt in heard
        ),
        default=_UNHEARD,
    )


def knows(word: str) -> bool:
    """True when the English table has seen `word`, or it names a kind of thing."""
    return stem(word) in _table(ENGLISH.table) or bool(order_signs.kinds_of(word)) or word in FUNCTION_WORDS


def is_familiar(text: str) -> bool:
    """True when `text` has kana in it, or most of its words are known: only then do odds mean anything."""
    words = order_signs.tokens(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(knows, words)) >= _FAMILIAR * len(words)
    )


def tongues(text: str) -> tuple[Tongue, ...]:
    """The languages that `text` can be judged in."""
    japanese = re.search(r"[\u3041-\u30ff\u4e00-\u9fff]", text) is not None
    latin = len(re.findall(r"[A-Za-z]{2,}", text))
    return (*((JAPANESE,) if japanese else ()), *((ENGLISH,) if latin >= (4 if japanese else 1) else ()))


def parts(text: str) -> tuple[str, ...]:
    """The sentences of `text`, each also with the next one, and their clauses: half an order is one."""
    return tuple(dict.fromkeys(part for part in _parts(text) if len(part) > 3))


def _parts(text: str) -> Iterator[str]:
    said = [sentence[:_WHOLE] for sentence in sentences(text)]
    yield from (" ".join(pair) for pair in pairwise(said))
    for sentence in said:
        yield sentence
        clauses = (clause.strip(" ,:") for clause in _JOINTS.split(sentence))
        yield from (clause for clause in clauses if clause.count(" ") > 1 or (not clause.isascii() and len(clause) > 5))


def _glimpses(text: str) -> Iterator[str]:
    """Stretches of a sentence that runs on, in which an order would be lost among the rest."""
    for words in (sentence[:_WHOLE].split() for sentence in sentences(text)):
        if len(words) > _STRETCH:
            yield from (" ".join(words[at : at + _STRETCH]) for at in range(0, len(words) - _STRETCH + _STEP, _STEP))


def shares(text: str, signs: Signs) -> Weights:
    """The signs of `text` with the share that each has in it: words as one, findings as one."""
    words, found = signs(text)
    return _spread(words) | _spread(found)


def _spread(group: frozenset[str]) -> Weights:
    return {sign: 1 / sqrt(len(group)) for sign in sorted(group)}


def odds(text: str, signs: Signs, weights: Weights) -> float:
    """Log-odds that `text` is an order."""
    seen = shares(text, signs)
    return weights[""] + sum(weights[sign] * share for sign, share in seen.items() if sign in weights)


@cache
def _table(path: Path) -> Weights:
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.rpartition("\t") for line in lines if not line.startswith("## "))
    return {sign: float(weight) for sign, _, weight in pairs}
