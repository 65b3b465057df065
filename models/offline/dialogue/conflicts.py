"""Handles two memories that contradict each other: the question that lists both, and the answer that picks one."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from models.offline.dialogue.transcript import Memory, Turn
from models.offline.notes import content_words, polarity
from models.offline.notes.claims import names_condition
from models.offline.reading import read
from models.offline.reading.understanding import ReadingContext
from models.offline.tables import DIALOGUE
from models.offline.wording.sentences import SPOKEN, Sentences, sentences
from text.words import is_japanese

_OPTION = re.compile(r"^\d\. (.+)$", re.MULTILINE)
_LONGEST_PICK = 60
"""Most characters of an answer that only picks an option; a longer message is read as a new statement."""
Undecided = Literal["both", "neither", ""]


def noted(words: Sentences, text: str, condition: str | None) -> str:
    """Return a note as it is shown, with its condition unless the text already states it."""
    stated = condition and names_condition(text, condition)
    return words.say("noted", text=text, condition=None if stated else condition)


def options_asked(turn: Turn) -> list[str]:
    """Return the options that the turn's reply lists in a question about two memories; empty if it asks none."""
    heads = [sentences(code).say(key, lines="").strip() for code in SPOKEN for key in ("conflict", "conflict_depends")]
    asked = next((turn.reply.split(head, 1)[1] for head in heads if head in turn.reply), "")
    return _OPTION.findall(asked)


def picked(turn: Turn, said: str) -> str | None:
    """Return the option of the question in `turn` that `said`, the next message, picks, or None."""
    options = options_asked(turn)
    if not options or len(said) > _LONGEST_PICK or undecided(said) or picked_cases(turn, said):
        return None
    at = place_of(said, options)
    if at is None and polarity(said):
        same_side = [index for index, text in enumerate(options) if polarity(text) == polarity(said)]
        at = same_side[0] if len(same_side) == 1 else None
    return options[at] if at is not None else None


def place_of(said: str, options: Sequence[str]) -> int | None:
    """Return the index of the option that `said` names by its words or its number; None for none or several."""
    words = content_words(said)
    shared = [len(words & content_words(option)) for option in options]
    best = [at for at, count in enumerate(shared) if count and count == max(shared)]
    if len(best) == 1:
        return best[0]
    if re.search(_patterns(said)["counted"], said.lower()):
        return None
    clauses = read(said, ReadingContext(date(2000, 1, 1), "which", offers_shown=True)).clauses
    orders = ("book", "hold", "cancel", "change")  # "book 1" is about an offer
    picks = (clause for clause in clauses if clause.act not in orders)
    ordinal = next((clause.choice.ordinal for clause in picks if clause.choice), None)
    return ordinal if ordinal is not None and ordinal < len(options) else None


def picked_cases(turn: Turn, said: str) -> list[tuple[str, str]]:
    """Return each option with its condition if the next message accepts several; fewer than two count as none."""
    options = options_asked(turn)
    patterns = _patterns(said)
    pieces = re.split(patterns["split"], said.lower()) if options else []
    cases = []
    for piece in pieces:
        matches = (re.match(pattern, piece.strip(" -!?")) for pattern in patterns["cases"])
        picks = ((place_of(match["taken"], options), match["when"]) for match in matches if match)
        cases += [(options[at], when) for at, when in picks if at is not None][:1]
    return cases if len({option for option, _ in cases}) > 1 else []


def undecided(said: str) -> Undecided:
    """Return `both` for "it depends" and the like, `neither` for "I don't care"."""
    patterns, text = _patterns(said), said.lower().replace("’", "'")
    return "both" if re.search(patterns["both"], text) else "neither" if re.search(patterns["neither"], text) else ""


def left_open(turn: Turn, said: str) -> Undecided:
    """Return how `said` declines to decide the question in `turn`; empty if it decides it, or if none was asked."""
    return undecided(said) if options_asked(turn) and not picked_cases(turn, said) else ""


def is_option(text: str, memory: Memory) -> bool:
    """Return whether `text` is `memory` as a question shows it, in any language."""
    return any(text == noted(sentences(code), memory.text, memory.condition) for code in SPOKEN)


def was_asked(pair: Sequence[Memory], turns: Sequence[Turn]) -> bool:
    """Return whether an earlier reply asked which memory of `pair` is true."""
    asked = [options_asked(turn) for turn in turns]
    return any(options and all(any(is_option(o, memory) for o in options) for memory in pair) for options in asked)


def _patterns(said: str) -> dict[str, Any]:
    patterns: dict[str, Any] = DIALOGUE.table("choices")["ja" if is_japanese(said) else "en"]
    return patterns
