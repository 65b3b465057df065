"""Recall by the product's own path: conversations archived as a thread's are, searched as `recall_memory` does.

Prints recall of the evidence at 10 on the held-out questions of `recall_data`. They were written for this repository
and have been looked at, so they show a regression and no longer measure. Then the milliseconds of a search of a user
who is indexed: alone, and while other users' notes wait to be indexed, by recall's own index and by the store's.

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
"""Notes of each of the users who wait."""
_NOW = datetime(2026, 6, 1, tzinfo=UTC)
_SEARCHES = 100


def _memory(store: ChromaStore, user_id: str) -> UserMemory:
    return UserMemory(store, user_id, clock=lambda: _NOW)


async def quality(folder: Path) -> float:
    """Return recall of the evidence at 10; `benchmarks.recall` has that of an index of the turns alone."""
    embed, asked = LocalEmbedder().embed, talks("held")
    user_recall.MOST = 10  # the model is given six at most
    recollection = Recollection(embed=embed, clock=lambda: _NOW)
    shares = []
    with ChromaStore.from_path(folder) as store:
        for thread, said in groupby(asked.documents, key=lambda one: one.thread_id):
            turns = []
            for number, one in enumerate(said, start=1):
                extra = {META: {"at": one.at.isoformat() if one.at else ""}}
                message = HumanMessage(one.text, id=one.id, name=one.speaker, additional_kwargs=extra)
                turns.append(ArchivedTurn(turn=number, messages=(message,)))
            await Archive(store, "ana", thread).add_turns(turns)
        for question in asked.questions:
            hits = await recollection.search(store, [_memory(store, "ana")], question.text, limit=10)
            found = {hit.document.id.removeprefix(f"{hit.document.thread_id}/") for hit in hits}
            shares.append(len(question.answers & found) / len(question.answers))
    return round(statistics.fmean(shares), 3)


async def waiting(folder: Path, count: int) -> dict[str, Any]:
    """Return the milliseconds (p50, p95) of an indexed user's searches: alone, and beside the backlog of others."""
    embedder = LocalEmbedder()
    config: Any = {"embed": embedder, "fields": ["text"]}
    index: IndexConfig = config
    recollection = Recollection(embed=embedder.embed, clock=lambda: _NOW)
    with ChromaStore.from_path(folder, index=index) as store:
        ana, others = _memory(store, "ana"), [_memory(store, f"other{at}") for at in range(max(count // _EACH, 1))]
        for memory, most in ((ana, 50), *((one, _EACH) for one in others)):
            told = tuple(changed(None, note) for note in notes(most))
            await memory.commit([Step("seed", "system", "seeded", told)])
        ways: dict[str, Callable[[UserMemory], Awaitable[Any]]] = {
            "recall": lambda memory: recollection.search(store, [memory], "a room on a low floor"),
            "store": lambda memory: memory.search("a room on a low floor"),
        }
        found = {}
        for way, search in ways.items():
            await search(ana)
            quiet = [await _milliseconds(search, ana) for _ in range(_SEARCHES)]
            backlog, busy = asyncio.create_task(_all(search, others)), []
            while not backlog.done():
                busy.append(await _milliseconds(search, ana))
            await backlog
            found[way] = {"quiet": _spread(quiet), "busy": _spread(busy), "searches": len(busy)}
    return found


async def _all(search: Callable[[UserMemory], Awaitable[Any]], memories: list[UserMemory]) -> None:
    for memory in memories:
        await search(memory)


async def _milliseconds(search: Callable[[UserMemory], Awaitable[Any]], memory: UserMemory) -> float:
    begun = time.perf_counter()
    await search(memory)
    return 1000 * (time.perf_counter() - begun)


def _spread(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
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
    given = parser.parse_args()
    found = asyncio.run(measure(given.waiting))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
