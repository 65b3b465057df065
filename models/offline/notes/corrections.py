"""Reads corrections: "it's tree nuts, not peanuts" takes back what was said before, and says what holds instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.offline.notes.claims import meaning_of
from models.offline.notes.comparing import content_words, shares
from models.offline.notes.judging.forms import language_of
from models.offline.notes.judging.judge import topic_of_note
from models.offline.notes.tables import table


@dataclass(frozen=True, slots=True)
class Correction:
    """What holds now: the words for it, its topic, and claims that state the new value and take back the old one."""

    instead: str
    topic: str
    claims: list[dict[str, str]]
    about: str


def correction(text: str, known: Sequence[tuple[str, str]]) -> Correction | None:
    """Return what `text` puts in the place of something known; None where it corrects nothing that is known.

    Args:
        text: A sentence of the user's.
        known: Text and topic of what memory holds.
    """
    found = _contrast(text)
    if not found:
        return None
    instead, gone = found
    for old, topic in known:
        if not (content_words(gone) and all(shares(word, old) for word in content_words(gone))):
            continue
        was = meaning_of(old, topic_of_note(old, topic))
        mistaken = [claim for claim in was.claims if any(shares(word, claim["value"]) for word in content_words(gone))]
        if mistaken:
            claims = [{**mistaken[0], "value": _value(instead)}, {**mistaken[0], "stance": "indifferent"}]
            return Correction(instead, topic_of_note(old, topic), claims, was.about)
    return None


def _contrast(text: str) -> tuple[str, str] | None:
    """Return what holds and what does not, of "it's X, not Y" and "not Y but X"."""
    for pattern in table(f"{language_of(text)}_corrections")["contrast"]:
        if match := re.search(pattern, text, re.IGNORECASE):
            return match["new"].strip(" ,.、。"), match["old"].strip(" ,.、。")
    return None


def _value(words: str) -> str:
    """Return the bare name of what holds instead: "そばアレルギーです" names "そば"."""
    bare = re.sub(table(f"{language_of(words)}_corrections")["frame"], "", words, flags=re.IGNORECASE)
    return bare.strip(" ,.、。")[:80]


def corrects(text: str, others: Sequence[str]) -> bool:
    """Return whether `text` puts something in the place of what one of `others` says."""
    return correction(text, [(other, "") for other in others]) is not None
