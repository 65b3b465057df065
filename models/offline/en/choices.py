"""Tells which of several things an answer picks, and how it leaves the choice open."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.offline.en.concerns import content_words
from models.offline.en.wording import clean, plain
from models.offline.readings import Undecided

_ORDINALS = (
    {"first", "1", "1st", "one", "former", "top"},
    {"second", "2", "2nd", "two"},
    {"third", "3", "3rd", "three"},
    {"fourth", "4", "4th", "four"},
    {"fifth", "5", "5th"},
)
_ONE = re.compile(r"\b(?:the|that) one\b|(?<=(?:rst|ond|ird|rth|fth) )one\b|\bone\b(?=$| please)")
_COUNTED = re.compile(r"\b(?:of us|people|persons|adults|travelers?|nights?|days?|weeks?)\b")


_DEPENDS = re.compile(r"\b(?:it |that )?(?:all )?depends\b|\bboth\b|\bsometimes\b")
_NEITHER = re.compile(r"\b(?:neither|either|whichever|no preference|do not (?:care|mind|know)|not sure|no idea)\b")


def undecided(text: str) -> Undecided:
    """`both` for "it depends" and "both", `neither` for "I don't care" and the like."""
    form = plain(text)
    return "both" if _DEPENDS.search(form) else "neither" if _NEITHER.search(form) else ""


_CASES = re.compile(r"[,;:.]|\band\b|\bbut\b")
_CASE_LAST = re.compile(r"^(?P<taken>.+?) (?P<when>(?:on|for|in|during|at|by|when|if|whenever|unless) .+)$")
_CASE_FIRST = re.compile(
    r"^(?P<when>(?:on|for|in|during|at|by|when|if|whenever|unless) .+?) (?P<taken>(?:the |an? |i )?\w+(?: \w+)?)$"
)


def cases(text: str) -> list[tuple[str, str]]:
    """The cases of "aisle on short flights, window at night": what is taken, and when."""
    pieces = (piece.strip(" -!?") for piece in _CASES.split(clean(text)))
    found = (_CASE_FIRST.match(piece.lower()) or _CASE_LAST.match(piece.lower()) for piece in pieces)
    return [(match["taken"], match["when"]) for match in found if match]


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
    if _COUNTED.search(form):
        return None
    tokens = re.findall(r"\w+", _ONE.sub(" ", form) or form)
    named = [at for at, names in enumerate(_ORDINALS[: len(choices)]) if names & set(tokens)]
    return named[0] if len(named) == 1 and len(tokens) <= 6 else None
