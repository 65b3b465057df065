"""A deterministic embedder for tests, which counts the letters of a text."""

from __future__ import annotations

import math
from collections.abc import Sequence

DIMS = 26


def letters(texts: Sequence[str]) -> list[list[float]]:
    """Return one vector of 26 letter counts per text, not normalised."""
    return [[float(text.lower().count(chr(97 + place))) for place in range(DIMS)] for text in texts]


def cosine(one: str, other: str) -> float:
    """Return the cosine similarity of two texts under `letters`, computed without numpy."""
    a, b = letters([one, other])
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / (math.hypot(*a) * math.hypot(*b))
