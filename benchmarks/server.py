"""Measures concurrent users: turns per second, turn times, errors, lost or crossed messages, and memory growth.

Runs against the graph in this process, or against a `langgraph dev --n-jobs-per-worker 10` that it starts:

    python -m benchmarks.server [--host graph|dev] [--users 50] [--seconds 120]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

Turn = Callable[[str, str, str], Awaitable[list[str]]]
"""Sends a text as a user in a thread; returns the user messages in the history of the thread, oldest first."""

_SAMPLE_SECONDS = 1.0


@dataclass(slots=True)
class Load:
    """The results of a run: times in seconds, memory in MB, sampled once per second."""

    took: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    crossed: int = 0
    memory: list[float] = field(default_factory=list)

    def report(self, seconds: float) -> dict[str, Any]:
        """Return the figures of a run of `seconds`."""
        quantiles, samples = statistics.quantiles(self.took, n=20), len(self.memory)
        parts = [self.memory[samples * n // 8 : samples * (n + 1) // 8] for n in range(8)]
        eighths = [round(statistics.fmean(part)) if part else 0 for part in parts]
        return {
            "turns": len(self.took), "turns_per_second": round(len(self.took) / seconds, 1),
            "p50_seconds": round(statistics.median(self.took), 2), "p95_seconds": round(quantiles[-1], 2),
            "errors": len(self.errors), "lost": self.lost, "crossed": self.crossed,
            "memory_mb_by_eighths": eighths,
        }  # fmt: skip


async def run(turn: Turn, process: psutil.Process, *, users: int, seconds: float) -> Load:
    """Let `users` talk for `seconds`, each in their own thread, one turn after the other."""
    load, end = Load(), time.monotonic() + seconds
    sampler = asyncio.create_task(_sample_memory(load, process))
    await asyncio.gather(*(_talk(f"user{number}", turn, load, end) for number in range(users)))
    sampler.cancel()
    return load


async def _talk(user: str, turn: Turn, load: Load, end: float) -> None:
    thread_id, sent = str(uuid4()), list[str]()
    while time.monotonic() < end:
        text = f"hello, this is {user} for the {len(sent) + 1}. time"
        started = time.perf_counter()
        try:
            history = await turn(user, thread_id, text)
        except Exception as error:  # any error counts
            load.errors.append(repr(error))
            continue
        load.took.append(time.perf_counter() - started)
        sent.append(text)
        own = [message for message in history if f" {user} " in message]
        load.crossed += len(history) - len(own)
        load.lost += own != sent[-len(own) :] or not own


async def _sample_memory(load: Load, process: psutil.Process) -> None:
    while True:
        tree = [process, *process.children(recursive=True)]
        load.memory.append(sum(part.memory_info().rss for part in tree) / 2**20)
        await asyncio.sleep(_SAMPLE_SECONDS)


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[tuple[Turn, psutil.Process]]:
    """Open a concierge in this process."""
    from app.api.opening import open_concierge
    from config.settings import load_settings

    async with open_concierge(load_settings(data_dir=folder / "data", model_provider="offline")) as concierge:

        async def turn(user: str, thread_id: str, text: str) -> list[str]:
            await concierge.send(text, user_id=user, thread_id=thread_id)
            entries = await concierge.history(user_id=user, thread_id=thread_id)
            return [entry.text for entry in entries if entry.role == "user" and not entry.synthetic]

        yield turn, psutil.Process()


@asynccontextmanager
async def on_a_server(folder: Path) -> AsyncIterator[tuple[Turn, psutil.Process]]:
    """Start a server of this checkout, and stop it at the end."""
    from tests.server.dev import checkout, langgraph_dev, signed_in

    path = checkout(folder / "checkout")
    async with AsyncExitStack() as stack:
        before = {child.pid for child in psutil.Process().children()}
        url = stack.enter_context(langgraph_dev(path, folder / "data", options=("--n-jobs-per-worker", "10")))
        (server,) = (child for child in psutil.Process().children() if child.pid not in before)
        clients: dict[str, Any] = {}

        async def turn(user: str, thread_id: str, text: str) -> list[str]:
            if user not in clients:
                clients[user] = await stack.enter_async_context(signed_in(url, folder / "data", user))
            input_ = {"messages": text}
            result = await clients[user].runs.wait(thread_id, "concierge", input=input_, if_not_exists="create")
            human = [message for message in result["messages"] if message["type"] == "human"]
            meta = [message["additional_kwargs"].get("concierge", {}) for message in human]
            return [str(one["content"]) for one, data in zip(human, meta, strict=True) if not data.get("synthetic")]

        yield turn, server


HOSTS = {"graph": in_process, "dev": on_a_server}


async def measure(host: str, *, users: int, seconds: float) -> Load:
    """Let users talk to one of `HOSTS`."""
    with tempfile.TemporaryDirectory() as folder:
        async with HOSTS[host](Path(folder)) as (turn, process):
            return await run(turn, process, users=users, seconds=seconds)


def main() -> None:
    """Measure the selected hosts, and print their figures."""
    parser = argparse.ArgumentParser(description="Many users who talk at once.")
    parser.add_argument("--host", choices=HOSTS, help="only this one")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    options = parser.parse_args()
    for host in [options.host] if options.host else HOSTS:
        load = asyncio.run(measure(host, users=options.users, seconds=options.seconds))
        print(json.dumps({"host": host, "users": options.users, **load.report(options.seconds)}, indent=1))
        for error in load.errors[:3]:
            print(error)


if __name__ == "__main__":
    main()
