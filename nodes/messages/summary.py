"""Checks a summary before it replaces history: length, headings, and the policy."""

import re

from memory.policy import screen
from models.schemas import HistorySummary
from prompts import Language, reply

UNVERIFIED = "UNVERIFIED"

_SENTENCE = re.compile(r"(?<=[.!?。])\s*")


class SummaryRejectedError(ValueError):
    """The summary may not stand in for history; the message says why."""


def checked_summary(proposal: HistorySummary, language: Language, *, most_words: int) -> str:
    """Return the summary as text under its fixed headings, without what the policy refuses.

    Raises:
        SummaryRejectedError: it says nothing, or is too long.
    """
    sections: dict[str, str] = proposal.model_dump()
    if not any(text.strip() for text in sections.values()):
        raise SummaryRejectedError("the summary is empty")
    if (words := count_words(" ".join(sections.values()))) > most_words:
        raise SummaryRejectedError(f"the summary has {words} words, and {most_words} are allowed")
    return "\n".join(f"{reply(f'heading_{name}', language)}: {_screened(text)}" for name, text in sections.items())


def parts(proposal: HistorySummary) -> list[str]:
    """Return the sentences of a proposal, which are kept or refused one by one."""
    return [part for text in proposal.model_dump().values() for part in _sentences(text)]


def count_words(text: str) -> int:
    """Words of `text`; in scripts without spaces, two characters count as one."""
    spaced = re.findall(r"[^\W\u3040-\u30ff\u3400-\u9fff]+", text)
    dense = re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)
    return len(spaced) + (len(dense) + 1) // 2


def _screened(text: str) -> str:
    """Return the sentences that the policy lets through, where it lets them through together as well.

    Headings are no part of what is judged: a list of them looks like no sentence that a person writes.
    """
    left = " ".join(part for part in _sentences(text) if screen(part) is None)
    return left if left and screen(left) is None else UNVERIFIED


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(" ".join(text.split())) if part]
