"""Tells what a clause looks for by its meaning, where no word says it: "a riad in the medina", "skydiving near Taupo".

The weights lie in `words/kinds.npz`, their model card is `words/kinds.md`; `python -m evals.training.kinds` rebuilds
them.
"""

from functools import lru_cache
from typing import get_args

from models.offline.reading.understanding import Kind
from models.offline.tables import READING
from text.encoder import encode
from text.net import net_outputs

NET = READING.folder / "kinds.npz"
KINDS: tuple[Kind, ...] = get_args(Kind)
LIKELY = 0.5
"""The least log-odds of a kind that is looked for."""


@lru_cache(maxsize=4096)
def likely_kinds(text: str) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause looks for; none for one that only adds a detail.

    A flight is none of them: where a journey is told and nothing else is looked for, it is looked for anyway.
    """
    odds = net_outputs(NET, encode([text]))[0].tolist()
    return tuple(kind for kind, each in zip(KINDS, odds, strict=True) if each > LIKELY and kind != "flight")
