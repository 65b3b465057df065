"""Compares the time to the first answer for a user with 50 notes with that of a bare import of LangGraph.

Alternates between the two, so that a busy machine slows both alike, and prints the medians and their ratio:

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
    """Store the notes of the benchmark's user."""
    async with open_store(load_settings(data_dir=data_dir, model_provider="offline")) as store:
        changes = tuple(changed(None, note) for note in notes(NOTES))
        await UserMemory(store, "bench", clock=utc_now).commit([Step("seed", "system", "seeded", changes)])


def seconds(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Return the wall time of a process. Raises CalledProcessError if it fails."""
    started = time.perf_counter()
    subprocess.run(command, env=dict(env), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def measure(rounds: int, data_dir: str) -> dict[str, list[float]]:
    """Return wall times in seconds of `bare` and `chat`, run alternately, without the first rounds, which warm up."""
    # Without cached bytecode, the compiler would be measured.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**inherited, "CONCIERGE_DATA_DIR": data_dir, "CONCIERGE_MODEL_PROVIDER": "offline"}
    times: dict[str, list[float]] = {"bare": [], "chat": []}
    for number in range(rounds + _WARM_UP):
        for name, command in (("bare", BARE), ("chat", CHAT)):
            elapsed = seconds(command, env)
            if number >= _WARM_UP:
                times[name].append(elapsed)
    return times


def summary(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the medians in seconds, and their ratio."""
    bare, chat = statistics.median(times["bare"]), statistics.median(times["chat"])
    return {"bare": round(bare, 3), "chat": round(chat, 3), "ratio": round(chat / bare, 3), "target": TARGET}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data_dir:
        asyncio.run(seed(Path(data_dir)))
        print(json.dumps(summary(measure(options.rounds, data_dir)), indent=1))


if __name__ == "__main__":
    main()
