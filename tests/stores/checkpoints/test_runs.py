"""The writes that a saver may leave to the next checkpoint, and those that it may not."""

from __future__ import annotations

import asyncio
import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from stores.checkpoints.base import handed
from stores.checkpoints.sqlite import PrunedSqliteSaver, open_checkpointer
from tests.stores.checkpoints.test_sqlite import config, rows


class Done(TypedDict):
    by: Annotated[list[str], operator.add]


class Steps:
    """The steps of a graph, which count their runs; `slow` waits for the others, and fails until it is repaired."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.quick_is_done = asyncio.Event()
        self.is_broken = True

    async def first(self, state: Done) -> Done:
        self.ran.append("first")
        return {"by": ["first"]}

    async def quick(self, state: Done) -> Done:
        self.ran.append("quick")
        asyncio.get_running_loop().call_later(0, self.quick_is_done.set)
        return {"by": ["quick"]}

    async def slow(self, state: Done) -> Done:
        self.ran.append("slow")
        await self.quick_is_done.wait()
        if self.is_broken:
            raise RuntimeError("broken")
        return {"by": ["slow"]}


def side_by_side(steps: Steps) -> StateGraph[Any]:
    graph = StateGraph(Done)
    for name in ("first", "quick", "slow"):
        graph.add_node(name, getattr(steps, name))
    for before, after in ((START, "first"), ("first", "quick"), ("first", "slow"), ("quick", END), ("slow", END)):
        graph.add_edge(before, after)
    return graph


def sent(steps: Steps) -> StateGraph[Any]:
    graph = StateGraph(Done)
    for name in ("first", "quick", "slow"):
        graph.add_node(name, getattr(steps, name))
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", lambda _: [Send("quick", {}), Send("slow", {})], ["quick", "slow"])
    return graph


@pytest.mark.parametrize("drawn", [side_by_side, sent])
async def test_completed_task_next_to_a_failed_one_is_not_repeated(tmp_path: Path, drawn: Any) -> None:
    steps = Steps()
    async with open_checkpointer(tmp_path / "c.sqlite", keep=5) as saver:
        graph = drawn(steps).compile(checkpointer=saver)
        with pytest.raises(RuntimeError, match="broken"):
            await graph.ainvoke({"by": []}, handed(config("t"), []), durability="sync")
        steps.is_broken = False
        result = await graph.ainvoke(None, handed(config("t"), []), durability="sync")
    assert sorted(result["by"]) == ["first", "quick", "slow"]
    assert sorted(steps.ran) == ["first", "quick", "slow", "slow"]


async def _in_a_row(saver: PrunedSqliteSaver, at: Any, given: Any) -> dict[str, Any]:
    def ask(state: Done) -> Done:
        return {"by": [interrupt("Go on?")]}

    graph = StateGraph(Done)
    graph.add_node("first", Steps().first)
    graph.add_node("ask", ask)
    graph.add_edge(START, "first")
    graph.add_edge("first", "ask")
    result: dict[str, Any] = await graph.compile(checkpointer=saver).ainvoke(given, at, durability="sync")
    return result


async def test_steps_with_one_task_store_only_interrupts_and_resumes(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    async with open_checkpointer(path, keep=5) as saver:
        asked = await _in_a_row(saver, handed(config("t"), []), {"by": []})
        assert [one.value for one in asked["__interrupt__"]] == ["Go on?"]
        assert rows(path, "writes") == 1
        checkpoint = await saver.aget_tuple(config("t"))
        assert checkpoint is not None
        answered = await _in_a_row(saver, handed(config("t"), [checkpoint]), Command(resume="yes"))
        assert answered["by"] == ["first", "yes"]
        without = await _in_a_row(saver, config("u"), {"by": []})
        assert without["by"] == ["first"]
        assert rows(path, "writes") > 4
