"""Log-odds that a text is of a class, by a net of one hidden layer over its vector, which stands for its meaning.

`evals.training.net` trains such nets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from text.encoder import encode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]


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
