"""The form of a clause in which it is matched, what a language brings to the reading, and the learned model of acts.

A linear model over the signs of a clause is heard where the plain rules are unsure. Its weights lie beside a language's
words, with a model card; `python -m evals.training.acts` rebuilds the English ones.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, ReadingContext, Topic
from models.offline.tables import Words

BLANK = "■"
"""What stands for a letter that has been read."""
_KATAKANA = re.compile(r"[ァ-ヴー]")


@dataclass(slots=True)
class Form:
    """A clause as it is matched: `whole`, and `left`, in which what has been read is blanked out.

    So no later reader takes it again. `core` is what its act is told by: `whole` without what leads into it. `taken`
    are the stretches read, with what they were, `unread` what was understood and can't be taken; `spans` say where each
    stretch of `whole` stands in `said`, and are empty where the two are as long as each other.
    """

    said: str
    whole: str
    core: str
    words: Words
    spans: Sequence[tuple[int, int, int, int]] = ()
    left: str = ""
    taken: list[tuple[int, int, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with all of it left."""
        self.left = self.whole

    def patterns(self, name: str, group: str) -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a group of the language of the clause."""
        return self.words.patterns(name, group)

    def says(self, key: str, group: str = "forms") -> bool:
        """Return whether the clause is of the kind `key` of a group of the table of acts."""
        return bool(self.patterns("acts", group)[key].search(self.core))

    def take(self, pattern: re.Pattern[str], what: str) -> Iterator[re.Match[str]]:
        """Yield the matches in what is left, and blank each out as `what`; none that begins within a katakana word."""
        for match in list(pattern.finditer(self.left)):
            if BLANK not in match[0] and not self._within_word(match.start()):
                self.blank(match.start(), match.end(), what)
                yield match

    def first(self, pattern: re.Pattern[str], what: str) -> re.Match[str] | None:
        """Return the first match in what is left, blanked out, or None."""
        found = pattern.search(self.left)
        if found:
            self.blank(found.start(), found.end(), what)
        return found

    def blank(self, start: int, end: int, what: str) -> None:
        """Blank out a stretch as read."""
        self.left = self.left[:start] + re.sub(r"\S", BLANK, self.left[start:end]) + self.left[end:]
        self.taken.append((start, end, what))

    def give_back(self, start: int, end: int) -> None:
        """Leave a stretch of what was read to the readers that come after."""
        self.left = self.left[:start] + self.whole[start:end] + self.left[end:]

    def own(self, start: int, end: int) -> str:
        """Return the traveller's own words for a stretch."""
        inside = [span for span in self.spans if span[0] < end and span[1] > start]
        return self.said[inside[0][2] : inside[-1][3]] if inside else self.whole[start:end]

    def _within_word(self, at: int) -> bool:
        """Return whether a word in katakana goes on at `at` (「プール」 in 「クアラルンプール」)."""
        return at > 0 and bool(_KATAKANA.match(self.left, at)) and bool(_KATAKANA.match(self.left, at - 1))


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
    or a statement where days, hours, places or people are said.
    """
    if act == draft.act:
        return True
    said = draft.wishes
    if draft.places or draft.dates or draft.party or said.budget or said.is_timed or said.without:
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
