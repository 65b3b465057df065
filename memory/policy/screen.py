"""Screens every text wherever memory is written, shown or imported."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

from memory.policy.injection.detect import is_instruction
from memory.policy.sensitive.detect import sensitive_kind
from text import Text

_FOLDERS = tuple(Path(__file__).parents[at] / name for at, name in ((1, "policy"), (2, "text")))
"""What a verdict depends on: rules, tables, weights, and how text is read."""

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


def verdict_key(text: str) -> str:
    """Return what names `text` together with the version of the screen, under which a verdict may be kept."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=version(), digest_size=16).hexdigest()


@cache
def version() -> bytes:
    """Return a digest of all that a verdict depends on; another version of it judges every text anew."""
    found = blake2b(digest_size=16)
    for path in sorted(path for folder in _FOLDERS for path in folder.rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.digest()


def _verdict(text: str) -> str | None:
    whole = Text(text)
    kind = sensitive_kind(whole)
    if kind:
        return f"sensitive:{kind}"
    return "instruction" if is_instruction(whole) else None
