"""How well and how fast recall finds things: each list alone and all together, on sets written for this.

    python -m benchmarks.recall [--part held|tune]

Prints recall of the evidence at 1, 5 and 10 and the mean reciprocal rank; then milliseconds per query over 1,000 and
6,000 turns, what building and adding cost, and the memory that the index holds.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from memory.recall import Document
from memory.recall.corpus import Embed, Tuning
from memory.recall.index import RecallIndex
from stores.embeddings import LocalEmbedder

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


TARGETS = {1_000: 10.0, 6_000: 30.0}
"""Milliseconds per query, p50, over so many turns."""

_NOW = datetime(2026, 6, 1, tzinfo=UTC)
_PLAIN = Tuning(before=(), after=(), content=0, asked=1, speaker=0, date=0, statement=0, name=1, related_most=0)


def ways(embed: Embed) -> dict[str, tuple[Embed | None, Tuning]]:
    """The searches that are compared, from the single lists to the whole."""
    nearby = replace(_PLAIN, before=Tuning().before, after=Tuning().after)
    related = replace(nearby, related_most=Tuning().related_most, content=Tuning().content, asked=Tuning().asked)
    spoken = replace(related, speaker=Tuning().speaker, date=Tuning().date, name=Tuning().name)
    return {
        "meaning alone": (embed, replace(_PLAIN, words=0)),
        "words alone (BM25)": (None, _PLAIN),
        "both, fused": (embed, _PLAIN),
        "+ neighbours": (embed, nearby),
        "+ related words": (embed, related),
        "+ speaker and date": (embed, spoken),
        "+ statements (all)": (embed, Tuning()),
        "all, without embedder": (None, Tuning()),
    }


def quality(asked: Set, embed: Embed | None, tuning: Tuning) -> dict[str, float]:
    """Recall of evidence at 1, 5 and 10, and the mean reciprocal rank of each answer within the first 30."""
    index = RecallIndex(asked.documents, embed=embed, tuning=tuning)
    at: dict[int, list[float]] = {1: [], 5: [], 10: []}
    ranks: list[float] = []
    for question in asked.questions:
        found = [hit.document.id for hit in index.search(question.text, limit=30, now=_NOW)]
        for most, shares in at.items():
            shares.append(len(question.answers & set(found[:most])) / len(question.answers))
        ranks += [1 / (found.index(answer) + 1) if answer in found else 0.0 for answer in question.answers]
    measured = {f"recall@{most}": statistics.fmean(shares) for most, shares in at.items()}
    return {name: round(value, 3) for name, value in {**measured, "mrr": statistics.fmean(ranks)}.items()}


def speed(count: int, embed: Embed) -> dict[str, float]:
    """Milliseconds per query (p50, p95) over `count` turns, seconds to build, milliseconds to add a turn and search."""
    turns, queries = many(count)
    begun = time.perf_counter()
    index = RecallIndex(turns, embed=embed)
    index.search(queries[0], limit=6, now=_NOW)
    built = time.perf_counter() - begun
    taken = sorted(_milliseconds(index, query) for query in queries * 2)
    adding = []
    for number in range(5):
        begun = time.perf_counter()
        new = Document(f"new/{number}", "turn", "We saw penguins at the zoo.", thread_id="new", position=number)
        index.hold([*index.documents, new])
        index.search("penguins", limit=6)
        adding.append(1000 * (time.perf_counter() - begun))
    return {
        "turns": count,
        "p50_ms": round(statistics.median(taken), 2),
        "p95_ms": round(taken[int(0.95 * len(taken))], 2),
        "target_ms": TARGETS[count],
        "build_s": round(built, 2),
        "add_and_search_ms": round(statistics.median(adding), 1),
        "memory_mb": round(_megabytes(turns, embed), 1),
    }


def _milliseconds(index: RecallIndex, query: str) -> float:
    begun = time.perf_counter()
    index.search(query, limit=6, now=_NOW)
    return 1000 * (time.perf_counter() - begun)


def _megabytes(turns: Sequence[Document], embed: Embed) -> float:
    tracemalloc.start()
    index = RecallIndex(turns, embed=embed)
    index.search("penguins", limit=6)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del index
    return held / 1e6


def measure(part: Part) -> dict[str, Any]:
    """Quality of every way on every set, and speed."""
    embed = LocalEmbedder().embed
    embed(["warm"])
    sets = [talks(part), *notes(part)]
    found = {asked.name: {name: quality(asked, *way) for name, way in ways(embed).items()} for asked in sets}
    sizes = {asked.name: {"documents": len(asked.documents), "questions": len(asked.questions)} for asked in sets}
    return {"part": part, "sets": sizes, "quality": found, "speed": [speed(count, embed) for count in TARGETS]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("held", "tune"), default="held")
    print(json.dumps(measure(parser.parse_args().part), indent=1))


if __name__ == "__main__":
    main()
