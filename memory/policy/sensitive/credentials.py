"""Detects passwords, one-time codes, API keys and booking references."""

from __future__ import annotations

import math
import re
from collections import Counter

from memory.policy.sensitive.ordinary_numbers import mask
from memory.policy.sensitive.patterns import Patterns
from memory.policy.sensitive.word_passwords import has_word_password
from text.deobfuscate import decode

_PATTERNS = Patterns("credentials")
_LOCKS = Patterns("lock_codes")


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
    is_hex = len(token) >= 32 and re.fullmatch(r"[0-9a-fA-F]+", token) is not None
    counts = Counter(token)
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
