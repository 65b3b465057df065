"""What the judge looks at in a sentence: its words, how a stance is said, and what speaks for or against lasting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt

from models.offline.notes.judging.forms import form, language_of, plain
from models.offline.notes.tables import alternatives, patterns, table

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
    stances = {name for name, pattern in patterns(f"{language}_stances").items() if pattern.search(text)}
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
    text = form(sentence)
    found = patterns(f"{language_of(sentence)}_cues").items()
    return frozenset(name for name, pattern in found if pattern.search(text))


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
        for topic, lists in table(f"{language}_topics").items()
        for rank, name in enumerate(_STRENGTHS)
        if (words := lists.get(name))
    ]


def _latin(words: list[str], language: str) -> list[str]:
    """Return the words, those of Latin letters bounded where the language has no blanks."""
    return words if language == "en" else [rf"(?<![a-z]){w}(?![a-z])" if re.match(r"[a-z]", w) else w for w in words]
