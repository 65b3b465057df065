"""Screens every text wherever memory is written, shown or imported."""

from __future__ import annotations

from hashlib import blake2b

from memory.policy.injection.detect import is_instruction
from memory.policy.sensitive.detect import sensitive_kind
from text import Text

_MOST_KNOWN = 20_000
_known: dict[bytes, str | None] = {}
"""Verdicts by the digest of their text: what was forgotten is not kept in here."""


def screen(text: str) -> str | None:
    """Return why `text` may not be remembered or shown: `sensitive:<kind>`, `instruction`, or None when it may."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[digest] = _verdict(text)
    return _known[digest]


def _verdict(text: str) -> str | None:
    whole = Text(text)
    kind = sensitive_kind(whole)
    if kind:
        return f"sensitive:{kind}"
    return "instruction" if is_instruction(whole) else None
