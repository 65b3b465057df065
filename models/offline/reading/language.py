"""What a language brings to the reading: how it cuts a message, which values its words hold, how its acts show.

A language's folder holds `reader.py` with a `READER`. `read` calls, for each message, `pieces` once, then `draft` for
each piece with the dates and the asked slot as they stand after those before it, and lets the learned model of acts
judge `signs`, where the language has weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.offline.reading.understanding import Clause, ReadingContext


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause as it was cut: the traveller's own words.

    `asked` says that they ask, by a mark or by their form, `formed` that they do so by their form alone. `joined` says
    that the clause goes on with the act of the one before it ("book the first hotel and the cheapest flight"),
    `otherwise` is as in `Clause`.
    """

    text: str
    asked: bool = False
    formed: bool = False
    joined: bool = False
    otherwise: bool = False


@dataclass(frozen=True)
class Language:
    """One language, by pure functions.

    Attributes:
        pieces: Returns the clauses of a message. One without code, quotes, pasted text and stories left out is `chat`.
        draft: Returns a clause with its values, its topic, what was not read, and the act by plain rules.
        signs: Returns what tells the act: words and pairs of words, and what the rules found, each beginning with `*`.
        weights: Where the learned weights of the acts lie; None lets the act of the draft stand.
    """

    pieces: Callable[[str], Sequence[Piece]]
    draft: Callable[[Piece, ReadingContext], Clause]
    signs: Callable[[Piece, Clause], frozenset[str]] = lambda _piece, _draft: frozenset()
    weights: Path | None = None
