"""The run that ends an idle session: for the session and turn it names, and for nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph_sdk.client import LangGraphClient

from app.api.concierge import Concierge
from config.errors import SetupError
from config.settings import Settings
from graph.builder import build_graph
from graph.context import Context
from graph.idle import Idling
from tests.conftest import Clock, Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.scripted import scripted

CONFIG: Any = {"configurable": {"thread_id": ANA["thread_id"]}}
WHO = Context(user_id=ANA["user_id"])


async def _state(concierge: Concierge) -> dict[str, Any]:
    return dict((await concierge.graph.aget_state(CONFIG)).values)


async def _end_idle(concierge: Concierge, session: str, turn: int) -> dict[str, Any]:
    given: Any = {"idle_session": {"session": session, "turn": turn}}
    await concierge.graph.ainvoke(given, CONFIG, context=WHO)
    return await _state(concierge)


def _vegetarian() -> dict[Any, Any]:
    return {"agent": scripted(save("I am vegetarian"), AIMessage("Noted.")), "consolidation": NO_PLAN}


async def test_it_ends_the_session_it_names_once(concierge_with: Opener) -> None:
    async with concierge_with(_vegetarian()) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        session = (await _state(concierge))["session"]["id"]
        ended = await _end_idle(concierge, session, turn=1)
        assert (ended["sessions"], ended["session"], ended["session_notes"]) == (1, None, [])
        assert [done["op"] for done in ended["report"]["consolidated"]] == ["ADD"]
        again = await _end_idle(concierge, session, turn=1)
        assert (again["sessions"], len(await concierge.memory(ANA["user_id"]).episodes())) == (1, 1)
        assert len(await concierge.memory(ANA["user_id"]).notes()) == 1


async def test_a_session_that_was_spoken_in_since_is_left_alone(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with(_vegetarian()) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        session = (await _state(concierge))["session"]["id"]
        await concierge.send("still here", **ANA)
        before = await _state(concierge)
        assert await _end_idle(concierge, session, turn=1) == before
        assert await _end_idle(concierge, "another session", turn=2) == before
        clock.move(hours=2)
        assert len(await concierge.sweep(idle=timedelta(hours=1))) == 1  # it stays open for whoever ends it in time
        assert len(await concierge.memory(ANA["user_id"]).notes()) == 1


async def test_a_temporary_message_puts_the_end_off(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with(_vegetarian()) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        clock.move(minutes=50)
        await concierge.send("between us", **ANA, memory_mode="off")
        clock.move(minutes=50)
        assert await concierge.sweep(idle=timedelta(hours=1)) == []


async def test_it_answers_nothing_that_a_crash_left_unanswered(concierge_with: Opener) -> None:
    models = {"agent": scripted(AIMessage("Hello.")), "consolidation": NO_PLAN}
    async with concierge_with(models) as concierge:
        await concierge.send("hi", **ANA)
        state = await _state(concierge)
        unanswered = HumanMessage("are you there?", id="late", additional_kwargs={"concierge": {"turn": 2}})
        await concierge.graph.aupdate_state(CONFIG, {"messages": [unanswered], "turns": 2}, as_node="trim_history")
        ended = await _end_idle(concierge, state["session"]["id"], turn=2)
        assert (ended["sessions"], ended["messages"][-1].id) == (1, "late")


async def test_a_server_that_does_not_answer_harms_no_turn(
    make_settings: Callable[..., Settings], caplog: pytest.LogCaptureFixture
) -> None:
    def connect() -> LangGraphClient:
        raise ConnectionError("nobody is there")

    settings = make_settings()
    graph = build_graph(
        settings,
        models={"agent": scripted(AIMessage("Hello."))},
        checkpointer=InMemorySaver(),
        store=InMemoryStore(),
        after_turn=Idling(settings, connect=connect).after_turn,
    )
    with caplog.at_level(logging.WARNING, logger="graph.idle"):
        for text in ("hi", "hi again"):
            done = await graph.ainvoke({"messages": [HumanMessage(text)]}, CONFIG, context=WHO)
            assert (done["messages"][-1].text, done["report"]["stop_reason"]) == ("Hello.", "answered")
    (warning,) = [record.getMessage() for record in caplog.records if record.name == "graph.idle"]
    assert "nobody is there" in warning
    assert "sweep" in warning


async def test_a_run_that_names_no_conversation_is_told_what_to_pass(make_settings: Callable[..., Settings]) -> None:
    graph = build_graph(make_settings(), store=InMemoryStore())
    with pytest.raises(SetupError, match="thread_id"):
        await graph.ainvoke({"messages": [HumanMessage("hi")]}, context=WHO)
