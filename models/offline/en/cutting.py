"""Cuts a message into clauses: at the ends of sentences, and where another act begins. Never inside a value."""

import re
from collections.abc import Sequence
from functools import cache

from models.offline.en.form import WORDS
from models.offline.reading.form import Piece


@cache
def _known() -> dict[str, re.Pattern[str]]:
    words = WORDS.table("cutting")
    return {
        key: re.compile(words[key].replace("{act}", words["act"]), re.IGNORECASE | re.VERBOSE)
        for key in words
        if key != "act"
    }


def cut(said: str) -> Sequence[Piece]:
    """Return the clauses of a message in their order, each with whether it asks."""
    pieces: list[Piece] = []
    at = 0
    for match in [*_known()["sentence"].finditer(said), None]:
        sentence = said[at : match.start() if match else len(said)]
        pieces += _clauses(sentence, bool(match and "?" in match[0]))
        at = match.end() if match else at
    return pieces


def _clauses(sentence: str, mark: bool) -> list[Piece]:
    known, found, at, link = _known(), list[Piece](), 0, ""
    if answer := _answer(sentence, mark):
        found, sentence = answer
    for match in [*known["within"].finditer(sentence), None]:
        text = sentence[at : match.start() if match else len(sentence)].strip(" ,;:-")
        if match and len(text.split()) < 2 and (known["courtesy"].fullmatch(text) or len(text) < 3):
            continue
        if match and known["waits"].match(text):
            continue
        if text.strip(" .,;:-()!\"'"):
            formed = bool(known["question"].match(text) or known["how"].search(text))
            last = match is None
            found.append(Piece(text, formed or (mark and last), formed, "joined" in link, "otherwise" in link))
        link = next((key for key, value in match.groupdict().items() if value), "") if match else ""
        at = match.end() if match else at
    return found


def _answer(sentence: str, mark: bool) -> tuple[list[Piece], str] | None:
    """Return a yes or no that a sentence begins with, and the rest of it; None where it is no answer.

    Before a question or a condition a yes is none ("yeah, how much is it?", "yes but with a bag").
    """
    known = _known()
    match = known["answer"].match(sentence)
    if not match or known["no_answer"].match(sentence[match.start("word") :]):
        return None
    rest = sentence[match.end() :]
    if known["echo"].fullmatch(rest):
        return ([Piece(sentence.strip())], "") if not mark else None
    asks = (
        mark or known["question"].match(rest) or known["how"].search(rest) or known["if_only"].match(rest)
    ) and not match["word"].lower().startswith("n")
    return ([] if asks else [Piece(sentence[: match.end()].strip(" ,;:-"))]), rest
