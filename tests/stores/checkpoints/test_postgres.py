"""Thread state in PostgreSQL, with the same guarantees as in SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from itertools import count
from typing import Annotated, Any, TypedDict

import psycopg
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
from stores.checkpoints.postgres import PrunedPostgresSaver, open_postgres_checkpointer
from stores.encryption import Cipher
from tests.postgres import Server

TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


class Chat(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}


def chat_graph(saver: PrunedPostgresSaver) -> Any:
    builder = StateGraph(Chat)
    builder.add_node("echo", lambda state: {"messages": [("ai", str(len(state["messages"])))]})
    builder.add_edge(START, "echo")
    return builder.compile(checkpointer=saver)


def rows(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchall()[0][0] for table in TABLES]


@pytest.mark.parametrize("cipher", [None, Cipher(bytes(32))], ids=["readable", "encrypted"])
async def test_public_conformance_suite_passes_with_every_capability(postgres: Server, cipher: Cipher | None) -> None:
    numbers = count()

    @checkpointer_test(name="PrunedPostgresSaver")
    async def saver() -> AsyncGenerator[BaseCheckpointSaver[str], None]:
        url = postgres.url_of(f"conformance_{bool(cipher):d}_{next(numbers)}")
        async with open_postgres_checkpointer(url, keep=50, cipher=cipher) as found:
            yield found

    report = await validate(saver)
    failures = [failure for result in report.results.values() for failure in result.failures or []]
    assert failures == []
    assert {name for name, result in report.results.items() if result.passed} == {c.value for c in ALL_CAPABILITIES}


async def test_thread_keeps_its_newest_checkpoints_with_their_values_and_writes(postgres_url: str) -> None:
    async with open_postgres_checkpointer(postgres_url, keep=3) as saver:
        graph = chat_graph(saver)
        for turn in range(4):
            await graph.ainvoke({"messages": [("user", str(turn))]}, config("t"))
        few = rows(postgres_url)
        for turn in range(12):
            await graph.ainvoke({"messages": [("user", str(turn))]}, config("t"))
        state = await graph.aget_state(config("t"))
        assert len(state.values["messages"]) == 32
        checkpoints = [row async for row in saver.alist(config("t"))]
        assert [len(row.checkpoint["channel_values"].get("messages", [])) for row in checkpoints] == [32, 31, 30]
        assert rows(postgres_url) == few
        assert few[0] == 3
        await saver.adelete_thread("t")
    assert rows(postgres_url) == [0, 0, 0]


async def test_pending_writes_and_interrupts_survive_pruning(postgres_url: str) -> None:
    def ask(state: Chat) -> dict[str, Any]:
        return {"messages": [("ai", str(interrupt("sure?")))]}

    builder = StateGraph(Chat)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    for turn in range(5):
        async with open_postgres_checkpointer(postgres_url, keep=2) as saver:
            stopped = await builder.compile(checkpointer=saver).ainvoke(
                {"messages": [HumanMessage("hi", id=str(turn))]}, config("t")
            )
            assert stopped["__interrupt__"][0].value == "sure?"
        async with open_postgres_checkpointer(postgres_url, keep=2) as saver:
            done = await builder.compile(checkpointer=saver).ainvoke(Command(resume=f"yes {turn}"), config("t"))
            assert done["messages"][-1].content == f"yes {turn}"


async def test_child_namespaces_of_past_tasks_are_pruned_and_persistent_ones_kept(postgres_url: str) -> None:
    async with open_postgres_checkpointer(postgres_url, keep=2) as saver:

        async def put(namespace: str) -> None:
            where: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": namespace}}
            await saver.aput(where, empty_checkpoint(), {"step": 0}, {})

        for namespace in ("memory", "child:old", "", "", "", "child:new", ""):
            await put(namespace)
        namespaces = [row.config["configurable"]["checkpoint_ns"] async for row in saver.alist(config("t"))]
    assert sorted(namespaces) == ["", "", "child:new", "memory"]


async def test_several_processes_can_create_the_tables_concurrently(postgres_url: str) -> None:
    async def begin(name: str) -> None:
        async with open_postgres_checkpointer(postgres_url, keep=2) as saver:
            await chat_graph(saver).ainvoke({"messages": [("user", "hi")]}, config(name))

    await asyncio.gather(*(begin(str(number)) for number in range(4)))
    assert rows(postgres_url)[0] == 8


async def test_invalid_arguments_are_rejected(postgres_url: str) -> None:
    with pytest.raises(InvalidInputError, match="at least 2"):
        async with open_postgres_checkpointer(postgres_url, keep=1):
            pass
    async with open_postgres_checkpointer(postgres_url, keep=2) as saver:
        with pytest.raises(InvalidInputError, match="keep_latest"):
            await saver.aprune(["t"], strategy="oldest")
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("DROP TABLE checkpoint_blobs")
        with pytest.raises(StorageError, match="checkpoint_blobs"):
            await saver.aget_tuple(config("t"))
