from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, TypedDict
from uuid import UUID

import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import ALL_CAPABILITIES
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from config.errors import InvalidInputError, StorageError
from stores.checkpoints.sqlite import PrunedSqliteSaver, open_checkpointer
from stores.encryption import Cipher


class Chat(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}


def chat_graph(saver: PrunedSqliteSaver) -> Any:
    builder = StateGraph(Chat)
    builder.add_node("echo", lambda state: {"messages": [("ai", str(len(state["messages"])))]})
    builder.add_edge(START, "echo")
    return builder.compile(checkpointer=saver)


def rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("cipher", [None, Cipher(bytes(32))], ids=["readable", "encrypted"])
async def test_public_conformance_suite_passes_with_every_capability(tmp_path: Path, cipher: Cipher | None) -> None:
    opened = 0

    @checkpointer_test(name="PrunedSqliteSaver")
    async def saver() -> AsyncGenerator[BaseCheckpointSaver[str], None]:
        nonlocal opened
        opened += 1
        async with open_checkpointer(tmp_path / f"{opened}.sqlite", keep=50, cipher=cipher) as found:
            yield found

    report = await validate(saver)
    failures = [failure for result in report.results.values() for failure in result.failures or []]
    assert failures == []
    assert {name for name, result in report.results.items() if result.passed} == {c.value for c in ALL_CAPABILITIES}


async def test_thread_keeps_its_newest_checkpoints_and_every_message(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    async with open_checkpointer(path, keep=3) as saver:
        graph = chat_graph(saver)
        for turn in range(10):
            await graph.ainvoke({"messages": [("user", str(turn))]}, config("t"))
            await graph.ainvoke({"messages": [("user", str(turn))]}, config("other"))
        state = await graph.aget_state(config("t"))
        assert len(state.values["messages"]) == 20
        checkpoints = [row async for row in saver.alist(config("t"))]
        newest = [row async for row in saver.alist(config("t"), limit=2)]
    assert len(checkpoints) == 3
    assert rows(path, "checkpoints") == 6
    # the list is consistent: the oldest kept checkpoint has no parent, and in a partial list each keeps its own
    assert [row.parent_config for row in checkpoints] == [checkpoints[1].config, checkpoints[2].config, None]
    assert [row.parent_config for row in newest] == [checkpoints[1].config, checkpoints[2].config]


async def test_writes_of_pruned_checkpoints_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    async with open_checkpointer(path, keep=2) as saver:
        graph = chat_graph(saver)
        for _ in range(3):
            await graph.ainvoke({"messages": [("user", "x")]}, config("t"))
        few = rows(path, "writes")
        for _ in range(20):
            await graph.ainvoke({"messages": [("user", "x")]}, config("t"))
    assert rows(path, "writes") == few


async def test_pending_writes_and_interrupts_survive_pruning(tmp_path: Path) -> None:
    def ask(state: Chat) -> dict[str, Any]:
        return {"messages": [("ai", str(interrupt("sure?")))]}

    builder = StateGraph(Chat)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    path = tmp_path / "c.sqlite"
    for turn in range(8):
        async with open_checkpointer(path, keep=2) as saver:
            graph = builder.compile(checkpointer=saver)
            stopped = await graph.ainvoke({"messages": [HumanMessage("hi", id=str(turn))]}, config("t"))
            assert stopped["__interrupt__"][0].value == "sure?"
        async with open_checkpointer(path, keep=2) as saver:
            graph = builder.compile(checkpointer=saver)
            done = await graph.ainvoke(Command(resume=f"yes {turn}"), config("t"))
            assert done["messages"][-1].content == f"yes {turn}"


async def test_child_namespaces_of_past_tasks_are_pruned_and_persistent_ones_kept(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", keep=2) as saver:

        async def put(namespace: str) -> None:
            where: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": namespace}}
            await saver.aput(where, empty_checkpoint(), {"step": 0}, {})

        await put("memory")
        await put("child:old")
        for _ in range(3):
            await put("")
        await put("child:new")
        await put("")
        namespaces = [row.config["configurable"]["checkpoint_ns"] async for row in saver.alist(config("t"))]
    assert sorted(namespaces) == ["", "", "child:new", "memory"]


async def test_saver_can_be_read_while_listing(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", keep=5) as saver:
        graph = chat_graph(saver)
        await graph.ainvoke({"messages": [("user", "x")]}, config("t"))
        async for row in saver.alist(config("t")):
            assert await saver.aget_tuple(row.config) is not None


async def test_unregistered_types_are_read_as_plain_data_and_known_ones_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {
        "id": UUID(int=7),
        "odd": InvalidInputError("x"),
        "said": HumanMessage("hi", id="1"),
    }
    where: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    async with open_checkpointer(path, keep=2) as saver:
        await saver.aput(where, checkpoint, {}, {})
        stored = await saver.aget_tuple(where)
    assert stored is not None
    values = stored.checkpoint["channel_values"]
    assert values["id"] == UUID(int=7)
    assert values["said"] == HumanMessage("hi", id="1")
    assert not isinstance(values["odd"], InvalidInputError)


async def test_damaged_file_is_named_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    path.write_bytes(b"this is not a database at all, not even nearly" * 100)
    with pytest.raises(StorageError, match="backup") as fault:
        async with open_checkpointer(path, keep=2):
            pass
    assert str(path) in str(fault.value)
    assert path.read_bytes().startswith(b"this is not")


async def test_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StorageError, match="CONCIERGE_DATA_DIR"):
        async with open_checkpointer(tmp_path / "data" / "c.sqlite", keep=2):
            pass


async def test_full_disk_is_named_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    async with open_checkpointer(path, keep=5) as saver:
        graph = chat_graph(saver)
        await graph.ainvoke({"messages": [("user", "first")]}, config("t"))
        pages = await (await saver.conn.execute("PRAGMA page_count")).fetchone()
        assert pages is not None
        await saver.conn.execute(f"PRAGMA max_page_count = {pages[0]}")
        with pytest.raises(StorageError, match="disk is full"):
            await graph.ainvoke({"messages": [("user", "x" * 200_000)]}, config("t"))
        await saver.conn.execute("PRAGMA max_page_count = 100000")
    async with open_checkpointer(path, keep=5) as saver:
        state = await chat_graph(saver).aget_state(config("t"))
        assert state.values["messages"][0].content == "first"


@pytest.mark.parametrize("keep", [1, 0, -1])
async def test_keeping_fewer_than_two_checkpoints_is_rejected(tmp_path: Path, keep: int) -> None:
    with pytest.raises(InvalidInputError, match="at least 2"):
        async with open_checkpointer(tmp_path / "c.sqlite", keep=keep):
            pass


async def test_unknown_strategy_is_rejected(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", keep=2) as saver:
        with pytest.raises(InvalidInputError, match="keep_latest"):
            await saver.aprune(["t"], strategy="oldest")
