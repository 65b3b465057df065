"""Many users who talk at once: turns a second, time of a turn, errors, lost or crossed messages, growth of memory.

Against the graph in this process, or a `langgraph dev --n-jobs-per-worker 10` that is started for it:

    python -m benchmarks.server [--host graph|dev] [--users 50] [--seconds 120]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

Turn = Callable[[str, str, str], Awaitable[list[str]]]
"""Says something as a user in a thread; gives what users said in the thread, as far as it is live, oldest first."""

_SAMPLE_SECONDS = 1.0


@dataclass(slots=True)
class Load:
    """What came of it; times in seconds, memory in MB, one sample a second."""

    took: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    crossed: int = 0
    memory: list[float] = field(default_factory=list)

    def report(self, seconds: float) -> dict[str, Any]:
        """Return the figures of `seconds` of it."""
        cuts = statistics.quantiles(self.took, n=20)
        eighths = [round(_mean(_part(self.memory, number, 8))) for number in range(8)]
        return {
            "turns": len(self.took), "turns_per_second": round(len(self.took) / seconds, 1),
            "p50_seconds": round(statistics.median(self.took), 2), "p95_seconds": round(cuts[-1], 2),
            "errors": len(self.errors), "lost": self.lost, "crossed": self.crossed,
            "memory_mb_by_eighths": eighths,
        }  # fmt: skip


async def run(turn: Turn, process: psutil.Process, *, users: int, seconds: float) -> Load:
    """Have `users` talk for `seconds`, each in a thread of their own, one turn after the other."""
    load, end = Load(), time.monotonic() + seconds
    watching = asyncio.create_task(_watch(load, process))
    await asyncio.gather(*(_talk(f"user{number}", turn, load, end) for number in range(users)))
    watching.cancel()
    return load


async def _talk(user: str, turn: Turn, load: Load, end: float) -> None:
    thread_id, said = str(uuid4()), list[str]()
    while time.monotonic() < end:
        text = f"hello, this is {user} for the {len(said) + 1}. time"
        begun = time.perf_counter()
        try:
            heard = await turn(user, thread_id, text)
        except Exception as error:  # counted, whatever it is
            load.errors.append(repr(error))
            continue
        load.took.append(time.perf_counter() - begun)
        said.append(text)
        own = [one for one in heard if f" {user} " in one]
        load.crossed += len(heard) - len(own)
        load.lost += own != said[-len(own) :] or not own


async def _watch(load: Load, process: psutil.Process) -> None:
    while True:
        tree = [process, *process.children(recursive=True)]
        load.memory.append(sum(one.memory_info().rss for one in tree) / 2**20)
        await asyncio.sleep(_SAMPLE_SECONDS)


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[tuple[Turn, psutil.Process]]:
    """Open a concierge in this process."""
    from app.api.opening import open_concierge
    from config.settings import load_settings

    async with open_concierge(load_settings(data_dir=folder / "data", model_provider="offline")) as concierge:

        async def turn(user: str, thread_id: str, text: str) -> list[str]:
            await concierge.send(text, user_id=user, thread_id=thread_id)
            told = await concierge.history(user_id=user, thread_id=thread_id)
            return [entry.text for entry in told if entry.role == "user" and not entry.synthetic]

        yield turn, psutil.Process()


@asynccontextmanager
async def on_a_server(folder: Path) -> AsyncIterator[tuple[Turn, psutil.Process]]:
    """Start a server of this checkout, and stop it."""
    from tests.server.dev import checkout, langgraph_dev, signed_in

    at = checkout(folder / "checkout")
    async with AsyncExitStack() as stack:
        before = {one.pid for one in psutil.Process().children()}
        url = stack.enter_context(langgraph_dev(at, folder / "data", options=("--n-jobs-per-worker", "10")))
        (server,) = (one for one in psutil.Process().children() if one.pid not in before)
        clients: dict[str, Any] = {}

        async def turn(user: str, thread_id: str, text: str) -> list[str]:
            if user not in clients:
                clients[user] = await stack.enter_async_context(signed_in(url, folder / "data", user))
            given = {"messages": text}
            done = await clients[user].runs.wait(thread_id, "concierge", input=given, if_not_exists="create")
            meta = [(one, one["additional_kwargs"].get("concierge", {})) for one in done["messages"]]
            return [str(one["content"]) for one, of in meta if one["type"] == "human" and not of.get("synthetic")]

        yield turn, server


HOSTS = {"graph": in_process, "dev": on_a_server}


async def measure(host: str, *, users: int, seconds: float) -> Load:
    """Have users talk to one of `HOSTS`."""
    with tempfile.TemporaryDirectory() as folder:
        async with HOSTS[host](Path(folder)) as (turn, process):
            return await run(turn, process, users=users, seconds=seconds)


def _part(values: Sequence[float], number: int, of: int) -> Sequence[float]:
    return values[len(values) * number // of : len(values) * (number + 1) // of]


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def main() -> None:
    """Measure each host that is named, and print its figures."""
    parser = argparse.ArgumentParser(description="Many users who talk at once.")
    parser.add_argument("--host", choices=HOSTS, help="only this one")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    given = parser.parse_args()
    for host in [given.host] if given.host else HOSTS:
        load = asyncio.run(measure(host, users=given.users, seconds=given.seconds))
        print(json.dumps({"host": host, "users": given.users, **load.report(given.seconds)}, indent=1))
        for error in load.errors[:3]:
            print(error)


if __name__ == "__main__":
    main()
