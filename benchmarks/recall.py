"""Measures the quality and speed of recall, for each ranked list alone and for all together, on data written for this.

    python -m benchmarks.recall [--part held|tune]

Prints recall of the evidence at 1, 5 and 10 and the mean reciprocal rank; then milliseconds per query over 1,000 and
6,000 turns, the time to build the index and to add to it, and its memory use.
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
    """Documents that are searched together, and questions about them."""

    name: str
    documents: Sequence[Document]
    questions: Sequence[Question]


def talks(part: Part) -> Set:
    """Return all conversations as one set."""
    documents: list[Document] = []
    questions: list[Question] = []
    for path in sorted((DATA / "talks").glob("*.txt")):
        turns, tags = _talk(path)
        documents += turns
        for line in _lines(DATA / "questions" / f"{path.stem}.{part}.txt"):
            _, text, answers = line.split(" | ")
            questions.append(Question(text, frozenset(tags[tag] for tag in answers.split())))
    return Set("talks", documents, questions)


def notes(part: Part) -> list[Set]:
    """Return the travel notes, once with the English and once with the Japanese questions."""
    documents = []
    for line in _lines(DATA / "notes.txt"):
        note_id, day, text = line.split(" | ")
        documents.append(Document(note_id, "note", text, at=datetime.fromisoformat(day).replace(tzinfo=UTC)))
    rows = [line.split(" | ") for line in _lines(DATA / "questions" / f"notes.{part}.txt")]
    questions = [Question(text, frozenset([note_id])) for text, note_id in rows]
    return [
        Set("notes, English", documents, [question for question in questions if question.text.isascii()]),
        Set("notes, Japanese", documents, [question for question in questions if not question.text.isascii()]),
    ]


def many(count: int) -> tuple[list[Document], list[str]]:
    """Return `count` turns, which are copies of the conversations in new threads, and questions about them."""
    base = talks("tune")
    turns = [
        replace(turn, id=f"{number}/{turn.id}", thread_id=f"{number}/{turn.thread_id}")
        for number in range(1 + count // len(base.documents))
        for turn in base.documents
    ]
    return turns[:count], [question.text for question in base.questions]


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
                raise ValueError(f"{path.name}: the tag {tag!r} occurs twice")
            tags[tag] = turn.id
    return turns, tags


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


TARGETS = {1_000: 10.0, 6_000: 30.0}
"""Targets in milliseconds per query (p50) by the number of turns."""

_NOW = datetime(2026, 6, 1, tzinfo=UTC)
_PLAIN = Tuning(before=(), after=(), content=0, asked=1, speaker=0, date=0, statement=0, name=1, related_most=0)


def variants(embed: Embed) -> dict[str, tuple[Embed | None, Tuning]]:
    """Return the searches to compare, from single lists to the complete recall."""
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


def quality(dataset: Set, embed: Embed | None, tuning: Tuning) -> dict[str, float]:
    """Return recall of the evidence at 1, 5 and 10, and the mean reciprocal rank of the answers in the first 30."""
    index = RecallIndex(dataset.documents, embed=embed, tuning=tuning)
    recalls: dict[int, list[float]] = {1: [], 5: [], 10: []}
    ranks: list[float] = []
    for question in dataset.questions:
        hits = [hit.document.id for hit in index.search(question.text, limit=30, now=_NOW)]
        for k, shares in recalls.items():
            shares.append(len(question.answers & set(hits[:k])) / len(question.answers))
        ranks += [1 / (hits.index(answer) + 1) if answer in hits else 0.0 for answer in question.answers]
    measured = {f"recall@{k}": statistics.fmean(shares) for k, shares in recalls.items()}
    return {name: round(value, 3) for name, value in {**measured, "mrr": statistics.fmean(ranks)}.items()}


def speed(count: int, embed: Embed) -> dict[str, float]:
    """Measure queries over `count` turns (ms, p50 and p95), building the index (s), and adding a turn (ms)."""
    turns, queries = many(count)
    started = time.perf_counter()
    index = RecallIndex(turns, embed=embed)
    index.search(queries[0], limit=6, now=_NOW)
    built = time.perf_counter() - started
    times = sorted(_milliseconds(index, query) for query in queries * 2)
    adding = []
    for number in range(5):
        started = time.perf_counter()
        new = Document(f"new/{number}", "turn", "We saw penguins at the zoo.", thread_id="new", position=number)
        index.hold([*index.documents, new])
        index.search("penguins", limit=6)
        adding.append(1000 * (time.perf_counter() - started))
    return {
        "turns": count,
        "p50_ms": round(statistics.median(times), 2),
        "p95_ms": round(times[int(0.95 * len(times))], 2),
        "target_ms": TARGETS[count],
        "build_s": round(built, 2),
        "add_and_search_ms": round(statistics.median(adding), 1),
        "memory_mb": round(_megabytes(turns, embed), 1),
    }


def _milliseconds(index: RecallIndex, query: str) -> float:
    started = time.perf_counter()
    index.search(query, limit=6, now=_NOW)
    return 1000 * (time.perf_counter() - started)


def _megabytes(turns: Sequence[Document], embed: Embed) -> float:
    tracemalloc.start()
    index = RecallIndex(turns, embed=embed)
    index.search("penguins", limit=6)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del index
    return size / 1e6


def measure(part: Part) -> dict[str, Any]:
    """Measure the quality of each variant on each set, and the speed."""
    embed = LocalEmbedder().embed
    embed(["warm"])
    sets = [talks(part), *notes(part)]
    results = {one.name: {name: quality(one, *way) for name, way in variants(embed).items()} for one in sets}
    sizes = {one.name: {"documents": len(one.documents), "questions": len(one.questions)} for one in sets}
    return {"part": part, "sets": sizes, "quality": results, "speed": [speed(count, embed) for count in TARGETS]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("held", "tune"), default="held")
    print(json.dumps(measure(parser.parse_args().part), indent=1))


if __name__ == "__main__":
    main()
