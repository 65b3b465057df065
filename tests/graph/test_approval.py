"""Approval: calls that act for the traveller wait for a decision, and run once or never."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from config.errors import AccessDeniedError, InvalidInputError, NotFoundError
from graph.state import StopReason
from tests.conftest import Clock, Opener
from tests.scripted import ScriptedModel, calls, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}
SEARCH = calls(
    "search_flights", origin="Berlin", destination="Lisbon", departing="2026-12-08", returning="2026-12-12", limit=5
)


def booking(count: int = 1, **more: Any) -> Any:
    """Return a step that books the first `count` results of the search before it."""

    def step(messages: Sequence[BaseMessage]) -> AIMessage:
        results = json.loads(str(messages[-1].content))["results"]
        return AIMessage(
            "",
            tool_calls=[
                {"name": "book_offer", "args": {"offer_id": one["offer_id"], **more}, "id": f"book{place}"}
                for place, one in enumerate(results[:count])
            ],
        )

    return step


def agent(*then: Any) -> ScriptedModel:
    return scripted(SEARCH, *then, AIMessage("Done."))


async def test_call_runs_exactly_once_after_approval(concierge_with: Opener) -> None:
    async with concierge_with({"agent": agent(booking())}) as concierge:
        reply = await concierge.send("Book me a flight", **ANA)
        assert reply.stop_reason == StopReason.AWAITING_APPROVAL
        (request,) = reply.interrupts
        (action,) = request["action_requests"]
        assert action["name"] == "book_offer"
        assert "sample data" in action["description"]
        assert "$" in action["description"]
        assert await concierge.bookings("ana").all() == []
        done = await concierge.resume("approve", **ANA)
        assert (done.text, done.interrupts) == ("Done.", ())
        (kept,) = await concierge.bookings("ana").all()
        assert kept.status == "booked"
        assert [trip.destination for trip in await concierge.memory("ana").trips()] == ["Lisbon"]
        with pytest.raises(NotFoundError, match="Nothing waits"):
            await concierge.resume("approve", **ANA)
        assert len(await concierge.bookings("ana").all()) == 1


async def test_of_three_calls_only_the_approved_one_runs(concierge_with: Opener) -> None:
    async with concierge_with({"agent": agent(booking(3))}) as concierge:
        reply = await concierge.send("Book me three", **ANA)
        wanted = reply.interrupts[0]["action_requests"][1]["args"]["offer_id"]
        decided = [{"type": "reject", "message": "too early"}, {"type": "approve"}, {"type": "reject"}]
        await concierge.resume({"decisions": decided}, **ANA)
        assert [one.offer["id"] for one in await concierge.bookings("ana").all()] == [wanted]
        texts = [entry.text for entry in await concierge.history(**ANA) if entry.role == "tool"]
        assert any("They said: too early" in text for text in texts)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("perhaps", "approve"),
        ({"decisions": []}, "1 actions wait, and 0 decisions came"),
        ({"decisions": [{"type": "approve"}] * 2}, "2 decisions came"),
        ({"decisions": [{"type": "accept"}]}, "'accept'"),
        ([1], "approve"),
    ],
)
async def test_invalid_decision_books_nothing(concierge_with: Opener, value: Any, says: str) -> None:
    async with concierge_with({"agent": agent(booking())}) as concierge:
        await concierge.send("Book", **ANA)
        with pytest.raises(InvalidInputError, match=says):
            await concierge.resume(value, **ANA)
        assert await concierge.bookings("ana").all() == []
        await concierge.resume("approve", **ANA)
        assert len(await concierge.bookings("ana").all()) == 1


async def test_another_user_cannot_decide(concierge_with: Opener) -> None:
    async with concierge_with({"agent": agent(booking())}) as concierge:
        await concierge.send("Book", **ANA)
        with pytest.raises(AccessDeniedError):
            await concierge.resume("approve", user_id="ana2", thread_id="t")
        assert await concierge.bookings("ana").all() == []
        assert await concierge.bookings("ana2").all() == []


async def test_edited_call_is_checked_again_and_runs_as_edited(concierge_with: Opener) -> None:
    async with concierge_with({"agent": agent(booking(2))}) as concierge:
        reply = await concierge.send("Book", **ANA)
        first, second = (one["args"]["offer_id"] for one in reply.interrupts[0]["action_requests"])

        def edit(**args: Any) -> dict[str, Any]:
            action = {"name": "book_offer", "args": args}
            return {"decisions": [{"type": "edit", "edited_action": action}, {"type": "reject"}]}

        for wrong in (
            {"offer_id": "FL.nothing"}, {"offer_id": first, "extra_bags": 50}, {"offer_id": first, "bags": 1}, {},
        ):  # fmt: skip
            again = await concierge.resume(edit(**wrong), **ANA)
            assert again.stop_reason == StopReason.AWAITING_APPROVAL
            assert "Nothing was done" in again.interrupts[0]["error"] or "offer" in again.interrupts[0]["error"]
        action = {"name": "rob_a_bank", "args": {}}
        again = await concierge.resume(
            {"decisions": [{"type": "edit", "edited_action": action}, {"type": "reject"}]}, **ANA
        )
        assert "no tool rob_a_bank" in again.interrupts[0]["error"]
        assert await concierge.bookings("ana").all() == []
        await concierge.resume(edit(offer_id=second, extra_bags=1), **ANA)
        await concierge.resume("approve", **ANA)
        (kept,) = await concierge.bookings("ana").all()
        assert (kept.offer["id"], kept.extra_bags) == (second, 1)


async def test_new_message_leaves_the_question_open_and_books_nothing(concierge_with: Opener) -> None:
    model = agent(booking())
    async with concierge_with({"agent": model}) as concierge:
        await concierge.send("Book", **ANA)
        reply = await concierge.send("Wait, what's the weather?", **ANA)
        assert (reply.text, reply.interrupts) == ("Done.", ())
        texts = [str(message.content) for message in model.asked[-1] if message.type == "tool"]
        assert "did not decide" in texts[-1]
        assert await concierge.bookings("ana").all() == []
        with pytest.raises(NotFoundError):
            await concierge.resume("approve", **ANA)


async def test_unavailable_offer_is_not_proposed(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with({"agent": agent(booking())}) as concierge:
        await concierge.send("Book", **ANA)
        clock.now += timedelta(hours=2)
        reply = await concierge.resume("approve", **ANA)
        assert await concierge.bookings("ana").all() == []
        texts = [entry.text for entry in await concierge.history(**ANA) if entry.role == "tool"]
        assert "good until" in texts[-1]
        assert reply.text == "Done."


async def test_temporary_chat_can_book_but_does_not_remember(concierge_with: Opener) -> None:
    model = agent(booking())
    async with concierge_with({"agent": model}) as concierge:
        reply = await concierge.send("Book", **ANA, memory_mode="off")
        assert reply.stop_reason == StopReason.AWAITING_APPROVAL
        assert "save_memory_note" not in model.offered[0]
        assert "book_offer" in model.offered[0]
