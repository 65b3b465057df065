"""From process start to the first answer to somebody with 50 notes, beside the bare import of LangGraph.

Runs both in turn, so that a busy machine slows both alike, and prints medians and their ratio:

    python -m benchmarks.startup [--rounds 15]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.turn import notes
from config.settings import load_settings
from memory.records.journal import Step, changed
from memory.records.repository import UserMemory
from stores.chroma import utc_now
from stores.lifespan import open_store

TARGET = 1.5
NOTES = 50
_WARM_UP = 2

BARE = (sys.executable, "-c", "import langgraph.graph")
CHAT = (str(Path(sys.executable).with_name("concierge")), "chat", "--message", "hi", "--user", "bench", "--json")


async def seed(data_dir: Path) -> None:
    """Give the user of the benchmark their notes."""
    async with open_store(load_settings(data_dir=data_dir, model_provider="offline")) as store:
        told = tuple(changed(None, note) for note in notes(NOTES))
        await UserMemory(store, "bench", clock=utc_now).commit([Step("seed", "system", "seeded", told)])


def seconds(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Wall time of one process. Raises CalledProcessError when it fails."""
    begun = time.perf_counter()
    subprocess.run(command, env=dict(env), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def measure(rounds: int, data_dir: str) -> dict[str, list[float]]:
    """Wall times in seconds of `bare` and `chat`, run in turn; the first rounds warm the caches and are left out."""
    # Bytecode must be cached for both: a machine that forbids it would measure the compiler.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "CONCIERGE_DATA_DIR": data_dir, "CONCIERGE_MODEL_PROVIDER": "offline"}
    times: dict[str, list[float]] = {"bare": [], "chat": []}
    for number in range(rounds + _WARM_UP):
        for name, command in (("bare", BARE), ("chat", CHAT)):
            taken = seconds(command, env)
            if number >= _WARM_UP:
                times[name].append(taken)
    return times


def summary(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Medians in seconds and the ratio of the two."""
    bare, chat = statistics.median(times["bare"]), statistics.median(times["chat"])
    return {"bare": round(bare, 3), "chat": round(chat, 3), "ratio": round(chat / bare, 3), "target": TARGET}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as data_dir:
        asyncio.run(seed(Path(data_dir)))
        print(json.dumps(summary(measure(given.rounds, data_dir)), indent=1))


if __name__ == "__main__":
    main()
