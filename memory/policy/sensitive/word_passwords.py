"""Detects passwords that are plain words: "to open my account use bananabread", "the pass is tulipfield".

Nothing in such a value gives it away, so the grammar around it has to: a purpose that needs a secret and a word that is
given for it, or a label and a word that nobody says of a label.
"""

from __future__ import annotations

import re

from memory.policy.injection.score import is_known_word
from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("word_passwords")
_FUNCTION_WORDS = frozenset({
    "is", "the", "to", "a", "and", "are", "i", "my", "for", "or", "you", "it", "me", "us", "them", "we", "in", "on",
})  # fmt: skip


def has_word_password(text: str) -> bool:
    """Return whether `text` gives away a secret that is a word or a few words."""
    lowered = text.lower()
    if not _PATTERNS.triggered("triggers", lowered):
        return False
    given = (match["value"] for name in ("words", "secret_word") for match in _PATTERNS.finditer(name, lowered))
    weak = (match["value"] for match in _PATTERNS.finditer("weak_labels", lowered))
    pairs = ((match["user"], match["value"]) for match in _PATTERNS.finditer("pair", lowered))
    phrases = (match.group(1) for match in _PATTERNS.finditer("phrase", lowered))
    return (
        any(map(_is_uncommon, given))
        or any(map(_is_odd, weak))
        or any(_PATTERNS.search(name, lowered) for name in ("slashed", "quoted"))
        or any(_is_uncommon(value) and (not is_known_word(user) or _is_uncommon(user)) for user, value in pairs)
        or any(_FUNCTION_WORDS.isdisjoint(re.findall(r"[a-z]+", phrase)) for phrase in phrases)
        or (not text.isascii() and _PATTERNS.search("ja_words", text) is not None)
    )


def _is_uncommon(value: str) -> bool:
    """Return whether `value` is a word that travel talk does not use."""
    value = value.rstrip(".,!;:")
    plain = re.sub(r"[^a-z\-]", "", value)
    return not _is_common(plain) and not (plain == value and (is_known_word(plain) or _has_known_part(plain)))


def _is_odd(value: str) -> bool:
    """Return whether `value` is not said of a pass or a network: uncommon, and not in the shape of an adjective."""
    return _is_uncommon(value) and len(value) >= 5 and not _PATTERNS.search("adjective", value)


def _has_known_part(word: str) -> bool:
    """Return whether words joined by a hyphen ("cash-only", "full-time") hold a known one."""
    parts = (part for part in word.split("-") if len(part) > 1)
    return 1 <= word.count("-") <= 1 and any(is_known_word(part) or _is_common(part) for part in parts)


def _is_common(word: str) -> bool:
    return word in _PATTERNS.words("common")
