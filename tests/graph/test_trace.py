"""The trace of a run: its steps in order, their calls, and the tokens that the endpoint counted."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from graph import Trace
from tests.conftest import Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.scripted import scripted

SAID = "I am vegetarian"
USED: Any = {
    "input_tokens": 900, "output_tokens": 20, "total_tokens": 920, "input_token_details": {"cache_read": 800},
}  # fmt: skip


async def test_reply_has_the_steps_of_its_run(concierge_with: Opener) -> None:
    agent = scripted(save(SAID), AIMessage("Noted.", usage_metadata=USED))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        reply = await concierge.send(SAID, **ANA)
        phases = ["inject_memory", "agent", "tools", "agent", "distill_notes"]
        assert [step.phase for step in reply.trace] == phases
        assert [step.model_calls for step in reply.trace] == [0, 1, 0, 1, 0]
        assert [step.tool_calls for step in reply.trace] == [0, 0, 1, 0, 0]
        answered = reply.trace[3]
        assert (answered.tokens_in, answered.tokens_out, answered.cached_tokens) == (900, 20, 800)
        assert all(step.milliseconds >= 0 for step in reply.trace)
        assert SAID not in repr(reply.trace)
        ended = await concierge.end_session(**ANA)
        assert {step.phase for step in ended.trace} == {"inject_memory", "consolidate"}
        assert sum(step.model_calls for step in ended.trace) > 0


async def test_graph_run_is_traced_with_the_callback(concierge_with: Opener) -> None:
    seconds = count()
    trace = Trace(clock=lambda: next(seconds))
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        config: Any = {"configurable": {"thread_id": "t"}, "callbacks": [trace]}
        context: Any = {"user_id": "ana"}
        given: Any = {"messages": [HumanMessage("hi")]}
        await concierge.graph.ainvoke(given, config, context=context)
        assert [step.milliseconds for step in trace.steps] == [1000, 1000]  # nothing to distill
        assert {"phase": "agent", "model_calls": 1}.items() <= asdict(trace.steps[1]).items()
