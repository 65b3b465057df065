"""The learned model of acts: a linear model over the signs of a clause, heard where the plain rules are unsure.

The weights lie beside a language's words, with a model card; `python -m evals.training.acts` rebuilds the English ones.
"""

from dataclasses import replace
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

from models.offline.reading.form import Language, Piece
from models.offline.reading.understanding import Act, Choice, Clause, Topic

HUNDREDTHS = 100
_OF_QUESTIONS = frozenset({"ask", "inform", "help", "complain", "chat", "greet", "tell"})
_NEVER = frozenset({"confirm", "restart"})
_UNSURE = frozenset({"ask", "inform", "chat", "tell"})
"""Acts that the rules give to what they know no better; the others they know by their words."""
_DEEDS = frozenset({"book", "hold", "cancel", "change", "reject", "drop", "choose"})
_SUBJECTS: dict[Act, Topic] = {"bags": "bags", "seats": "seat"}
"""Acts that only words about their subject make."""
_SURE, _SURER = 0.6, 1.2
"""By how much log-odds another act has to lead before it replaces that of the rules; and one that does something."""


def judged(reader: Language, piece: Piece, draft: Clause) -> Clause:
    """Return the draft with the act that its signs tell, where a language has weights."""
    if reader.weights is None or draft.act not in _UNSURE:
        return draft
    signs = reader.signs(piece, draft)
    scores = {act: score for act, score in scored(reader.weights, signs).items() if _may_be(act, piece, draft, signs)}
    best = max(scores, key=lambda act: scores[act])
    lead = scores[best] - scores.get(draft.act, 0.0)
    return replace(draft, act=best) if lead > (_SURER if best in _DEEDS else _SURE) else draft


def _may_be(act: Act, piece: Piece, draft: Clause, signs: frozenset[str]) -> bool:
    """Return False for an act that words alone don't make.

    That is a yes and a new start, an order in a question that is no polite request, and anything but a wish, a question
    or a statement where days, places or people are said.
    """
    if act == draft.act:
        return True
    if draft.places or draft.dates or draft.party or draft.wishes.budget:
        return act in {"ask", "tell"}
    if draft.topic != _SUBJECTS.get(act, draft.topic):
        return False
    if act in _DEEDS and act != "reject" and ("*object" not in signs or draft.choice == Choice(every=True)):
        return False
    if act == "choose" and (draft.choice is None or draft.choice == Choice(that=True)):
        return False
    return act not in _NEVER and (not piece.asked or act in _OF_QUESTIONS or (act != "reject" and "*polite" in signs))


def scored(path: Path, signs: frozenset[str]) -> dict[Act, float]:
    """Return the log-odds of each act; words weigh one together, whatever else was found one each."""
    acts, known, rows = weights_at(path)
    words = sum(not sign.startswith("*") for sign in signs)
    sums = rows[known[""]].copy()
    for sign in sorted(signs):
        if sign in known:
            sums += rows[known[sign]] * (1.0 if sign.startswith("*") else 1 / sqrt(words))
    return dict(zip(acts, sums.tolist(), strict=True))


@cache
def weights_at(path: Path) -> tuple[tuple[Any, ...], dict[str, int], Any]:
    """Return the acts, the row of each sign, and the weights: shape (signs, acts)."""
    import numpy as np

    with np.load(path) as stored:
        names = stored["signs"].tobytes().decode().split("\n")
        acts = tuple(stored["acts"].tobytes().decode().split("\n"))
        rows = stored["weights"] / HUNDREDTHS
    return acts, {name: at for at, name in enumerate(names)}, rows
