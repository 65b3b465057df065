"""Splits a message into sentences and their parts, and judges which of them are lasting and what their topics are.

The judge is a weighted mean of two log-odds: those of a linear model per language over the features of a sentence, and
those of a net over its embedding, which generalises to wordings that were not in the training data. The weights are in
`words/en.npz`, `words/ja.npz` and `words/net.npz`, their model card is `words/judge.md`;
`python -m evals.training.durability` rebuilds them. Log-odds of 0 are even, of 2 about seven to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any

from models.offline.notes.forms import form, language_of, plain, without_leads
from models.offline.tables import NOTES
from text.encoder import combined_odds
from text.tables import alternatives

_TOKEN = re.compile(r"[A-Za-z']+|\d+|[?\":]")
_NAME = re.compile(r"[A-Z][a-z]{2,}")
_QUOTED = re.compile(r"(?<!\d)[\"“”「『]|(?:^|\s)'\w[^']{8,}'")
_STRENGTHS = ("deciding", "strong", "weak", "faint")
_LONGEST_RUN, _MOST_LENGTH, _STEP = 4, 6, 4
_CHARACTERS_A_WORD = 2
_LONGEST = 400
"""The most characters of a sentence that are read."""


@lru_cache(maxsize=2048)
def features(sentence: str) -> dict[str, float]:
    """Return the features of `sentence` with their values, sorted by name so that sums over them are reproducible.

    The n-grams of each kind form a vector of unit length; each sign, with the prefix `*`, has the value 1.
    """
    sentence = sentence[:_LONGEST]
    kinds = [*_runs(sentence), {f"*{each}" for each in signs(sentence)}]
    weighed = {name: 1 / sqrt(len(kind)) for kind in kinds[:-1] for name in kind}
    return dict(sorted((weighed | dict.fromkeys(kinds[-1], 1.0)).items()))


def _runs(sentence: str) -> list[set[str]]:
    """Return the word n-grams of English, of the plain and of the reduced form; the character n-grams of Japanese."""
    if language_of(sentence) == "ja":
        text = f"<{re.sub(r'[0-9]+', '0', form(sentence))}>"
        sizes = range(1, _LONGEST_RUN + 1)
        return [{text[at : at + size] for size in sizes for at in range(len(text) - size + 1)}]
    plain_words, reduced = _tokens(plain(sentence)), _tokens(form(sentence))
    runs = {f"r {word}" for word in reduced} | {f"r {one} {two}" for one, two in pairwise(("<", *reduced, ">"))}
    runs |= {f"r {' '.join(three)}" for three in zip(("<", *reduced), reduced, (*reduced[1:], ">"), strict=False)}
    return [set(plain_words) | {f"{one} {two}" for one, two in pairwise(("<", *plain_words, ">"))}, runs]


def _tokens(text: str) -> list[str]:
    return ["#" if word.isdigit() else word for word in _TOKEN.findall(text)]


@lru_cache(maxsize=2048)
def signs(sentence: str) -> frozenset[str]:
    """Return the features that the word tables find in a sentence: stances, cues, topics, and pairs of them."""
    language, text = language_of(sentence), form(sentence)
    stances = NOTES.found(text, f"{language}_stances")
    levels = {name.rsplit("-", 1)[1] for name in stances} or {"unsaid"}
    shown_cues = cues(sentence) | _shape(sentence)
    about = topics_in(sentence)
    travel = {"travel" if about else "no travel"}
    together = {f"{level} & {cue}" for level in levels for cue in shown_cues | travel}
    together |= {f"{cue} & {each}" for cue in shown_cues for each in travel}
    length = len(text) // _CHARACTERS_A_WORD if language == "ja" else text.count(" ") + 1
    plainly = {f"length {min(_MOST_LENGTH, length // _STEP)}", *(f"about {topic}" for topic in about)}
    return frozenset(stances | levels | shown_cues | travel | together | plainly)


@lru_cache(maxsize=2048)
def cues(sentence: str) -> frozenset[str]:
    """Return the names of the cues that a sentence contains: `one_trip`, `question`, `others`…"""
    return frozenset(NOTES.found(form(sentence), f"{language_of(sentence)}_cues"))


def _shape(sentence: str) -> set[str]:
    shape = {"quote"} if _QUOTED.search(sentence) else set()
    shape |= {"asked"} if sentence.rstrip(" \"')").endswith(("?", "？")) else set()
    shape |= {"name"} if any(_NAME.match(word) for word in sentence.split()[1:]) else set()
    text = form(sentence)
    if language_of(sentence) == "en":
        shape |= {"of us"} if re.search(r"\b(?:ME|my|our|us|mine)\b", text) else {"of nobody"}
        if re.match(r"(?:ME|no|not|never|always|only|my)\b", text):
            shape.add(f"begins {text.split(' ', 1)[0]}")
    return shape


def merely_wishes(sentence: str) -> bool:
    """Return whether a sentence only says what is wanted ("we need two rooms"), without a habit or a reason."""
    stances = NOTES.found(form(sentence), f"{language_of(sentence)}_stances")
    wishing = {"need-mild", "generic_wish-wish", *(("liking-mild",) if "generic_wish-wish" in stances else ())}
    return bool(stances) and stances <= wishing and not _REASON.search(sentence)


@lru_cache(maxsize=2048)
def topics_in(sentence: str) -> tuple[str, ...]:
    """Return the topics of the travel words of `sentence`, the one with the strongest words first."""
    language, weights = language_of(sentence), dict[str, float]()
    for at, (topic, strength) in enumerate(_hits(sentence, language)):
        weights[topic] = weights.get(topic, 0.0) + (6.0, 3.0, 1.0, 0.5)[strength] + (0.0 if at else 0.4)
    return tuple(sorted(weights, key=lambda topic: (topic == "other", -weights[topic])))


def _hits(sentence: str, language: str) -> Iterator[tuple[str, int]]:
    """Yield topic and strength of each travel word in order; of two that overlap, only the longer one."""
    text = form(sentence) if language == "ja" else plain(sentence)
    hits = [(m.start(), m.end(), topic, rank) for topic, rank, each in _topics(language) for m in each.finditer(text)]
    taken: list[tuple[int, int, str, int]] = []
    for hit in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[3])):
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
    """Return the patterns; in Japanese, those in Latin letters get word boundaries."""
    return words if language == "en" else [rf"(?<![a-z]){w}(?![a-z])" if re.match(r"[a-z]", w) else w for w in words]


_REASON = re.compile(r"\b(?:because|since|due to|as (?:i|we)|so that)\b", re.IGNORECASE)
NET = NOTES.folder / "net.npz"
HUNDREDTHS, TENTHS = 100, 10
_PASSING = -4.0
"""Log-odds of the linear model below which the net is not asked, as it has never made such a sentence lasting."""
_MEANING = 0.375
"""Share of the net in the combined log-odds."""
_STANDING = frozenset({"frequency-strong", "standing_tail-strong", "from_now-strong", "hard"})
"""Signs that say that something holds every time."""
LEAST, SURE, _CERTAIN = 0.36, 3.0, 5.0
"""Log-odds from which a sentence counts as lasting, as surely so, and as so even without a plain word for it."""
_LOWEST = -3.0
"""Score below which a sentence is given no topic by the model."""


@lru_cache(maxsize=2048)
def lasting(sentence: str) -> float:
    """Return the log-odds that `sentence` is a lasting statement about its author, with or without its opening."""
    by_words = {each: word_odds(each) for each in (sentence, without_leads(sentence) or sentence)}
    return max(combined_odds(NET, by_words, above=_PASSING, share=_MEANING).values())


def is_habit(sentence: str) -> bool:
    """Return whether a sentence about a trip holds for others too: plainly ("I always …"), or with high odds."""
    return lasting(sentence) >= (LEAST if _STANDING & signs(sentence) else _CERTAIN)


def word_odds(sentence: str) -> float:
    """Return the log-odds that `sentence` is lasting, by the linear model."""
    weights, *_ = _weights(language_of(sentence))
    return weights[""] + sum(weights[name] * value for name, value in features(sentence).items() if name in weights)


@lru_cache(maxsize=2048)
def topic_of(sentence: str) -> str:
    """Return the topic that `sentence` names or most resembles; `other` if there is none."""
    named = topics_in(sentence)
    if language_of(sentence) == "ja" and named:
        return named[0]
    if "ailment" in cues(sentence):
        return "accessibility"
    _, rows, weights, topics = _weights(language_of(sentence))
    known = [(rows[name], value) for name, value in features(sentence).items() if name in rows]
    scores = sum((weights[row] * value for row, value in known), weights[rows[""]])
    best = int(scores.argmax())
    return topics[best] if scores[best] > _LOWEST else next(iter(named), "other")


def topic_of_note(text: str, topic: str) -> str:
    """Return the topic of a note, read from its text if it was stored without one."""
    return topic if topic not in ("", "other") else topic_of(text)


@cache
def _weights(language: str) -> tuple[dict[str, float], dict[str, int], Any, list[str]]:
    """Return the weight of each feature, the row of each topic feature, topic weights (row, topic) and the topics."""
    import numpy as np

    with np.load(NOTES.folder / f"{language}.npz") as stored:
        names, about, topics = (
            stored[part].tobytes().decode().split("\n") for part in ("features", "topic_features", "topics")
        )
        lasting_weights = (stored["weights"] / HUNDREDTHS).tolist()
        by_topic = stored["topic_weights"] / TENTHS
    return dict(zip(names, lasting_weights, strict=True)), {name: at for at, name in enumerate(about)}, by_topic, topics


_FEW_WORDS = 4
_FEW_LETTERS = 10
"""More letters than an abbreviation has."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a message: its offsets, its text, and whether it ends in a question mark."""

    start: int
    end: int
    text: str
    asked: bool = False

    def joined(self, last: Part, message: str) -> Part:
        """Return the stretch of `message` from this part to `last`."""
        return Part(self.start, last.end, message[self.start : last.end], last.asked)

    def cut(self, start: int, end: int, message: str) -> Part:
        """Return the stretch of `message` from `start` to `end`, which lies within this part."""
        return Part(start, end, message[start:end], self.asked)


