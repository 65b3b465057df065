"""What a message touches, so that the notes that matter for it can be found; and the sense of a sentence's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from llm.offline.en.wording import plain, table
from llm.offline.tongue import Concern

_NEGATIVE = re.compile(
    r"\b(?:not|no|never|hate|hates|loathe|detest|despise|dislike|avoid|refuse|cannot|nothing|without|allergic|"
    r"against|afraid|scared|terrified|worst|nightmare|boycott|rather not|stopped|gave up|given up|sworn off|"
    r"out|dread|fear|skip|sick of|tired of|fed up|done with|neither|overrated|deal-?breaker)\b"
)
_POSITIVE = re.compile(
    r"\b(?:love|like|enjoy|prefer|adore|favorite|always|want|fan|must|go-to|happy|fond|keen|into|best|need|only|"
    r"usually|great|choose|pick|ideal|essential)\b"
)


def concern(text: str, kinds: Sequence[str]) -> Concern:
    """Topics and words that `text`, and a trip of these `kinds`, touch."""
    form = plain(text)
    always: set[str] = set()
    hard: set[str] = set()
    for kind, pattern, topics, limits in _concerns():
        if kind in kinds or pattern.search(form):
            always.update(topics)
            hard.update(limits)
    return Concern(frozenset(always), frozenset(hard), content_words(text))


@cache
def _concerns() -> list[tuple[str, re.Pattern[str], list[str], list[str]]]:
    return [
        (entry["kind"], re.compile(rf"\b(?:{entry['pattern']})\b"), entry["topics"], entry["hard"])
        for entry in table("concerns")["concern"]
    ]


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning."""
    stop = _stop()
    words = re.findall(r"[^\W_][\w-]*", plain(text))
    return frozenset(root for word in words if word not in stop and (root := stem(word)) not in stop)


@cache
def _stop() -> frozenset[str]:
    return frozenset(table("grammar")["without_content"])


def stem(word: str) -> str:
    """The word without its commonest endings ("flying" and "flights" keep apart, "flight" and "flights" meet)."""
    for ending, rest, least in (("ies", "y", 4), ("sses", "ss", 5), ("ches", "ch", 5), ("shes", "sh", 5), ("s", "", 3)):
        if (
            word.endswith(ending)
            and len(word) - len(ending) + len(rest) >= least - 1
            and not word.endswith(("ss", "us", "is"))
        ):
            word = word[: -len(ending)] + rest
            break
    for ending in ("ing", "ed", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "aeiouls":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def polarity(text: str) -> int:
    """1 for a liking, -1 for a refusal or dislike, 0 where it can't be told."""
    form = plain(text)
    if _NEGATIVE.search(re.sub(r"\bnot mind\b|\bno problem\b", "fine", form)):
        return -1
    return 1 if _POSITIVE.search(form) else 0
