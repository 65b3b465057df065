"""Cuts a message into sentences and their parts, each an exact stretch of the user's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from models.offline.notes.judging.forms import language_of
from models.offline.notes.judging.judge import cues, topics_in
from models.offline.tables import NOTES

_ABBREVIATION = re.compile(r"\b(?:a\.m|p\.m|e\.g|i\.e|u\.s|u\.k|st|mr|mrs|ms|dr|vs|approx|min|no)\.$", re.IGNORECASE)
_END = re.compile(r"[.!?…。！？♪☆]+[\"')\]」』]*(?=\s|$)|(?<=[^\x00-\x7f])[。！？!?]+|\n+|[wｗ]{2,}(?=$|\s)")
_BLANK = re.compile(r"^[\s、,・*-]+|[\s、,]+$")
_FEW_WORDS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a message: where it stands, its words, and whether they are asked."""

    start: int
    end: int
    text: str
    asked: bool = False

    def joined(self, last: Part, said: str) -> Part:
        """Return the stretch from this part to `last`, of the message `said`."""
        return Part(self.start, last.end, said[self.start : last.end], last.asked)


@lru_cache(maxsize=1024)
def sentences(said: str) -> tuple[Part, ...]:
    """Return the sentences of a message; a short question is one with the fragment that answers it."""
    found: list[Part] = []
    start = 0
    for match in _END.finditer(said):
        if match[0] == "." and _ABBREVIATION.search(said[: match.start() + 1]):
            continue
        found += _part(said, start, match.start(), asked="?" in match[0] or "？" in match[0])
        start = match.end()
    found += _part(said, start, len(said))
    return tuple(_with_answers(found, said))


def _part(said: str, start: int, end: int, *, asked: bool = False) -> Iterator[Part]:
    text = said[start:end]
    if trimmed := _BLANK.sub("", text):
        at = start + text.index(trimmed)
        yield Part(at, at + len(trimmed), trimmed, asked)


def _with_answers(found: list[Part], said: str) -> Iterator[Part]:
    """Yield "Cruises? Not my thing." as one sentence."""
    waiting: Part | None = None
    for part in found:
        if waiting and not part.asked and NOTES.patterns("en_speech")["answer"].match(part.text.lower()):
            yield waiting.joined(part, said)
            waiting = None
            continue
        if waiting:
            yield waiting
        short = part.asked and len(part.text.split()) <= _FEW_WORDS and topics_in(part.text)
        waiting = part if short else None
        if not short:
            yield part
    if waiting:
        yield waiting


def parts(sentence: Part, said: str) -> list[Part]:
    """Return what stands side by side in a sentence, each with a subject of its own; never a condition or a reason."""
    table = NOTES.patterns(f"{language_of(sentence.text)}_speech")
    found: list[Part] = []
    start = sentence.start
    for match in table["joint"].finditer(sentence.text):
        head = said[start : sentence.start + match.start()]
        if head.strip() and not table["leans"].match(head.strip()):
            found += _part(said, start, sentence.start + match.start())
            start = sentence.start + match.end()
    return [*found, *_part(said, start, sentence.end, asked=sentence.asked)]


def is_errand(part: Part) -> bool:
    """Return whether a part asks or orders something, or says a detail of a trip, and nothing of its author."""
    shown = cues(part.text)
    if part.asked or ("question" in shown and "not_asked" not in shown):
        return True
    return bool(shown & {"command", "requested"}) or {"route", "dated"} <= shown
