"""The sets that recall is tuned and measured on, all written for this purpose.

`data/talks/*.txt` are conversations of two people: `== date time` begins a session, then follows a line per turn,
`Speaker: text` or, for a turn that questions ask for, `Speaker #tag: text`. `data/notes.txt` holds travel memories:
`id | date | text`. `data/questions/` asks: `kind | question | tags` of a conversation, `question | id` of the notes.
Weights were chosen on the `tune` files; the `held` ones are for measuring.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from memory.recall import Document

Part = Literal["tune", "held"]
DATA = Path(__file__).parent / "data"
_TURN = re.compile(r"(\w+)(?: #(\w+))?: (.+)")


@dataclass(frozen=True)
class Question:
    """A question and the ids of the documents that answer it."""

    text: str
    answers: frozenset[str]


@dataclass(frozen=True)
class Set:
    """Documents that are searched together, and questions to them."""

    name: str
    documents: Sequence[Document]
    questions: Sequence[Question]


def talks(part: Part) -> Set:
    """All conversations in one index."""
    documents: list[Document] = []
    questions: list[Question] = []
    for path in sorted((DATA / "talks").glob("*.txt")):
        turns, tags = _talk(path)
        documents += turns
        for line in _lines(DATA / "questions" / f"{path.stem}.{part}.txt"):
            _, text, wanted = line.split(" | ")
            questions.append(Question(text, frozenset(tags[tag] for tag in wanted.split())))
    return Set("talks", documents, questions)


def notes(part: Part) -> list[Set]:
    """The travel memories, once with the English questions and once with the Japanese ones."""
    documents = []
    for line in _lines(DATA / "notes.txt"):
        known, day, text = line.split(" | ")
        documents.append(Document(known, "note", text, at=datetime.fromisoformat(day).replace(tzinfo=UTC)))
    asked = [line.split(" | ") for line in _lines(DATA / "questions" / f"notes.{part}.txt")]
    questions = [Question(text, frozenset([known])) for text, known in asked]
    return [
        Set("notes, English", documents, [question for question in questions if question.text.isascii()]),
        Set("notes, Japanese", documents, [question for question in questions if not question.text.isascii()]),
    ]


def many(count: int) -> tuple[list[Document], list[str]]:
    """`count` turns, made of the conversations over and over in new threads, and questions to them."""
    known = talks("tune")
    rounds = range(1 + count // len(known.documents))
    turns = [
        Document(
            f"{number}/{turn.id}",
            turn.kind,
            turn.text,
            turn.speaker,
            turn.at,
            f"{number}/{turn.thread_id}",
            turn.position,
        )
        for number in rounds
        for turn in known.documents
    ]
    return turns[:count], [question.text for question in known.questions]


def _talk(path: Path) -> tuple[list[Document], dict[str, str]]:
    turns: list[Document] = []
    tags: dict[str, str] = {}
    at, session, position = datetime.min, 0, 0
    for line in _lines(path):
        if line.startswith("== "):
            at, session, position = datetime.fromisoformat(line[3:]).replace(tzinfo=UTC), session + 1, 0
            continue
        match = _TURN.fullmatch(line)
        if not match:
            raise ValueError(f"{path.name}: not a turn: {line!r}")
        speaker, tag, text = match.groups()
        position += 1
        turn = Document(
            f"{path.stem}/{session}/{position:02}", "turn", text, speaker, at, f"{path.stem}/{session}", position
        )
        turns.append(turn)
        if tag:
            if tag in tags:
                raise ValueError(f"{path.name}: the tag {tag!r} stands twice")
            tags[tag] = turn.id
    return turns, tags


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
