"""A trained second opinion: how much a text sounds like an order to the machine rather than a word about travel.

The rules catch the orders they know. This catches their paraphrases: two tables of signs with weights, English and
Japanese, written by `python -m evals.policy.orders.train`. What a text adds up to is a log-odds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

from stores.policy import order_signs, order_signs_ja
from stores.policy.words import sentences

Signs = Callable[[str], tuple[frozenset[str], frozenset[str]]]
Weights = dict[str, float]
_WORDS = Path(__file__).parent / "words"
_WHOLE = 400
"""Characters up to which a text is also judged whole; in longer ones each sentence stands for itself."""
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


ENGLISH = Tongue(_WORDS / "orders_en.txt", order_signs.signs, 3.0)
JAPANESE = Tongue(_WORDS / "orders_ja.txt", order_signs_ja.signs, 3.0)


def sounds_like_order(reading: str, ease: float = 0.0) -> bool:
    """True when `reading`, or a part of it, sounds like an order; `ease` lowers the bar for disguised text."""
    return any(
        odds(part, tongue.signs, _table(tongue.table)) > tongue.cut - ease
        for tongue in tongues(reading)
        for part in parts(reading)
    )


def tongues(text: str) -> tuple[Tongue, ...]:
    """The languages that `text` can be judged in."""
    japanese = re.search(r"[\u3041-\u30ff\u4e00-\u9fff]", text) is not None
    latin = len(re.findall(r"[A-Za-z]{2,}", text))
    return (*((JAPANESE,) if japanese else ()), *((ENGLISH,) if latin >= (4 if japanese else 1) else ()))


def parts(text: str) -> tuple[str, ...]:
    """`text` whole unless it is long, its sentences, and their clauses: half an order is one."""
    return tuple(dict.fromkeys(part for part in _parts(text) if len(part) > 3))


def _parts(text: str) -> Iterator[str]:
    if len(text) <= _WHOLE:
        yield text.strip()
    for sentence in sentences(text):
        yield sentence[:_WHOLE]
        yield from (clause.strip(" ,:") for clause in _JOINTS.split(sentence[:_WHOLE]) if clause.count(" ") > 1)
        if not sentence.isascii():
            yield from (clause.strip() for clause in _JOINTS.split(sentence[:_WHOLE]) if len(clause) > 5)


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
