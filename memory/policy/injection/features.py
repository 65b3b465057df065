"""What a sentence shows of being an order: its words, the kinds of things it names, and how it is put together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from text.words import stem

_WORDS = Path(__file__).parent / "words"
_URL = re.compile(
    r"https?://\S+|www\.\S+|\b[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]{2,8}\b(?:/\S*)?|\b\d{1,3}(?:\.\d{1,3}){3}\S*"
)
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*")
_SHAPES = {
    "*tag": re.compile(r"</?[a-z_]+[^>]*>|\[/?[a-z _]+\]|<\||\{\{|```|<!--|\]\("),
    "*pair": re.compile(r"\"[a-z_]+\" ?:|\b[a-z_]+ ?= ?[a-z0-9_]+\b|\b[a-z]+_[a-z_]+\b"),
    "*call": re.compile(r"\b[a-z_]+\("),
    "*label": re.compile(r"(?:^|[.;!?\]] )[^a-z]{0,3}[a-z]+(?: [a-z0-9.]+){0,2} ?: "),
    "*mail": re.compile(r"\S+@\S+\.\S+"),
    "*quoted": re.compile(r"(?:^|\s)['\"][^'\"]{2,}['\"]"),
    "*number": re.compile(r"\d"),
}  # fmt: skip

_SHORT = {
    "u": "you", "ya": "you", "yall": "you", "ur": "your", "r": "are", "n": "and",
    "pls": "please", "plz": "please", "thx": "thanks", "wat": "what", "wats": "what", "wen": "when", "rn": "now",
    "gimme": "give me", "lemme": "let me", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "finna": "going to", "tix": "tickets", "txt": "text", "msg": "message", "msgs": "messages", "cuz": "because",
    "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "can not",
    "wont": "will not", "isnt": "is not", "aint": "is not", "evrything": "everything",
}  # fmt: skip
"""What is typed in a hurry, and what it stands for."""
_POLITE_LIST = """
    please kindly just could would you can do and then so also be i want wish like to not
"""
_POLITE = frozenset(_POLITE_LIST.split())
"""Words before the verb that says what is to be done."""


@cache
def _kinds() -> tuple[dict[str, tuple[str, ...]], tuple[tuple[str, str], ...]]:
    exact: dict[str, tuple[str, ...]] = {}
    begun: list[tuple[str, str]] = []
    for line in (_WORDS / "classes_en.txt").read_text(encoding="utf-8").splitlines():
        kind, _, members = line.partition("\t")
        for member in members.split():
            if member.endswith("*"):
                begun.append((member[:-1], kind))
            else:
                exact[member] = (*exact.get(member, ()), kind)
    return exact, tuple(begun)


@cache
def kinds_of(word: str) -> tuple[str, ...]:
    """The kinds of things that `word` (lower-case) may name, none when it is in no list."""
    exact, begun = _kinds()
    return tuple(dict.fromkeys((*exact.get(word, ()), *(kind for start, kind in begun if word.startswith(start)))))


def tokens(text: str) -> list[str]:
    """Lower-case words of `text`; an address of the web stands as one word, a negation as `not`."""
    lowered = text.lower()
    lowered = _URL.sub(" weburl ", lowered)
    lowered = re.sub(r"\b(every|some|any|no)1\b", r"\1one", lowered)
    lowered = lowered.replace("n't", " not").replace("'", " ")
    return [whole for word in _TOKEN.findall(lowered) for whole in _SHORT.get(word, word).split()]


def signs(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The signs of `text`: words and runs of them, and what is found beside (`*`: kinds of things, shape)."""
    words = tokens(text)[:120]
    stems = [stem(word) for word in words]
    lexical = set(stems)
    lexical.update(f"{one} {two}" for one, two in pairwise(["^", *stems]))
    named = [kinds_of(word) for word in words]
    present = sorted({kind for kinds in named for kind in kinds})
    found = {f"*{kind}" for kind in present}
    found.update(f"*{one}&{two}" for one, two in combinations(present, 2))
    order = [kinds[0] if kinds else word if len(word) < 4 else "" for kinds, word in zip(named, words, strict=True)]
    order = [kind for kind in order if kind]
    found.update(f"*{one}>{two}" for one, two in pairwise(["^", *order]))
    found.update(f"*{one}>{two}>{three}" for one, two, three in zip(order, order[1:], order[2:], strict=False))
    found.update(_led(words))
    lowered = text.lower()
    found.update(name for name, shape in _SHAPES.items() if shape.search(lowered))
    return frozenset(lexical), frozenset(found)


def _led(words: list[str]) -> Iterator[str]:
    """What is to be done, by kind, with each kind of thing that comes after it."""
    told = [word for word in words if word not in _POLITE]
    after = sorted({kind for word in told[1:] for kind in kinds_of(word)})
    for lead in kinds_of(told[0]) or ("?",) if told else ():
        yield from (f"*^{lead}&{kind}" for kind in after)
