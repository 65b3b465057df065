"""Recognises forgotten statements by keyed hashes of their words, which do not reveal the words themselves."""

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
from text import as_data, normalise
from text.terms import stem, travel_terms
from text.words import content_words, japanese_terms, sentences

ERASED = "[forgotten]"
"""Replaces a forgotten passage in a text."""

_HASH_DIGITS = 16
_FRAGMENT = 2
"""The most words of a text that is a label (a keyword, a topic) and not a sentence."""
_CLAUSES = re.compile(r"[,;:、；]\s*|\s+(?:and|but)\s+")


class Erasure(Record):
    """One act of forgetting, as hashes under the user's own key.

    `words` are the stems of the statement, `telling` the distinctive ones among them: a single one reveals it. `seq`
    is the number of the journal entry; threads that were erased up to a higher number need no further erasing.
    """

    stored_as = "erasure"
    id: str
    seq: int = Field(ge=0)
    at: datetime
    words: tuple[str, ...]
    telling: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    """Fingerprints of the forgotten texts and of the user's words they rest on."""

    @model_validator(mode="before")
    @classmethod
    def _upgrade(cls, stored: dict[str, Any]) -> dict[str, Any]:
        """Read a record that an earlier version stored with a `key`."""
        return {name: value for name, value in stored.items() if name != "key"}


class Eraser:
    """Finds forgotten statements in texts and removes them, by `whole` sentences or by clauses.

    `erasures` were hashed under the user's `key`. Texts without a forgotten statement are returned unchanged.
    """

    def __init__(self, erasures: Sequence[Erasure], key: bytes, *, whole: bool = False) -> None:
        self._statements = [(frozenset(one.words), frozenset(one.telling)) for one in erasures]
        self.erasures = tuple(erasures)
        self._key, self._whole = key, whole
        self._hashed = cache(partial(hash_word, key=key))

    def __bool__(self) -> bool:
        return bool(self.erasures)

    @property
    def latest(self) -> int:
        """Return the number of the latest erasure; 0 if there is none."""
        return max((one.seq for one in self.erasures), default=0)

    def tells(self, text: str) -> bool:
        """Return whether `text` reveals a forgotten statement: it has two thirds of its words, or a distinctive one.

        A label of a word or two reveals a statement if all its words are in the statement.
        """
        hashes = self._hashes(text)
        if hashes and len(text.split()) <= _FRAGMENT and any(hashes <= words for words, _ in self._statements):
            return True
        return any(_reveals(hashes, words, telling) for words, telling in self._statements)

    def restates(self, text: str) -> bool:
        """Like `tells`, but a distinctive word is not enough: `text` must have two thirds of a statement's words."""
        hashes = self._hashes(text)
        return any(_reveals(hashes, words, frozenset()) for words, _ in self._statements)

    def repeats(self, *texts: str) -> list[Erasure]:
        """Return the erasures whose statement is one of `texts`, in the same words in any order."""
        digests = {fingerprint(text, self._key) for text in texts if text.strip()} if self.erasures else set()
        hashed = [self._hashes(text) for text in texts]
        return [
            one for one in self.erasures if digests & set(one.digests) or (one.words and frozenset(one.words) in hashed)
        ]

    def erased(self, text: str) -> str:
        """Return `text` with `[forgotten]` in place of each sentence or clause that reveals a forgotten statement."""
        if not self.erasures or not self.tells(text):
            return text
        if text.startswith(("{", "[")):
            with suppress(ValueError):
                return json.dumps(self.erased_value(json.loads(text)), ensure_ascii=False)
        for sentence in sentences(text):
            if self.tells(sentence):
                text = text.replace(sentence, ERASED if self._whole else self._without_clauses(sentence))
        # Several sentences can reveal a statement together though none of them does alone.
        return ERASED if self.tells(text.replace(ERASED, " ")) else text

    def erased_value(self, value: Any) -> Any:
        """Return a JSON value with each string in it passed through `erased`; keys stay."""
        return as_data(value, self.erased, keys=str)

    def _without_clauses(self, sentence: str) -> str:
        for clause in filter(None, _CLAUSES.split(sentence)):
            if self.tells(clause):
                sentence = sentence.replace(clause, ERASED)
        return ERASED if self.tells(sentence.replace(ERASED, " ")) else sentence

    def _hashes(self, text: str) -> frozenset[str]:
        return frozenset(map(self._hashed, _words(text))) if self.erasures else frozenset()


def make_erasure(
    notes: Sequence[Note], *, name: str, key: bytes, seq: int, at: datetime, kept: Iterable[str], words: str = ""
) -> Erasure:
    """Return the erasure of `notes`, all versions of one statement, or without notes of the statement `words`.

    `seq` is the number of the journal entry. Words of `kept` (texts that stay) and travel terms are not distinctive.
    """
    stated = _words(f"{notes[0].text} {notes[0].condition}") if notes else _words(words)
    common = set(travel_terms()).union(*map(_words, kept))
    telling = {word for note in notes for word in _words(note.text)} - common if notes else stated - common
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
    """Return the keyed hash of one stem: 16 hexadecimal digits."""
    return hmac.new(key, b"word\x1f" + word.encode(), hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def _words(text: str) -> frozenset[str]:
    return frozenset({*map(stem, content_words(text)), *japanese_terms(normalise(text))})


def _reveals(hashes: frozenset[str], words: frozenset[str], telling: frozenset[str]) -> bool:
    return bool(hashes & telling) or (bool(words) and 3 * len(hashes & words) >= 2 * len(words))
