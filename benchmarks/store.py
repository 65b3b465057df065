"""Compares `ChromaStore` with bare Chroma: search, put, load, memory and disk at several sizes.

Each store is measured in its own process, one after the other, so that the ratios are valid on a busy machine too.

    python -m benchmarks.store [--quick | --million]

`--quick` takes under a minute (1,000 and 5,000 notes); the full run has 1,000, 10,000 and 100,000.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import psutil
from langgraph.store.base import PutOp

from stores.chroma import ChromaStore
from stores.embeddings import LocalEmbedder

SUBJECTS = ("ours", "bare")
NOTES_PER_USER = 50
BATCH = 2000
SEARCHES = 200
PUTS = 100
QUERIES = ("a quiet room", "food without meat", "that bird we talked about", "window or aisle", "trains in spring")
WHO = ("prefers", "avoids", "asked about", "enjoyed", "once booked", "would pay more for")
WHAT = ("window seats", "quiet hotels", "vegan menus", "night trains", "old towns", "small museums", "sea views")
WHERE = ("in Lisbon", "near the river", "with the children", "on long flights", "in spring", "for work", "at dawn")

Result = Mapping[str, Any]


def sizes(*, quick: bool, million: bool) -> list[tuple[str, int]]:
    """Return the stores and sizes (numbers of notes) to measure, in order."""
    if million:
        return [("ours", 1_000), ("ours", 1_000_000)]
    return [(subject, rows) for rows in ((1_000, 5_000) if quick else (1_000, 10_000, 100_000)) for subject in SUBJECTS]


def run(subject: str, rows: int) -> Result:
    """Measure in a new process. Raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", "benchmarks.store", "--take", subject, str(rows)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: Result = json.loads(done.stdout)
    return result


def ratios(results: Sequence[Result]) -> dict[str, float]:
    """Return the figures that have targets, computed from the smallest and the largest size of a run."""
    by = {(result["subject"], result["rows"]): result for result in results}
    small, large = min(rows for _, rows in by), max(rows for _, rows in by)
    ours, first = by["ours", large], by["ours", small]
    figures = {
        "search, large over small (at most 1.3)": ours["search_ms"]["p50"] / first["search_ms"]["p50"],
        "first search of a user, large over small": ours["first_search_ms"]["p50"] / first["first_search_ms"]["p50"],
    }
    bare = by.get(("bare", large))
    if bare:
        figures |= {
            "search, times faster than bare (at least 25 at 100,000)": bare["search_ms"]["p50"]
            / ours["search_ms"]["p50"],
            "first search of a user, times faster than bare": bare["search_ms"]["p50"] / ours["first_search_ms"]["p50"],
            "put, times faster than bare (at least 5)": bare["put_ms"]["p50"] / ours["put_ms"]["p50"],
            "load, time of bare over ours (at least 1)": bare["index_s"] / ours["load_s"],
            "load with its index, time of bare over ours": bare["index_s"] / (ours["load_s"] + ours["index_s"]),
            "memory over bare": ours["memory_mb"] / bare["memory_mb"],
            "disk over bare": ours["disk_mb"] / bare["disk_mb"],
        }
    return {name: round(ratio, 2) for name, ratio in figures.items()}


def note(number: int) -> str:
    """Return the text of a note; the same number always gives the same text."""
    generator = random.Random(number)
    return f"{generator.choice(WHO)} {generator.choice(WHAT)} {generator.choice(WHERE)}, note {number}"


def milliseconds(work: Callable[[int], object], count: int) -> dict[str, float]:
    """Return the median and the 95th percentile of `count` calls of `work`, which gets the number of the call."""
    times = []
    for number in range(count):
        started = time.perf_counter()
        work(number)
        times.append(1000 * (time.perf_counter() - started))
    return {"p50": statistics.median(times), "p95": statistics.quantiles(times, n=20)[18]}


def seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def batches(rows: int) -> Iterator[range]:
    """Return the numbers of the notes in batches."""
    return (range(start, min(start + BATCH, rows)) for start in range(0, rows, BATCH))


def users(rows: int, count: int) -> list[str]:
    """Return `count` random users, the same for each size."""
    generator = random.Random(rows)
    return [f"u{generator.randrange(max(1, rows // NOTES_PER_USER))}" for _ in range(count)]


def disk(folder: Path) -> int:
    """Return the size in bytes of all files in a folder."""
    return sum(part.stat().st_size for part in folder.rglob("*") if part.is_file())


