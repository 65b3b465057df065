"""Detects passwords, one-time codes, API keys and booking references."""

import math
import re
from collections import Counter

from memory.policy.injection.score import is_known_word
from memory.policy.sensitive.numbers import mask
from memory.policy.sensitive.patterns import Patterns
from text.normalise import decode

_PATTERNS = Patterns("credentials")
_LOCKS = Patterns("lock_codes")
_WORDS = Patterns("word_passwords")
_FUNCTION_WORDS = frozenset({
    "is", "the", "to", "a", "and", "are", "i", "my", "for", "or", "you", "it", "me", "us", "them", "we", "in", "on",
})  # fmt: skip


def has_word_password(text: str) -> bool:
    """Return whether `text` gives away a secret that is a word or a few words: "the pass is tulipfield".

    Nothing in such a value gives it away, so the grammar around it has to: a purpose that needs a secret and a word
    that is given for it, or a label and a word that nobody says of a label.
    """
    lowered = text.lower()
    if not _WORDS.triggered("triggers", lowered):
        return False
    given = (match["value"] for name in ("words", "secret_word") for match in _WORDS.finditer(name, lowered))
    weak = (match["value"] for match in _WORDS.finditer("weak_labels", lowered))
    pairs = ((match["user"], match["value"]) for match in _WORDS.finditer("pair", lowered))
    phrases = (match.group(1) for match in _WORDS.finditer("phrase", lowered))
    return (
        any(map(_is_uncommon, given))
        or any(map(_is_odd, weak))
        or any(_WORDS.search(name, lowered) for name in ("slashed", "quoted"))
        or any(_is_uncommon(value) and (not is_known_word(user) or _is_uncommon(user)) for user, value in pairs)
        or any(_FUNCTION_WORDS.isdisjoint(re.findall(r"[a-z]+", phrase)) for phrase in phrases)
        or (not text.isascii() and _WORDS.search("ja_words", text) is not None)
    )


def _is_uncommon(value: str) -> bool:
    """Return whether `value` is a word that travel talk does not use."""
    value = value.rstrip(".,!;:")
    plain = re.sub(r"[^a-z\-]", "", value)
    return not _is_common(plain) and not (plain == value and (is_known_word(plain) or _has_known_part(plain)))


def _is_odd(value: str) -> bool:
    """Return whether `value` is not said of a pass or a network: uncommon, and not in the shape of an adjective."""
    return _is_uncommon(value) and len(value) >= 5 and not _WORDS.search("adjective", value)


def _has_known_part(word: str) -> bool:
    """Return whether words joined by a hyphen ("cash-only", "full-time") hold a known one."""
    parts = (part for part in word.split("-") if len(part) > 1)
    return 1 <= word.count("-") <= 1 and any(is_known_word(part) or _is_common(part) for part in parts)


def _is_common(word: str) -> bool:
    return word in _WORDS.words("common")


def credential_kind(text: str) -> str | None:
    """Return `api_key`, `one_time_code`, `booking_reference` or `password` when `text` holds one, else None."""
    lowered = text.lower()
    if _has_key(text, lowered):
        return "api_key"
    if re.search(r"\d", text) and _PATTERNS.search("code", lowered):
        return "one_time_code"
    if _PATTERNS.triggered("password_triggers", lowered) and _PATTERNS.search("password", lowered):
        return "password"
    if ("code" in lowered or "コード" in text) and _PATTERNS.search("bare_code", lowered):
        return "one_time_code"
    if _has_reference(text, lowered):
        return "booking_reference"
    return "password" if _has_lock_code(lowered) or has_word_password(text) else None


def _has_key(text: str, lowered: str) -> bool:
    if len(text) < 12 or not re.search(r"[\w\-]{8}", text):
        return False
    if _PATTERNS.search("key_shapes", lowered):
        return True
    if _PATTERNS.triggered("key_triggers", lowered) and _PATTERNS.search("labelled_key", lowered):
        return True
    tokens = re.findall(r"(?a:(?<![\w\-/.])[A-Za-z0-9_\-]{20,}(?![\w\-/.]))", text)
    return any(_looks_random(token) and decode(token) == token for token in tokens)


def _looks_random(token: str) -> bool:
    kinds = (any(c.islower() for c in token), any(c.isupper() for c in token), sum(c.isdigit() for c in token) >= 3)
    counts = Counter(token)
    is_hex = len(token) >= 32 and len(counts) > 5 and re.fullmatch(r"[0-9a-fA-F]+", token) is not None
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    mixed = any(kinds[:2]) and len(re.findall(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]", token)) >= len(token) / 4
    return is_hex or (all(kinds) and entropy > 3.5) or (mixed and len(token) >= 20)


def _has_reference(text: str, lowered: str) -> bool:
    if not _PATTERNS.triggered("booking_triggers", lowered):
        return False
    shapes = ("bare_reference", "labelled_reference", "reference_behind", "letters_reference", "numbered")
    if any(_PATTERNS.search(shape, text) for shape in shapes):
        return True
    return _PATTERNS.rule("booked").hits(lowered) and _PATTERNS.search("interleaved", text) is not None


def _has_lock_code(lowered: str) -> bool:
    """Return whether a text tells the number that opens a safe, a suitcase, a gate or a phone.

    Three digits, or four that look like a year, say nothing by themselves; the thing that they open stands close by.
    """
    if not _LOCKS.triggered("triggers", lowered) or not re.search(r"\d", lowered):
        return False
    return _LOCKS.search("opened", _LOCKS.sub("small_things", " ", mask(lowered))) is not None
