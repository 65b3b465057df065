"""Scores how much a text reads as an instruction to the machine rather than as something that a person says.

A linear model over the features of a text, and a small net over the vector of the passage, which carries its meaning to
wordings that no weight was learned for. What counts is the mean of their log-odds.
`weights.md` says how the weights in `weights.npz` were learned; `python -m evals.training.injection` rebuilds them.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from text import sentences, stem
from text.encoder import combined_odds
from text.features import LinearModel, is_unspaced, linear_model, shapes, tokenize

WEIGHTS = Path(__file__).parent / "weights.npz"
NET = Path(__file__).parent / "net.npz"
LOWEST = -9.0
"""The score of a text without words."""
THRESHOLD = 0.2
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
    by_words = {part: _words().odds(part) for part, _ in _judged(text)}
    odds = combined_odds(NET, by_words, above=_HARMLESS, share=0.5)
    return max((odds[part] - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


@lru_cache(maxsize=4096)
def word_score(text: str) -> float:
    """Return the same by words alone, for a reading that may be no sentence at all."""
    return max((_words().odds(part) - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


def _judged(text: str) -> list[tuple[str, float]]:
    """Return the passages and windows of `text`, each with what its log-odds have to exceed."""
    return [(part, 0.0) for part in passages(text)] + [(window, _WINDOW_PENALTY) for window in _windows(text)]


def is_known_word(word: str) -> bool:
    """Return whether the English training texts hold the lower-case `word` in some form."""
    return stem(word) in _words().vocabulary


def is_readable(text: str) -> bool:
    """Return whether `text` holds kana or mostly known words: a score means nothing otherwise."""
    words = tokenize(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(is_known_word, words)) >= _MOSTLY * len(words)
    )


def addresses_machine(text: str) -> bool:
    """Return whether `text` holds markup, a call or an address, in a language of which few words have a weight."""
    words = [part for token in tokenize(text) for part in (token if is_unspaced(token) else [token])]
    known = sum(crc32(word.encode()) in _words().weights for word in words)
    is_foreign = len(words) > _FEW_WORDS and known < _FOREIGN * len(words)
    return is_foreign and not shapes(text).isdisjoint(("tag", "pair", "call", "url", "mail"))


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


def _words() -> LinearModel:
    return linear_model(WEIGHTS)
