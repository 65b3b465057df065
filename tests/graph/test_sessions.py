"""Automatic ends of sessions, after silence or many turns: each once, and across restarts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from app.api.reply import is_idle
from config.errors import SetupError
from config.settings import Settings
from graph.builder import build_graph
from graph.context import Context
from memory.records.conversations import idle_sessions
from tests.conftest import Clock, Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.samples import HistorySummary
from tests.scripted import calls, scripted

HOUR = timedelta(hours=1)


async def test_silent_session_is_swept_once_even_after_a_restart(concierge_with: Opener, clock: Clock) -> None:
    models: dict[Any, Any] = {"agent": scripted(save("I am vegetarian"), AIMessage("Noted.")), "consolidation": NO_PLAN}
    async with concierge_with(models) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        assert await concierge.sweep(idle=HOUR) == []
    clock.move(hours=2)
    async with concierge_with(models) as concierge:
        (ended,) = await concierge.sweep(idle=HOUR)
        assert [done["op"] for done in ended.memory.consolidated] == ["ADD"]
        assert await concierge.sweep(idle=HOUR) == []
        assert len(await concierge.memory(ANA["user_id"]).notes()) == 1


async def test_new_message_postpones_the_sweep(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        await concierge.send("hi", **ANA)
        clock.move(minutes=50)
        await concierge.send("still here", **ANA)
        clock.move(minutes=50)
        assert await concierge.sweep(idle=HOUR) == []
        clock.move(minutes=10)
        assert len(await concierge.sweep(idle=HOUR)) == 1


async def test_session_is_open_before_its_first_answer(make_settings: Callable[..., Settings], clock: Clock) -> None:
    store = InMemoryStore()
    at: Any = {"configurable": {"thread_id": ANA["thread_id"]}}
    graph = build_graph(make_settings(), checkpointer=InMemorySaver(), store=store, clock=clock)
    given: Any = {"messages": [HumanMessage("hi")]}
    await graph.ainvoke(given, at, context=Context(user_id=ANA["user_id"]), interrupt_before=["agent"])
    (found,) = await idle_sessions(store, clock())
    assert (found.user_id, found.thread_id, found.turn) == (ANA["user_id"], ANA["thread_id"], 1)


async def test_long_session_is_consolidated_midway(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), AIMessage("Hello."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}, session_max_turns=3) as concierge:
        written = []
        for n in range(7):
            await concierge.send("I am vegetarian" if n == 0 else f"message {n}", **ANA)
            written.append(len(await concierge.memory(ANA["user_id"]).notes()))
        assert written == [0, 0, 1, 1, 1, 1, 1]
        assert len(await concierge.memory(ANA["user_id"]).episodes()) == 2


async def test_ended_cleared_or_temporary_session_is_not_swept(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        await concierge.send("hi", **ANA)
        await concierge.end_session(**ANA)
        await concierge.send("hi", user_id="bob", thread_id="cleared")
        await concierge.clear_thread(user_id="bob", thread_id="cleared")
        await concierge.send("hi", user_id="eve", thread_id="temporary", memory_mode="off")
        clock.move(days=1)
        assert await concierge.sweep(idle=HOUR) == []


async def test_session_with_a_new_message_is_not_ended(concierge_with: Opener, clock: Clock) -> None:
    config: Any = {"configurable": {"thread_id": ANA["thread_id"]}}
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        await concierge.send("hi", **ANA)
        store = concierge.graph.store
        assert store is not None
        (found,) = await idle_sessions(store, clock())
        assert await is_idle(concierge.graph, store, found, config)
        clock.move(minutes=1)
        await concierge.send("still here", **ANA)
        assert not await is_idle(concierge.graph, store, found, config)
        clock.move(minutes=50)
        await concierge.send("between us", **ANA, memory_mode="off")  # a temporary message postpones the end too
        clock.move(minutes=50)
        assert await concierge.sweep(idle=HOUR) == []
        await concierge.end_session(**ANA)
        assert not await is_idle(concierge.graph, store, found, config)


async def test_run_without_a_thread_id_is_rejected(make_settings: Callable[..., Settings]) -> None:
    graph = build_graph(make_settings(), store=InMemoryStore())
    with pytest.raises(SetupError, match="thread_id"):
        await graph.ainvoke({"messages": [HumanMessage("hi")]}, context=Context(user_id="ana"))


@pytest.mark.parametrize("mode", ["trim", "summarize"])
async def test_changed_turn_limit_applies_from_the_next_prompt(concierge_with: Opener, mode: str) -> None:
    agent = scripted(AIMessage("Ok."))
    async with concierge_with({"agent": agent}, history_mode=mode) as concierge:
        for number in range(8):
            await concierge.send(f"turn {number}", user_id="ana", thread_id="t")
        await concierge.set_max_turns(2, user_id="ana", thread_id="t")
        await concierge.send("now", user_id="ana", thread_id="t")
        shown = [str(message.text) for message in agent.asked[-1] if message.type == "human"]
        assert shown == (["turn 7", "now"] if mode == "trim" else ["turn 6", "turn 7", "now"])


async def test_failing_summary_does_not_grow_the_prompt(concierge_with: Opener) -> None:
    agent, writer = scripted(AIMessage("Ok.")), scripted(RuntimeError("the model is down"))
    settings: dict[str, Any] = {"context_limit": 3, "keep_last_n_turns": 1}
    async with concierge_with({"agent": agent, "summary": writer}, **settings) as concierge:
        for number in range(14):
            await concierge.send(f"turn {number}", user_id="ana", thread_id="t")
        turns = [[str(one.text) for one in asked if one.type == "human"] for asked in agent.asked]
        assert [len(shown) for shown in turns] == [1, 2, 3, *[4] * 11]
        assert turns[-1] == ["turn 10", "turn 11", "turn 12", "turn 13"]
        sizes = [len(str(asked[0].content)) for asked in writer.asked]
        assert len(sizes) > 8
        assert max(sizes) == sizes[0]
        summed = dict.fromkeys(HistorySummary.model_fields, "UNVERIFIED") | {"trip": "Rome."}
        writer.script.append(calls("HistorySummary", **summed))
        await concierge.send("turn 14", user_id="ana", thread_id="t")
        texts = [entry.text for entry in await concierge.history(user_id="ana", thread_id="t")]
        assert next(text for text in texts if text.startswith("turn ")) == "turn 3"
        whole = [entry.text for entry in await concierge.full_history(user_id="ana", thread_id="t")]
        assert [text for text in whole if text.startswith("turn ")] == [f"turn {number}" for number in range(15)]
