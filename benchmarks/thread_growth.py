"""Measures hundreds of turns on one thread, and compares the concierge with a bare chat graph with the same messages.

Prints, at some turns, the wall time and the CPU time of a turn (medians of the last sixteen turns, which have each
message twice) and the size of the checkpoint file. On a busy machine, only the CPU time is reliable:

    python -m benchmarks.thread_growth [--turns 400]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages

from app.api.opening import open_concierge
from config.settings import load_settings
from stores.lifespan import CHECKPOINTS_FILE

MARKS = (20, 100, 200, 400)
WINDOW = 2 * 8
MESSAGES = (
    "Book me a flight to Paris next month.",
    "What do you know about me?",
    "I prefer an aisle seat on short flights.",
    "Which hotels near the river have a quiet room and breakfast included?",
    "Let's say the ninth, returning two weeks later.",
    "Actually, could we look at Lisbon instead? I have wanted to see the old town for years.",
    "Thanks, that helps.",
    "Remember that I never take red-eye flights.",
)


class Row(TypedDict):
    """One line of the result: wall time and CPU time of a turn in milliseconds, and the file size in bytes."""

    graph: str
    turn: int
    ms: float
    cpu_ms: float
    bytes: int


class Chat(TypedDict):
    """The state of the bare graph."""

    messages: Annotated[list[AnyMessage], add_messages]


def size(path: Path) -> int:
    """Return the size in bytes of a database, including its log."""
    return sum(part.stat().st_size for part in path.parent.glob(path.name + "*") if not part.name.endswith("-shm"))


async def turns(name: str, path: Path, marks: Sequence[int], turn: Callable[[int], Awaitable[None]]) -> list[Row]:
    """Run turns up to the last mark; return the times and the size at each mark."""
    wall_times: list[float] = []
    cpu_times: list[float] = []
    rows: list[Row] = []
    for number in range(1, marks[-1] + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        await turn(number)
        wall_times.append(1000 * (time.perf_counter() - wall))
        cpu_times.append(1000 * (time.process_time() - cpu))
        if number in marks:
            ms, cpu_ms = (round(statistics.median(times[-WINDOW:]), 1) for times in (wall_times, cpu_times))
            file_size = await asyncio.to_thread(size, path)
            rows.append(Row(graph=name, turn=number, ms=ms, cpu_ms=cpu_ms, bytes=file_size))
    return rows


async def concierge(folder: Path, marks: Sequence[int]) -> tuple[list[Row], list[str]]:
    """Return the rows of the concierge, and its answers."""
    answers: list[str] = []
    settings = load_settings(data_dir=folder, model_provider="offline")
    async with open_concierge(settings) as guide:

        async def turn(number: int) -> None:
            reply = await guide.send(MESSAGES[number % len(MESSAGES)], user_id="bench", thread_id="long")
            answers.append(reply.text)

        return await turns("concierge", folder / CHECKPOINTS_FILE, marks, turn), answers


async def bare(folder: Path, marks: Sequence[int], answers: Sequence[str]) -> list[Row]:
    """Return the rows of a graph with one node and LangGraph's own saver, for the same messages and answers."""
    path = folder / "bare.sqlite"
    remaining = iter(answers)
    builder = StateGraph(Chat)
    builder.add_node("answer", lambda _: {"messages": [AIMessage(next(remaining))]})
    builder.add_edge(START, "answer")
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        graph: Any = builder.compile(checkpointer=saver)

        async def turn(number: int) -> None:
            message = HumanMessage(MESSAGES[number % len(MESSAGES)])
            await graph.ainvoke({"messages": [message]}, {"configurable": {"thread_id": "long"}})

        return await turns("bare", path, marks, turn)


async def measure(last: int) -> list[Row]:
    """Measure both graphs, one after the other."""
    marks = [mark for mark in MARKS if mark < last] + [last]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, answers = await concierge(folder, marks)
        return rows + await bare(folder, marks, answers)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=400)
    print(json.dumps(asyncio.run(measure(parser.parse_args().turns)), indent=1))


if __name__ == "__main__":
    main()
