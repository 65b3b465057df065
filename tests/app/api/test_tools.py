"""A reply lists every call of its turn with its outcome."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from app.api import ToolUse
from app.api.reply import tools_used
from tests.conftest import Opener
from tests.scripted import calls, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}
SEARCH: dict[str, Any] = {"origin": "Paris", "destination": "Lisbon", "departing": "2026-12-15"}


def _books(messages: Sequence[BaseMessage]) -> AIMessage:
    """Search, then propose to book the first two offers."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        return calls("search_flights", "search", **SEARCH) if "Lisbon" in last.text else AIMessage("Hello.")
    if getattr(last, "name", "") == "search_flights":
        offer_ids = [one["offer_id"] for one in json.loads(str(last.text))["results"][:2]]
        both = [ToolCall(name="book_offer", args={"offer_id": each}, id=each) for each in offer_ids]
        return AIMessage("", tool_calls=both)
    return AIMessage("Done.")


def _uses(uses: Sequence[ToolUse]) -> list[tuple[str, str]]:
    return [(use.name, use.outcome) for use in uses]


async def test_calls_wait_and_then_run_or_are_rejected(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(_books)}) as concierge:
        asked = await concierge.send("Paris to Lisbon, book it", **ANA)
        assert _uses(asked.tools) == [("search_flights", "ran"), ("book_offer", "waiting"), ("book_offer", "waiting")]
        assert asked.tools[0].arguments == SEARCH
        assert "results" in json.loads(asked.tools[0].result)
        assert asked.tools[1].result == ""
        decided = {"decisions": [{"type": "reject", "message": "too early"}, {"type": "approve"}]}
        done = await concierge.resume(decided, **ANA)
        assert _uses(done.tools) == [("search_flights", "ran"), ("book_offer", "rejected"), ("book_offer", "ran")]
        assert "too early" in done.tools[1].result
        assert (await concierge.send("hi", **ANA)).tools == ()


async def test_failed_call_has_its_error_as_result(concierge_with: Opener) -> None:
    wrong = calls("search_flights", "1", **{**SEARCH, "adults": 0})
    unknown = calls("search_flights", "2", **{**SEARCH, "origin": "Xyzzyq"})
    async with concierge_with({"agent": scripted(wrong, unknown, AIMessage("Sorry."))}) as concierge:
        first, second = (await concierge.send("Paris to Lisbon", **ANA)).tools
    assert (first.outcome, second.outcome) == ("failed", "failed")
    assert "adults" in first.result
    assert "No city or airport is called 'Xyzzyq'" in second.result


async def test_edited_call_is_listed_with_its_new_arguments(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(_books)}) as concierge:
        asked = await concierge.send("Paris to Lisbon, book it", **ANA)
        args = {**asked.tools[1].arguments, "extra_bags": 1}
        edit = {"type": "edit", "edited_action": {"name": "book_offer", "args": args}}
        await concierge.resume({"decisions": [edit, {"type": "reject"}]}, **ANA)
        done = await concierge.resume("approve", **ANA)
        assert done.tools[1] == ToolUse("book_offer", args, "ran", done.tools[1].result)


async def test_session_end_lists_no_calls(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(_books)}) as concierge:
        await concierge.send("Paris to Lisbon", **ANA)
        assert (await concierge.end_session(**ANA)).tools == ()


def test_call_that_never_ran_is_listed_as_dropped() -> None:
    asked = AIMessage("", tool_calls=[ToolCall(name="seat_map", args={}, id="1"), ToolCall(name="x", args={}, id="2")])
    answered = ToolMessage("{}", tool_call_id="1", name="seat_map")
    assert _uses(tools_used([asked, answered], is_waiting=False)) == [("seat_map", "ran"), ("x", "dropped")]
