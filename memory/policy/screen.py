"""Screens every text wherever memory is written, shown or imported."""

from __future__ import annotations

from memory.policy.injection.detect import is_instruction
from memory.policy.sensitive.detect import sensitive_kind
from text import Text


def screen(text: str) -> str | None:
    """Return why `text` may not be remembered or shown: `sensitive:<kind>`, `instruction`, or None when it may."""
    whole = Text(text)
    kind = sensitive_kind(whole)
    if kind:
        return f"sensitive:{kind}"
    return "instruction" if is_instruction(whole) else None
