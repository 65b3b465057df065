"""A digest of what weights are trained from. Their model card keeps it: another one calls for training anew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from text.encoder import encoder_version

SAMPLE = 8
"""Of so many rows, one is read by the rules for the digest, which a test takes; all rows would take half a minute."""


def inputs_digest(recipe: object, rows: Iterable[object], read: Iterable[object]) -> str:
    """Return a hash over how weights are trained, the rows with their labels, and what the rules read of some of them.

    All have to print alike in every process, so a set is given sorted. The version of the encoder counts too.
    """
    digest = hashlib.sha256(repr((recipe, encoder_version())).encode())
    for each in (*rows, "read", *read):
        digest.update(repr(each).encode() + b"\n")
    return digest.hexdigest()