def measure_ours(folder: Path, rows: int) -> dict[str, Any]:
    """Measure `ChromaStore`: load, first and later searches of a user, put, and the lag of the event loop."""
    embedder = LocalEmbedder()
    embedder.embed(["warm"])
    index: Any = {"embed": embedder, "fields": ["text"]}
    chosen = users(rows, SEARCHES)

    def load() -> None:
        for part in batches(rows):
            store.batch([PutOp(("users", f"u{n // NOTES_PER_USER}"), str(n), {"text": note(n)}) for n in part])

    def search(number: int) -> None:
        items = store.search(("users", chosen[number]), query=QUERIES[number % len(QUERIES)], limit=6)
        assert len(items) == 6

    def put(number: int) -> None:
        store.put(("users", chosen[number]), f"new{number}", {"text": note(-number)})

    result: dict[str, Any] = {}
    with ChromaStore.from_path(folder, index=index) as store:
        result["load_s"] = seconds(load)
        result["index_s"] = seconds(store.flush)
    with ChromaStore.from_path(folder, index=index) as store:
        result["open_s"] = seconds(lambda: store.search(("users", "u0"), query="x", limit=1))
        result["first_search_ms"] = first_searches(store, rows)
        search(0)
        result["search_ms"] = milliseconds(lambda n: search(n % 20), SEARCHES)
        result["put_ms"] = milliseconds(put, PUTS)
        items = store.search(("users", chosen[0]), query=note(0), limit=1000)
        result["found_after_put"] = "new0" in {item.key for item in items if item.score is not None}
        result["idle_lag_ms"] = asyncio.run(loop_lag(store, []))
        result["loop_lag_ms"] = asyncio.run(loop_lag(store, chosen))
    return result


def first_searches(store: ChromaStore, rows: int) -> dict[str, float]:
    """Measure the first search of up to a hundred users, whose vectors are not in memory yet."""
    everyone = [f"u{number}" for number in range(max(1, rows // NOTES_PER_USER))]
    chosen = random.Random(1).sample(everyone, min(100, len(everyone)))
    return milliseconds(lambda n: store.search(("users", chosen[n]), query=QUERIES[0], limit=6), len(chosen))


async def loop_lag(store: ChromaStore, chosen: Sequence[str]) -> dict[str, float]:
    """Measure the delay of 5 ms ticks while eight tasks search and put for users; without users, while idle."""
    lags: list[float] = []
    busy = True

    async def tick() -> None:
        while busy:
            started = time.perf_counter()
            await asyncio.sleep(0.005)
            lags.append(1000 * (time.perf_counter() - started) - 5)

    async def work(worker: int) -> None:
        for number in range(worker, len(chosen), 8):
            await store.asearch(("users", chosen[number]), query=QUERIES[0], limit=6)
            await store.aput(("users", chosen[number]), f"lag{number}", {"text": note(number)})

    ticker = asyncio.create_task(tick())
    await asyncio.gather(*(work(worker) for worker in range(8)), asyncio.sleep(0 if chosen else 1))
    busy = False
    await ticker
    return {"p50": statistics.median(lags), "p99": statistics.quantiles(lags, n=100)[98]}


def measure_bare(folder: Path, rows: int) -> dict[str, Any]:
    """Measure bare Chroma: one collection, the user in the metadata, the same texts and vectors."""
    import chromadb
    from chromadb.config import Settings

    embedder = LocalEmbedder()
    embedder.embed(["warm"])
    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        "notes", embedding_function=None, configuration=cast(Any, {"hnsw": {"space": "cosine"}})
    )
    queries = embedder.embed(QUERIES)
    chosen = users(rows, SEARCHES)

    def upsert(numbers: Sequence[int], names: Sequence[str]) -> None:
        texts = [note(n) for n in numbers]
        owners = [{"user": f"u{abs(n) // NOTES_PER_USER}"} for n in numbers]
        collection.upsert(
            ids=list(names), embeddings=cast(Any, embedder.embed(texts)), documents=texts, metadatas=cast(Any, owners)
        )

    def load() -> None:
        for part in batches(rows):
            upsert(part, [str(n) for n in part])

    def search(number: int) -> None:
        query = cast(Any, [queries[number % len(queries)]])
        collection.query(query_embeddings=query, n_results=6, where={"user": chosen[number]})

    result: dict[str, Any] = {"load_s": 0.0, "index_s": seconds(load)}
    search(0)
    result["search_ms"] = milliseconds(search, min(SEARCHES, 60))
    result["put_ms"] = milliseconds(lambda n: upsert([-n], [f"new{n}"]), PUTS)
    return result


def take(subject: str, rows: int) -> Result:
    """Measure one store in this process, whose memory growth is that of the store."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        before = psutil.Process().memory_info().rss
        result = (measure_ours if subject == "ours" else measure_bare)(folder, rows)
        result["memory_mb"] = (psutil.Process().memory_info().rss - before) / 1e6
        result["disk_mb"] = disk(folder) / 1e6
    return {"subject": subject, "rows": rows, **result}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, under a minute")
    parser.add_argument("--million", action="store_true", help="1,000,000 notes, ours alone; takes long")
    parser.add_argument("--take", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.take:
        print(json.dumps(take(options.take[0], int(options.take[1]))))
        return
    results = [run(subject, rows) for subject, rows in sizes(quick=options.quick, million=options.million)]
    print(json.dumps({"results": results, "ratios": ratios(results)}, indent=1))


if __name__ == "__main__":
    main()