@lru_cache(maxsize=1024)
def sentences(message: str) -> tuple[Part, ...]:
    """Return the sentences of a message; a short question is joined to the fragment that answers it."""
    found: list[Part] = []
    start = 0
    cutting = NOTES.patterns("cutting")
    for match in cutting["end"].finditer(message):
        if match[0] == "." and cutting["abbreviation"].search(message[: match.start() + 1][-_FEW_LETTERS:]):
            continue
        found += _part(message, start, match.start(), asked="?" in match[0] or "？" in match[0])
        start = match.end()
    found += _part(message, start, len(message))
    return tuple(_with_answers(found, message))


def _part(message: str, start: int, end: int, *, asked: bool = False) -> Iterator[Part]:
    text = message[start:end]
    if trimmed := NOTES.patterns("cutting")["blank"].sub("", text):
        at = start + text.index(trimmed)
        yield Part(at, at + len(trimmed), trimmed, asked)


def _with_answers(found: list[Part], message: str) -> list[Part]:
    """Return the sentences with pairs such as "Cruises? Not my thing." joined."""
    joined: list[Part] = []
    for part in found:
        last = joined[-1] if joined else part
        short = last.asked and len(last.text.split()) <= _FEW_WORDS and topics_in(last.text)
        if short and not part.asked and NOTES.patterns("en_speech")["answer"].match(part.text.lower()):
            joined[-1] = last.joined(part, message)
        else:
            joined.append(part)
    return joined


def parts(sentence: Part, message: str) -> list[Part]:
    """Split a sentence into coordinate clauses with a subject each; conditions and reasons are not split off."""
    table = NOTES.patterns(f"{language_of(sentence.text)}_speech")
    found: list[Part] = []
    start = sentence.start
    for match in table["joint"].finditer(sentence.text):
        head = message[start : sentence.start + match.start()]
        if head.strip() and not table["leans"].match(head.strip()):
            found += _part(message, start, sentence.start + match.start())
            start = sentence.start + match.end()
    return [*found, *_part(message, start, sentence.end, asked=sentence.asked)]


def once_and_else(sentence: Part, message: str) -> list[Part]:
    """Split a sentence into one half about one trip and one about other trips ("normally economy"), if it has both."""
    table = NOTES.patterns(f"{language_of(sentence.text)}_speech")
    for match in table["beside"].finditer(sentence.text):
        at = sentence.start
        halves = [sentence.cut(at, at + match.start(), message), sentence.cut(at + match.end(), sentence.end, message)]
        once = ["one_trip" in cues(half.text) for half in halves]
        if sum(once) == 1 and table["habit"].search(halves[once.index(False)].text):
            return halves
    return [sentence]
