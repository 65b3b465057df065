"""Interrupts of a developer's own tools and nodes: the traveller's answer reaches them as it is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from app.api import acting, open_concierge
from config.errors import InvalidInputError, NotFoundError
from config.settings import Settings
from graph.context import Context
from graph.state import State, StopReason
from tests.graph.test_extending import table_for
from tests.scripted import calls, scripted

Make = Callable[..., Settings]
ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}
THREAD: Any = {"configurable": {"thread_id": "t"}}


async def where(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    return {"added_instructions": f"They are {interrupt('Where are you?')!r}."}


@tool
def locker(size: str) -> str:
    """Rent a locker."""
    return f"locker for {size}: {interrupt({'question': f'Which code for the {size}?'})}"


@pytest.mark.parametrize("answer", ["downtown", {"at": ["home", 5]}, ["approve"], False, "", 0])
async def test_node_gets_the_answer_as_it_is(make_settings: Make, answer: Any) -> None:
    agent = scripted(AIMessage("Welcome."))
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=[where]) as concierge:
        asked = await concierge.send("Hello", **ANA)
        assert (asked.interrupts, asked.stop_reason) == (("Where are you?",), StopReason.AWAITING_APPROVAL)
        assert await concierge.waiting(**ANA) == ("Where are you?",)
        assert (await concierge.resume(**ANA)).interrupts == ("Where are you?",)
        done = await concierge.resume(answer, **ANA)
        assert (done.text, done.interrupts) == ("Welcome.", ())
        assert str(agent.asked[0][0].content).endswith(f"They are {answer!r}.")
        with pytest.raises(NotFoundError):
            await concierge.resume(answer, **ANA)


@pytest.mark.parametrize("acts", [False, True])
async def test_tools_that_ask_in_one_step_are_answered_in_turn(make_settings: Make, acts: bool) -> None:
    both = [*calls("locker", size="bag").tool_calls, *calls("locker", "call_2", size="bike").tool_calls]
    agent = scripted(AIMessage("", tool_calls=both), AIMessage("Done."))
    own: Any = [acting(locker, lambda size: f"Rent a locker for a {size}.") if acts else locker]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own) as concierge:
        reply = await concierge.send("Two lockers", **ANA)
        reply = await concierge.resume("approve", **ANA) if acts else reply
        for size in ("bag", "bike"):
            assert reply.interrupts[0] == {"question": f"Which code for the {size}?"}
            reply = await concierge.resume(f"code of {size}", **ANA)
        assert [use.result for use in reply.tools] == ["locker for bag: code of bag", "locker for bike: code of bike"]


async def test_answer_reaches_the_tool_that_asked_whichever_asks_first(make_settings: Make) -> None:
    last_asked = threading.Event()

    @tool
    def room(which: str) -> str:
        """Reserve a room."""
        if which == "first":
            assert last_asked.wait(30)
        try:
            return f"{which}: {interrupt(which)}"
        finally:
            last_asked.set()

    both = [*calls("room", which="first").tool_calls, *calls("room", "call_2", which="last").tool_calls]
    agent = scripted(AIMessage("", tool_calls=both), AIMessage("Done."))
    async with open_concierge(make_settings(), models={"agent": agent}, tools=[room]) as concierge:
        reply = await concierge.send("Two rooms", **ANA)
        while reply.interrupts:
            reply = await concierge.resume(f"for {reply.interrupts[0]}", **ANA)
        assert [use.result for use in reply.tools] == ["first: for first", "last: for last"]


async def test_approval_is_still_checked_before_and_after_a_question_of_its_tool(make_settings: Make) -> None:
    done: list[tuple[str, int]] = []

    @tool
    def reserve(people: int) -> str:
        """Reserve a table."""
        done.append((interrupt("In whose name?"), people))
        return "reserved"

    agent = scripted(calls("reserve", people=2), AIMessage("Done."))
    own = [acting(reserve, table_for)]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own) as concierge:
        await concierge.send("A table for two", **ANA)
        with pytest.raises(InvalidInputError, match="Nothing was done"):
            await concierge.resume("downtown", **ANA)
        assert (await concierge.resume("approve", **ANA)).interrupts == ("In whose name?",)
        assert done == []
        assert (await concierge.resume("Ana's", **ANA)).text == "Done."
        assert done == [("Ana's", 2)]


@pytest.mark.parametrize("answer", ["4111111111111111", "my card is 4111 1111 1111 1111"])
async def test_answer_is_masked(make_settings: Make, answer: str) -> None:
    agent = scripted(AIMessage("Welcome."))
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=[where]) as concierge:
        await concierge.send("Hello", **ANA)
        await concierge.resume(answer, **ANA)
        assert "[card number removed]" in str(agent.asked[0][0].content)
        assert "1111" not in str(agent.asked[0][0].content)


async def test_answer_of_a_graph_run_is_passed_on_and_a_dismissal_answers_nothing(make_settings: Make) -> None:
    agent = scripted(AIMessage("Welcome."))
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=[where]) as concierge:
        await concierge.send("Hello", **ANA)
        graph, context = concierge.graph, Context(user_id="ana")
        await graph.ainvoke(Command(goto=END), THREAD, context=context)
        assert agent.asked == []
        assert await concierge.waiting(**ANA) == ("Where are you?",)
        await graph.ainvoke(Command(resume="downtown"), THREAD, context=context)
        assert str(agent.asked[0][0].content).endswith("They are 'downtown'.")


async def test_message_instead_of_an_answer_begins_a_new_turn(make_settings: Make) -> None:
    agent = scripted(calls("locker", size="bag"), AIMessage("As you like."))
    async with open_concierge(make_settings(), models={"agent": agent}, tools=[locker]) as concierge:
        await concierge.send("A locker", **ANA)
        assert (await concierge.send("Never mind", **ANA)).text == "As you like."
        assert await concierge.waiting(**ANA) == ()


async def test_tool_that_hangs_after_its_answer_ends_with_the_turn(make_settings: Make) -> None:
    @tool
    async def tides(port: str) -> str:
        """Return the tides of a port."""
        interrupt("Today?")
        await asyncio.Event().wait()
        return port

    agent = scripted(calls("tides", port="Faro"), AIMessage("No tides."))
    async with open_concierge(make_settings(turn_timeout=2), models={"agent": agent}, tools=[tides]) as concierge:
        await concierge.send("When is high tide?", **ANA)
        assert (await concierge.resume("yes", **ANA)).tools[0].outcome == "failed"
