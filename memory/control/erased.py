"""Keeps keyed hashes of forgotten statements, which recognise their words again and do not tell them."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from typing import Any

from pydantic import Field, model_validator

from memory.policy import fingerprint
from memory.records.notes import Note, Record
from text import normalise
from text.terms import stem, travel_terms
from text.words import content_words, japanese_terms, sentences

ERASED = "[forgotten]"
"""What stands in a text where something was forgotten."""

_HASH_DIGITS = 16
_FRAGMENT = 2
"""Words of the longest text that is read as a label and not as a sentence."""
_CLAUSES = re.compile(r"[,;:、；]\s*|\s+(?:and|but)\s+")


class Erasure(Record):
    """One act of forgetting. Hashes are made under the user's own key.

    `words` are the stems of the statement; `telling` those of them that hardly anything else is about, so that one of
    them gives it away. `seq` is the journal's number of the act: threads that know a higher one need not look again.
    """

    stored_as = "erasure"
    id: str
    seq: int = Field(ge=0)
    at: datetime
    words: tuple[str, ...]
    telling: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    """Fingerprints of the forgotten texts and of the user's words behind them."""

    @model_validator(mode="before")
    @classmethod
    def _upgrade(cls, stored: dict[str, Any]) -> dict[str, Any]:
        """Read what an earlier version stored, with the key of another memory."""
        return {name: value for name, value in stored.items() if name != "key"}


class Eraser:
    """Finds and takes out what erasures under the user's `key` are about, in `whole` sentences or by their parts.

    Texts without it come back as they are.
    """

    def __init__(self, erasures: Sequence[Erasure], key: bytes, *, whole: bool = False) -> None:
        self._about = [(frozenset(one.words), frozenset(one.telling)) for one in erasures]
        self.erasures = tuple(erasures)
        self._key, self._whole = key, whole
        self._hashed = cache(partial(hash_word, key=key))

    def __bool__(self) -> bool:
        return bool(self.erasures)

    @property
    def latest(self) -> int:
        """Return the number of the latest erasure; 0 without any."""
        return max((one.seq for one in self.erasures), default=0)

    def tells(self, text: str) -> bool:
        """Return whether `text` tells something that was forgotten: two thirds of its words, or one that gives it away.

        A text of a word or two, as keywords and topics are, tells it with any of its words.
        """
        said = self._said(text)
        if said and len(text.split()) <= _FRAGMENT and any(said <= words for words, _ in self._about):
            return True
        return any(_gives_away(said, words, telling) for words, telling in self._about)

    def restates(self, text: str) -> bool:
        """Return whether `text` says most of something that was forgotten; a word that gives it away is not enough."""
        said = self._said(text)
        return any(_gives_away(said, words, frozenset()) for words, _ in self._about)

    def repeats(self, *texts: str) -> list[Erasure]:
        """Return the erasures of which one of `texts` is the very statement, in the same words in any order."""
        digests = {fingerprint(text, self._key) for text in texts if text.strip()} if self.erasures else set()
        spoken = [self._said(text) for text in texts]
        return [
            one for one in self.erasures if digests & set(one.digests) or (one.words and frozenset(one.words) in spoken)
        ]

    def erased(self, text: str) -> str:
        """Return `text`, with `[forgotten]` in place of each sentence, or part of one, that tells the forgotten."""
        if not self.erasures or not self.tells(text):
            return text
        if text.startswith(("{", "[")):
            with suppress(ValueError):
                return json.dumps(self.erased_value(json.loads(text)), ensure_ascii=False)
        for sentence in sentences(text):
            if self.tells(sentence):
                text = text.replace(sentence, ERASED if self._whole else self._without_clauses(sentence))
        # A statement may be told over several sentences, none of which tells it alone.
        return ERASED if self.tells(text.replace(ERASED, " ")) else text

    def erased_value(self, value: Any) -> Any:
        """Return a JSON value with every text in it erased; keys stay."""
        if isinstance(value, str):
            return self.erased(value)
        if isinstance(value, dict):
            return {key: self.erased_value(item) for key, item in value.items()}
        return [self.erased_value(item) for item in value] if isinstance(value, list | tuple) else value

    def _without_clauses(self, sentence: str) -> str:
        for clause in filter(None, _CLAUSES.split(sentence)):
            if self.tells(clause):
                sentence = sentence.replace(clause, ERASED)
        return ERASED if self.tells(sentence.replace(ERASED, " ")) else sentence

    def _said(self, text: str) -> frozenset[str]:
        return frozenset(map(self._hashed, _words(text))) if self.erasures else frozenset()


def make_erasure(
    notes: Sequence[Note], *, name: str, key: bytes, seq: int, at: datetime, kept: Iterable[str], words: str = ""
) -> Erasure:
    """Return the erasure of `notes`, all versions of one statement, or of what is only described in `words`.

    `seq` is the journal's number of the step. A word that occurs in `kept`, texts that stay, gives nothing away.
    """
    stated = _words(f"{notes[0].text} {notes[0].condition}") if notes else _words(words)
    staying = set(travel_terms()).union(*map(_words, kept))
    telling = {word for note in notes for word in _words(note.text)} - staying if notes else stated - staying
    texts = [text for note in notes for text in (note.text, *note.sayings)] or [words]
    return Erasure(
        id=name,
        seq=seq,
        at=at,
        words=tuple(sorted(hash_word(word, key) for word in stated)),
        telling=tuple(sorted(hash_word(word, key) for word in telling)),
        digests=tuple(sorted({fingerprint(text, key) for text in texts})),
    )


def hash_word(word: str, key: bytes) -> str:
    """Keyed hash of one stem, 16 hexadecimal digits."""
    return hmac.new(key, b"word\x1f" + word.encode(), hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def _words(text: str) -> frozenset[str]:
    return frozenset({*map(stem, content_words(text)), *japanese_terms(normalise(text))})


def _gives_away(said: frozenset[str], words: frozenset[str], telling: frozenset[str]) -> bool:
    return bool(said & telling) or (bool(words) and 3 * len(said & words) >= 2 * len(words))
