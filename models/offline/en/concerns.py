"""What a message touches, so that the notes that matter for it can be found; and the sense of a sentence's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from models.offline.en.trips.places import names_place
from models.offline.en.wording import plain, table
from models.offline.readings import Concern
from models.offline.tables import request_kinds

_NEGATIVE = re.compile(
    r"\b(?:not|no|never|hate|hates|loathe|detest|despise|dislike|avoid|refuse|cannot|nothing|without|allergic|"
    r"against|afraid|scared|terrified|worst|nightmare|boycott|rather not|stopped|gave up|given up|sworn off|"
    r"out|dread|fear|skip|sick of|tired of|fed up|done with|neither|overrated|deal-?breaker)\b"
)
_POSITIVE = re.compile(
    r"\b(?:love|like|enjoy|prefer|adore|favorite|always|want|fan|must|go-to|happy|fond|keen|into|best|need|only|"
    r"usually|great|choose|pick|ideal|essential)\b"
)


_WHOLE, _WHEN = "trip", "when"
_SEEKS = re.compile(
    r"\?|^(?:(?:and|so|but|okay|please|also|now|then|hi|hello|hey),? )*(?:what|which|who|when|where|why|how|is|are|do|"
    r"does|can|could|would|will|should|any|find|suggest|recommend|tell|show|give|plan|book|get|look|search|help|"
    r"compare|pick|choose|reserve|arrange|organi[sz]e|list|check|make|take|send|bring|rent|hire|put|sort|draft|"
    r"somewhere|something|need|want|looking|quote|order|advise)\b|"
    r"\b(?:find|suggest|recommend|book|reserve|arrange|plan|ideas|tips|options|advice|looking for|look for|"
    r"help (?:me|us)|would like|would love|want|wants|need|needs|going to|thinking (?:of|about)|"
    r"tell (?:me|us)|wondering|please)\b"
)
_OF_ITS_OWN = re.compile(
    r"^(?:(?:and|so|but|oh|well|okay),? )*(?:i|we|my|our|it|that|this|the|he|she|they|there|you|his|her|their)\b"
)
_TRIVIA = re.compile(
    r"^(?:who|why|whose)\b|\bhow (?:big|old|tall|many|large|do you (?:say|spell|pronounce))\b|"
    r"\bwhat (?:is|are|was|were) the [\w ]+ (?:of|in)\b|\bwhat (?:country|continent|language|currency)\b|\bwon\b"
)
_ADVICE = re.compile(
    r"\b(?:suggest\w*|recommend\w*|ideas?|tips|advice|plan|organi[sz]e|arrange|options|should (?:i|we)|what about|"
    r"how about|best of|help (?:me|us)|thinking (?:of|about)|take (?:me|us) to|book (?:me|us))\b"
)


def concern(text: str, kinds: Sequence[str]) -> Concern:
    """What `text` asks for, and a trip of these `kinds`; empty for mere talk."""
    form = plain(text)
    if not kinds and not _asks(form):
        return Concern()
    found = [each for each in request_kinds("en") if each.kind in kinds or each.pattern.search(form)]
    if {each.kind for each in found} <= {_WHEN} and (_ADVICE.search(form) or _of_a_place(text, form)):
        found += [each for each in request_kinds("en") if each.kind == _WHOLE]
    return Concern(
        frozenset(each.kind for each in found),
        frozenset(topic for each in found for topic in each.topics),
        any(each.limits for each in found),
        any(each.everything for each in found),
        content_words(text),
    )


def relevant_kinds(text: str) -> frozenset[str]:
    """Kinds of requests that a note with this `text` matters for, by its words."""
    form = plain(text)
    return frozenset(each.kind for each in request_kinds("en") if each.notes and each.notes.search(form))


def _of_a_place(text: str, form: str) -> bool:
    """True when a question or request names a place and is not about a mere fact of it."""
    return not _TRIVIA.search(form) and names_place(text)


def _asks(form: str) -> bool:
    """True for a question or a request, "dinner in Rome" included; not for news."""
    return bool(_SEEKS.search(form)) or not _OF_ITS_OWN.search(form)


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
