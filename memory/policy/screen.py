"""The check that every text passes wherever memory is written, shown or imported (S4.5)."""

from __future__ import annotations

from memory.policy.injection.detect import is_instruction
from memory.policy.sensitive.detect import sensitive_kind


def screen(text: str) -> str | None:
    """Say why `text` may not be remembered or shown: `sensitive:<kind>`, `instruction`, or None when it may."""
    kind = sensitive_kind(text)
    if kind:
        return f"sensitive:{kind}"
    return "instruction" if is_instruction(text) else None
