"""The one judge of what is lasting: a linear model of each language over the features of a sentence.

The weights lie in `words/en.npz` and `words/ja.npz`, their model card is `words/judge.md`; `python -m
evals.training.durability` rebuilds them. What a sentence adds up to is a log-odds: 0 is even, 2 about seven to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

from models.offline.notes.judging.forms import form, language_of, plain
from models.offline.tables import NOTES, alternatives

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_TOKEN = re.compile(r"[A-Za-z']+|\d+|[?\":]")
_NAME = re.compile(r"[A-Z][a-z]{2,}")
_QUOTED = re.compile(r"[\"“”「『]|(?:^|\s)'\w[^']{8,}'")
_STRENGTHS = ("deciding", "strong", "weak", "faint")
_LONGEST_RUN, _MOST_LENGTH, _STEP = 4, 6, 4
_CHARACTERS_A_WORD = 2
_LONGEST = 400
"""Characters of a sentence that are looked at."""


@lru_cache(maxsize=2048)
def features(sentence: str) -> dict[str, float]:
    """Return the features of `sentence` with their values, sorted, so that a sum over them is the same to the last bit.

    Words and runs of words weigh one together in each kind; what begins with `*` weighs one each.
    """
    sentence = sentence[:_LONGEST]
    found = [*_runs(sentence), {f"*{each}" for each in signs(sentence)}]
    weighed = {name: 1 / sqrt(len(kind)) for kind in found[:-1] for name in kind}
    return dict(sorted((weighed | dict.fromkeys(found[-1], 1.0)).items()))


def _runs(sentence: str) -> list[set[str]]:
    """Return the words and runs of words of English, as they are and reduced; the runs of characters of Japanese."""
    if language_of(sentence) == "ja":
        text = f"<{re.sub(r'[0-9]+', '0', form(sentence))}>"
        sizes = range(1, _LONGEST_RUN + 1)
        return [{text[at : at + size] for size in sizes for at in range(len(text) - size + 1)}]
    own, reduced = _tokens(plain(sentence)), _tokens(form(sentence))
    runs = {f"r {word}" for word in reduced} | {f"r {one} {two}" for one, two in pairwise(("<", *reduced, ">"))}
    runs |= {f"r {' '.join(three)}" for three in zip(("<", *reduced), reduced, (*reduced[1:], ">"), strict=False)}
    return [set(own) | {f"{one} {two}" for one, two in pairwise(("<", *own, ">"))}, runs]


def _tokens(text: str) -> list[str]:
    return ["#" if word.isdigit() else word for word in _TOKEN.findall(text)]


@lru_cache(maxsize=2048)
def signs(sentence: str) -> frozenset[str]:
    """Return what the tables find in a sentence: stances, cues, topics, and how they stand together."""
    language, text = language_of(sentence), form(sentence)
    stances = NOTES.found(text, f"{language}_stances")
    levels = {name.rsplit("-", 1)[1] for name in stances} or {"unsaid"}
    shown = cues(sentence) | _shape(sentence)
    about = topics_in(sentence)
    travel = {"travel" if about else "no travel"}
    together = {f"{level} & {cue}" for level in levels for cue in shown | travel}
    together |= {f"{cue} & {each}" for cue in shown for each in travel}
    length = len(text) // _CHARACTERS_A_WORD if language == "ja" else text.count(" ") + 1
    plainly = {f"length {min(_MOST_LENGTH, length // _STEP)}", *(f"about {topic}" for topic in about)}
    return frozenset(stances | levels | shown | travel | together | plainly)


@lru_cache(maxsize=2048)
def cues(sentence: str) -> frozenset[str]:
    """Return the names of the cues of the language that a sentence shows: `one_trip`, `question`, `others`…"""
    return frozenset(NOTES.found(form(sentence), f"{language_of(sentence)}_cues"))


def _shape(sentence: str) -> set[str]:
    found = {"quote"} if _QUOTED.search(sentence) else set()
    found |= {"asked"} if sentence.rstrip(" \"')").endswith(("?", "？")) else set()
    found |= {"name"} if any(_NAME.match(word) for word in sentence.split()[1:]) else set()
    text = form(sentence)
    if language_of(sentence) == "en":
        found |= {"of us"} if re.search(r"\b(?:ME|my|our|us|mine)\b", text) else {"of nobody"}
        found |= (
            {f"begins {text.split(' ', 1)[0]}"} if re.match(r"(?:ME|no|not|never|always|only|my)\b", text) else set()
        )
    return found


@lru_cache(maxsize=2048)
def topics_in(sentence: str) -> tuple[str, ...]:
    """Return the topics of the travel words of `sentence`, the one said most plainly first."""
    language, weights = language_of(sentence), dict[str, float]()
    for at, (topic, strength) in enumerate(_hits(sentence, language)):
        weights[topic] = weights.get(topic, 0.0) + (6.0, 3.0, 1.0, 0.5)[strength] + (0.0 if at else 0.4)
    return tuple(sorted(weights, key=lambda topic: (topic == "other", -weights[topic])))


def _hits(sentence: str, language: str) -> Iterator[tuple[str, int]]:
    """Yield topic and strength of each travel word in order; of two that overlap, the longer one."""
    text = form(sentence) if language == "ja" else plain(sentence)
    found = [(m.start(), m.end(), topic, rank) for topic, rank, each in _topics(language) for m in each.finditer(text)]
    taken: list[tuple[int, int, str, int]] = []
    for hit in sorted(found, key=lambda hit: (hit[0] - hit[1], hit[3])):
        if all(hit[1] <= other[0] or hit[0] >= other[1] for other in taken):
            taken.append(hit)
    yield from ((topic, rank) for _, _, topic, rank in sorted(taken))


@cache
def _topics(language: str) -> list[tuple[str, int, re.Pattern[str]]]:
    edges = ("(?<![\\w'])", "(?!\\w)") if language == "en" else ("", "")
    return [
        (topic, rank, re.compile(f"{edges[0]}{alternatives(_latin(words, language))}{edges[1]}"))
        for topic, lists in NOTES.table(f"{language}_topics").items()
        for rank, name in enumerate(_STRENGTHS)
        if (words := lists.get(name))
    ]


def _latin(words: list[str], language: str) -> list[str]:
    """Return the words, those of Latin letters bounded where the language has no blanks."""
    return words if language == "en" else [rf"(?<![a-z]){w}(?![a-z])" if re.match(r"[a-z]", w) else w for w in words]


HUNDREDTHS, TENTHS = 100, 10
_LOWEST = -3.0
"""Log-odds below which no topic is spoken for."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """The learned weights: of each feature for lasting, and for each topic."""

    lasting: dict[str, float]
    topics: tuple[str, ...]
    rows: dict[str, int]
    by_topic: NDArray[np.float64]


@lru_cache(maxsize=2048)
def lasting(sentence: str) -> float:
    """Return the log-odds that `sentence` says something of its author that lasts."""
    known = _weights(language_of(sentence)).lasting
    return known[""] + sum(known[name] * value for name, value in features(sentence).items() if name in known)


@lru_cache(maxsize=2048)
def topic_of(sentence: str) -> str:
    """Return the topic that `sentence` most sounds like; `other` when it sounds like none."""
    named = topics_in(sentence)
    if language_of(sentence) == "ja" and named:
        return named[0]
    weights = _weights(language_of(sentence))
    known = [(weights.rows[name], value) for name, value in features(sentence).items() if name in weights.rows]
    scores = sum((weights.by_topic[row] * value for row, value in known), weights.by_topic[weights.rows[""]])
    best = int(scores.argmax())
    return weights.topics[best] if scores[best] > _LOWEST else next(iter(named), "other")


def topic_of_note(text: str, topic: str) -> str:
    """Return the topic of a note, read from its text where it was filed under none."""
    return topic if topic not in ("", "other") else topic_of(text)


@cache
def _weights(language: str) -> _Weights:
    import numpy as np

    with np.load(NOTES.folder / f"{language}.npz") as stored:
        names, about = _unpacked(stored["features"]), _unpacked(stored["topic_features"])
        known = (stored["weights"] / HUNDREDTHS).tolist()
        by_topic = stored["topic_weights"] / TENTHS
        topics = tuple(_unpacked(stored["topics"]))
    return _Weights(dict(zip(names, known, strict=True)), topics, {name: at for at, name in enumerate(about)}, by_topic)


def _unpacked(names: NDArray[Any]) -> list[str]:
    return names.tobytes().decode().split("\n")
