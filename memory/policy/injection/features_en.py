"""Extracts what an English sentence shows of being an instruction: words, kinds of things, and sentence structure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from text import stem

_CLASSES = Path(__file__).parent / "classes_en.toml"
_MOST_WORDS = 120
_URL = re.compile(
    r"https?://\S+|www\.\S+|\b[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]{2,8}\b(?:/\S*)?|\b\d{1,3}(?:\.\d{1,3}){3}\S*"
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_SHAPES = {
    "*tag": re.compile(r"</?[a-z_]+[^>]*>|\[/?[a-z _]+\]|<\||\{\{|```|<!--|\]\("),
    "*pair": re.compile(r"\"[a-z_]+\" ?:|\b[a-z_]+ ?= ?[a-z0-9_]+\b|\b[a-z]+_[a-z_]+\b"),
    "*call": re.compile(r"\b[a-z_]+\("),
    "*label": re.compile(r"(?:^|[.;!?\]] )[^a-z]{0,3}[a-z]+(?: [a-z0-9.]+){0,2} ?: "),
    "*mail": re.compile(r"\S+@\S+\.\S+"),
    "*quoted": re.compile(r"(?:^|\s)['\"][^'\"]{2,}['\"]"),
    "*number": re.compile(r"\d"),
}
_ABBREVIATIONS = {
    "u": "you", "ya": "you", "yall": "you", "ur": "your", "r": "are", "n": "and",
    "pls": "please", "plz": "please", "thx": "thanks", "wat": "what", "wats": "what", "wen": "when", "rn": "now",
    "gimme": "give me", "lemme": "let me", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "finna": "going to", "tix": "tickets", "txt": "text", "msg": "message", "msgs": "messages", "cuz": "because",
    "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "can not",
    "wont": "will not", "isnt": "is not", "aint": "is not", "evrything": "everything",
}  # fmt: skip
_BEFORE_VERB = frozenset({
    "please", "kindly", "just", "could", "would", "you", "can", "do", "and", "then", "so", "also", "be", "i", "want",
    "wish", "like", "to", "not",
})  # fmt: skip
"""Words that may precede the verb that says what is to be done."""


@cache
def _classes() -> tuple[dict[str, tuple[str, ...]], tuple[tuple[str, str], ...]]:
    exact: dict[str, tuple[str, ...]] = {}
    prefixes: list[tuple[str, str]] = []
    for kind, members in tomllib.loads(_CLASSES.read_text(encoding="utf-8")).items():
        for member in members.split():
            if member.endswith("*"):
                prefixes.append((member[:-1], kind))
            else:
                exact[member] = (*exact.get(member, ()), kind)
    return exact, tuple(prefixes)


@cache
def classes_of(word: str) -> tuple[str, ...]:
    """Return the kinds of things that the lower-case `word` may name, none when no list holds it."""
    exact, prefixes = _classes()
    begun = (kind for prefix, kind in prefixes if word.startswith(prefix))
    return tuple(dict.fromkeys((*exact.get(word, ()), *begun)))


def tokenize(text: str) -> list[str]:
    """Return the lower-case words of `text`, with each web address as one word and negations as `not`."""
    lowered = _URL.sub(" weburl ", text.lower())
    lowered = re.sub(r"\b(every|some|any|no)1\b", r"\1one", lowered)
    lowered = lowered.replace("n't", " not").replace("'", " ")
    return [whole for word in _WORD.findall(lowered) for whole in _ABBREVIATIONS.get(word, word).split()]


def features(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the word features of `text` (stems and pairs of them) and its structural features (prefixed `*`)."""
    words = tokenize(text)[:_MOST_WORDS]
    stems = [stem(word) for word in words]
    lexical = {*stems, *(f"{one} {two}" for one, two in pairwise(["^", *stems]))}
    named = [classes_of(word) for word in words]
    present = sorted({kind for kinds in named for kind in kinds})
    found = {f"*{kind}" for kind in present}
    found.update(f"*{one}&{two}" for one, two in combinations(present, 2))
    order = [kinds[0] if kinds else word if len(word) < 4 else "" for kinds, word in zip(named, words, strict=True)]
    order = [kind for kind in order if kind]
    found.update(f"*{one}>{two}" for one, two in pairwise(["^", *order]))
    found.update(f"*{one}>{two}>{three}" for one, two, three in zip(order, order[1:], order[2:], strict=False))
    found.update(_verb_objects(words))
    lowered = text.lower()
    found.update(name for name, shape in _SHAPES.items() if shape.search(lowered))
    return frozenset(lexical), frozenset(found)


def _verb_objects(words: list[str]) -> Iterator[str]:
    """Yield the kind of the first content word paired with each kind of thing that follows it."""
    content = [word for word in words if word not in _BEFORE_VERB]
    after = sorted({kind for word in content[1:] for kind in classes_of(word)})
    for first in classes_of(content[0]) or ("?",) if content else ():
        yield from (f"*^{first}&{kind}" for kind in after)
