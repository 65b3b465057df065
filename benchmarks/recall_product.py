"""Measures recall from end to end: conversations are archived like threads, and searched like `recall_memory` does.

Prints recall of the evidence at 10 on the held-out questions. They have been looked at, so they only show regressions.
Then prints the milliseconds of searches by a user who is already indexed, alone and while the notes of other users are
being indexed, for recall's index and for the store's.

    python -m benchmarks.recall_product [--waiting 20000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.store.base import IndexConfig

from benchmarks.recall import talks
from benchmarks.turn import notes
from graph.state import META
from memory.recall import user_recall
from memory.recall.user_recall import Recollection
from memory.records.conversations import Archive, ArchivedTurn
from memory.records.journal import Step, changed
from memory.records.repository import UserMemory
from stores.chroma import ChromaStore
from stores.embeddings import LocalEmbedder

TARGET, TIMES = 0.75, 3.0
_EACH = 2000
"""Notes of each of the other users."""
_NOW = datetime(2026, 6, 1, tzinfo=UTC)
_SEARCHES = 100


def _memory(store: ChromaStore, user_id: str) -> UserMemory:
    return UserMemory(store, user_id, clock=lambda: _NOW)


async def quality(folder: Path) -> float:
    """Return recall of the evidence at 10; `benchmarks.recall` measures an index of turns alone."""
    embed, dataset = LocalEmbedder().embed, talks("held")
    user_recall.MOST = 10  # the default for models is six
    recollection = Recollection(embed=embed, clock=lambda: _NOW)
    shares = []
    with ChromaStore.from_path(folder) as store:
        for thread, documents in groupby(dataset.documents, key=lambda document: document.thread_id):
            turns = []
            for number, document in enumerate(documents, start=1):
                extra = {META: {"at": document.at.isoformat() if document.at else ""}}
                message = HumanMessage(document.text, id=document.id, name=document.speaker, additional_kwargs=extra)
                turns.append(ArchivedTurn(turn=number, messages=(message,)))
            await Archive(store, "ana", thread).add_turns(turns)
        for question in dataset.questions:
            hits = await recollection.search(store, [_memory(store, "ana")], question.text, limit=10)
            ids = {hit.document.id.removeprefix(f"{hit.document.thread_id}/") for hit in hits}
            shares.append(len(question.answers & ids) / len(question.answers))
    return round(statistics.fmean(shares), 3)


async def waiting(folder: Path, count: int) -> dict[str, Any]:
    """Return the milliseconds (p50, p95) of an indexed user's searches: alone, and while other users are indexed."""
    embedder = LocalEmbedder()
    config: Any = {"embed": embedder, "fields": ["text"]}
    index: IndexConfig = config
    recollection = Recollection(embed=embedder.embed, clock=lambda: _NOW)
    with ChromaStore.from_path(folder, index=index) as store:
        ana, others = _memory(store, "ana"), [_memory(store, f"other{at}") for at in range(max(count // _EACH, 1))]
        for memory, size in ((ana, 50), *((other, _EACH) for other in others)):
            changes = tuple(changed(None, note) for note in notes(size))
            await memory.commit([Step("seed", "system", "seeded", changes)])
        searches: dict[str, Callable[[UserMemory], Awaitable[Any]]] = {
            "recall": lambda memory: recollection.search(store, [memory], "a room on a low floor"),
            "store": lambda memory: memory.search("a room on a low floor"),
        }
        results = {}
        for name, search in searches.items():
            await search(ana)
            quiet = [await _milliseconds(search, ana) for _ in range(_SEARCHES)]
            backlog, busy = asyncio.create_task(_all(search, others)), []
            while not backlog.done():
                busy.append(await _milliseconds(search, ana))
            await backlog
            results[name] = {"quiet": _percentiles(quiet), "busy": _percentiles(busy), "searches": len(busy)}
    return results


async def _all(search: Callable[[UserMemory], Awaitable[Any]], memories: list[UserMemory]) -> None:
    for memory in memories:
        await search(memory)


async def _milliseconds(search: Callable[[UserMemory], Awaitable[Any]], memory: UserMemory) -> float:
    started = time.perf_counter()
    await search(memory)
    return 1000 * (time.perf_counter() - started)


def _percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50": round(statistics.median(ordered), 1), "p95": round(ordered[int(0.95 * len(ordered))], 1)}


async def measure(count: int) -> dict[str, Any]:
    """Return both measurements."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        targets = {"recall@10": TARGET, "busy over quiet": TIMES}
        recall, searches = await quality(folder / "talks"), await waiting(folder / "waiting", count)
        return {"recall@10": recall, "waiting": searches, "targets": targets}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--waiting", type=int, default=20_000)
    print(json.dumps(asyncio.run(measure(parser.parse_args().waiting)), indent=1))


if __name__ == "__main__":
    main()
