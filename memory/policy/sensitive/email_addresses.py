"""Detects e-mail addresses: written, spoken ("ken at example dot com") or with the at sign disguised."""

from __future__ import annotations

import re

from memory.policy.sensitive.patterns import Patterns

_PATTERNS = Patterns("email_addresses")
_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")


def has_email_address(text: str) -> bool:
    """Return whether `text` holds an e-mail address, or the name of a mailbox at a known provider."""
    lowered = re.sub(r" ?\u00b7 ?", "", text.lower()).translate(_BRACKETS)
    if _PATTERNS.search("at_sign", lowered) and _PATTERNS.search("email", lowered):
        return True
    if any(_PATTERNS.search(shape, lowered) for shape in ("starred_email", "odd_email", "handle", "on_a_site")):
        return True
    if " at " not in lowered:
        return False
    about_mail = _PATTERNS.search("mail_words", lowered) is not None
    return any(about_mail or _is_mailbox(match) for match in _PATTERNS.finditer("said_email", lowered))


def _is_mailbox(said: re.Match[str]) -> bool:
    local = said["local"].split()
    return len(local) > 1 or local[-1] not in _PATTERNS.words("visits")
