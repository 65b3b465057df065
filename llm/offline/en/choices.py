"""Tells values that exclude each other, statements that end something, and which of several things was picked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from llm.offline.en.concerns import content_words, polarity
from llm.offline.en.wording import plain, table

_ORDINALS = (
    {"first", "1", "1st", "one", "former", "top"},
    {"second", "2", "2nd", "two"},
    {"third", "3", "3rd", "three"},
    {"fourth", "4", "4th", "four"},
    {"fifth", "5", "5th"},
)
_SHARED = 0.5


def rivals(one: str, other: str) -> bool:
    """True when the statements name different values of one thing, differ in a number, or take opposite sides."""
    first, second = plain(one), plain(other)
    for row in _rows():
        mine = {at for at, value in enumerate(row) if value.search(first)}
        theirs = {at for at, value in enumerate(row) if value.search(second)}
        if mine and theirs and not mine & theirs:
            return True
    words, others = content_words(one), content_words(other)
    shared = len(words & others) / max(1, min(len(words), len(others)))
    numbers = set(re.findall(r"\d+", first)), set(re.findall(r"\d+", second))
    if shared >= _SHARED and all(numbers) and numbers[0] != numbers[1]:
        return True
    opposed = polarity(one) * polarity(other) < 0
    return (shared >= _SHARED and opposed) or bool(_changed().search(first))


def ends(text: str) -> bool:
    """True when `text` says that something no longer holds."""
    return bool(_ended().search(plain(text)))


def picked(text: str, choices: Sequence[str]) -> int | None:
    """Index of the choice that `text` names by place or by its words; None when it names none or several."""
    form = plain(text)
    if re.search(r"\b(?:last|latter|bottom)(?: one)?\b", form) and choices:
        return len(choices) - 1
    words = content_words(text)
    fitting = [at for at, choice in enumerate(choices) if words & content_words(choice)]
    best = [
        at
        for at in fitting
        if len(words & content_words(choices[at])) == max(len(words & content_words(choices[each])) for each in fitting)
    ]
    if len(best) == 1:
        return best[0]
    tokens = re.findall(r"\w+", re.sub(r"\b(?:the|that) one\b|\bone\b(?=$| please)", " ", form) or form)
    named = [at for at, names in enumerate(_ORDINALS[: len(choices)]) if names & set(tokens)]
    return named[0] if len(named) == 1 and len(tokens) <= 6 else None


@cache
def _rows() -> list[list[re.Pattern[str]]]:
    return [[re.compile(rf"\b(?:{value})") for value in row] for row in table("rivals")["rows"]]


@cache
def _changed() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(table('rivals')['changed'])})\b")


@cache
def _ended() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(table('rivals')['ended'])})\b")
