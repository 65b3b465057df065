"""Computes a digest of the inputs of a training. The model card holds it; if it changes, the weights are outdated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from text.encoder import encoder_version

SAMPLE = 8
"""The step through the rows that the rules read for the digest; a test computes it, and all rows take half a minute."""


def inputs_digest(recipe: object, rows: Iterable[object], read: Iterable[object]) -> str:
    """Return a hash of the recipe, the labelled rows, the rules' reading of a sample, and the encoder's version.

    The `repr` of each object must be the same in every process, so sets must be sorted first.
    """
    digest = hashlib.sha256(repr((recipe, encoder_version())).encode())
    for each in (*rows, "read", *read):
        digest.update(repr(each).encode() + b"\n")
    return digest.hexdigest()
