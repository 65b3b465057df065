"""Compares a turn of the concierge with one of LangChain's `create_agent`, with a canned model that takes no time.

Both shorten their history, the peer with `SummarizationMiddleware` at the same number of messages. Their turns
alternate, so that a busy machine slows both alike. The ratios are of medians over the twenty turns up to a mark, of
wall time and CPU time. The counts are for one turn of the concierge, and don't depend on the machine.

    python -m benchmarks.turn [--turns 400] [--notes 50 500]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store.base import Op, Result

from app.api.opening import open_concierge
from benchmarks.recall import DATA
from config.settings import load_settings
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.repository import UserMemory
from memory.schema import load_schema
from stores.chroma import ChromaStore
from stores.embeddings import LocalEmbedder

MARKS = (100, 400)
TARGETS = {50: 1.5, 500: 2.0}
"""Maximum ratio of the concierge's turn to the peer's, by the user's number of notes."""
WINDOW = 20
MESSAGE = "Thanks. What else should I see near the river on the second day?"
ANSWER = "The old market and the tile museum are both a short walk away. Would you like opening hours?"
_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
_TOPICS = ("hotel", "meal", "transport", "activity", "budget")

Turn = Callable[[], Awaitable[Any]]


class Canned(BaseChatModel):
    """Always returns the same answer at once, or a canned summary if asked for one in structured form."""

    structured: bool = False

    @property
    def _llm_type(self) -> str:
        return "canned"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:  # noqa: ARG002 - a canned answer
        summary = dict.fromkeys(load_schema().summary, "UNVERIFIED") | {"trip": "Two days in Lisbon."}
        calls = [ToolCall(name="HistorySummary", args=summary, id="call_1")] if self.structured else []
        answer = AIMessage("" if calls else ANSWER, tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=answer)])

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Canned:
        """Return the model, which calls no tool but the summary; like a real one, it is not copied for each call."""
        return Canned(structured=True) if getattr(tools[0], "__name__", "") == "HistorySummary" else self


class CountingStore(ChromaStore):
    """The product's store, with a count of batches and operations."""

    counts: Counter[str]

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run `ops` and count them."""
        ops = list(ops)
        self.counts["store calls"] += 1
        self.counts.update(f"store {type(op).__name__}" for op in ops)
        return super().batch(ops)


class CountingEmbedder(LocalEmbedder):
    """The bundled embedder, with a count of texts."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__()
        self._counts = counts

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors and count the texts."""
        self._counts["texts embedded"] += len(texts)
        return super().embed(texts)


def notes(count: int) -> list[Note]:
    """Return `count` different notes of at most two dozen words."""
    texts = [line.split(" | ")[2] for line in (DATA / "notes.txt").read_text(encoding="utf-8").splitlines() if line]
    return [
        Note(
            id=f"00000000-0000-5000-8000-{number:012}",
            text=f"{texts[number % len(texts)]}" + (f" (trip {number // len(texts)})" if number >= len(texts) else ""),
            topic=_TOPICS[number % len(_TOPICS)],
            created_at=_NOW,
            last_update_date=_NOW.date(),
        )
        for number in range(count)
    ]


@asynccontextmanager
async def concierge(folder: Path, count: int, counts: Counter[str]) -> AsyncIterator[Turn]:
    """Open a concierge whose user has `count` notes; yield a function that runs a turn."""
    settings = load_settings(data_dir=folder, model_provider="offline", session_max_turns=10_000)
    canned, embedder = Canned(), CountingEmbedder(counts)
    index: Any = {"embed": embedder, "fields": ["text"]}
    async with AsyncExitStack() as stack:
        store = stack.enter_context(CountingStore.from_path(folder / "store", index=index))
        assert isinstance(store, CountingStore)
        store.counts = counts
        models: Any = dict.fromkeys(("agent", "summary", "consolidation"), canned)
        opened = open_concierge(settings, models=models, embedder=embedder, store=store)
        guide = await stack.enter_async_context(opened)
        if count:
            changes = tuple(changed(None, note) for note in notes(count))
            await UserMemory(store, "bench", clock=lambda: _NOW).commit([Step("seed", "system", "seeded", changes)])
        yield lambda: guide.send(MESSAGE, user_id="bench", thread_id="long")


@asynccontextmanager
async def peer(folder: Path) -> AsyncIterator[Turn]:
    """Open `create_agent` with LangGraph's SQLite saver; yield a function that runs a turn."""
    settings = load_settings(data_dir=folder)
    trigger, keep = 2 * settings.context_limit, 2 * settings.keep_last_n_turns
    shorten = SummarizationMiddleware(Canned(), trigger=("messages", trigger), keep=("messages", keep))
    async with AsyncSqliteSaver.from_conn_string(str(folder / "peer.sqlite")) as saver:
        agent: Any = create_agent(Canned(), middleware=[shorten], checkpointer=saver)
        config = {"configurable": {"thread_id": "long"}}
        yield lambda: agent.ainvoke({"messages": [HumanMessage(MESSAGE)]}, config)


async def measure(last: int, sizes: Sequence[int]) -> dict[str, Any]:
    """Return milliseconds and ratios at each mark, and the counts of one turn of the concierge."""
    marks = [mark for mark in MARKS if mark < last] + [last]
    counts = {size: Counter[str]() for size in sizes}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ("peer", *map(str, sizes))}
    with tempfile.TemporaryDirectory() as name:
        async with AsyncExitStack() as stack:
            folder = Path(name)
            turns = {"peer": await stack.enter_async_context(peer(folder))}
            for size in sizes:
                opened = concierge(folder / str(size), size, counts[size])
                turns[str(size)] = await stack.enter_async_context(opened)
            for number in range(last):
                if number == last - 1:
                    for counter in counts.values():
                        counter.clear()
                for who, turn in turns.items():
                    wall, cpu = time.perf_counter(), time.process_time()
                    await turn()
                    times[who].append((time.perf_counter() - wall, time.process_time() - cpu))
    rows = [_row(mark, {who: pairs[max(mark - WINDOW, 0) : mark] for who, pairs in times.items()}) for mark in marks]
    return {
        "targets": TARGETS,
        "rows": rows,
        "counts": {str(size): dict(sorted(counter.items())) for size, counter in counts.items()},
    }


def _row(mark: int, times: dict[str, list[tuple[float, float]]]) -> dict[str, Any]:
    """Return the medians at a mark in milliseconds, and their ratios to the peer's."""
    row: dict[str, Any] = {"turn": mark}
    for at, name in enumerate(("ms", "cpu_ms")):
        medians = {who: 1000 * statistics.median(pair[at] for pair in pairs) for who, pairs in times.items()}
        row[name] = {who: round(ms, 1) for who, ms in medians.items()}
        row[name.replace("ms", "ratio")] = {who: round(ms / medians["peer"], 2) for who, ms in medians.items()}
    return row


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=MARKS[-1])
    parser.add_argument("--notes", type=int, nargs="+", default=list(TARGETS))
    options = parser.parse_args()
    print(json.dumps(asyncio.run(measure(options.turns, options.notes)), indent=1))


if __name__ == "__main__":
    main()
