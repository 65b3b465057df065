"""Only what was shown runs: edits, and terms that changed meanwhile, are shown again first."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from app.api.concierge import Concierge
from app.api.reply import Reply, Step
from config.errors import AccessDeniedError, ConflictError, InvalidInputError, NotFoundError
from graph.context import Context
from tests.conftest import Clock, Opener
from tests.scripted import ScriptedModel, calls, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}


def booker() -> ScriptedModel:
    """Searches flights and books as many results as the message says, or calls the tool that it names."""

    def answer(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, HumanMessage):
            name, _, args = str(last.text).partition(" ")
            if name != "book":
                return calls(name, **with_offers(json.loads(args), messages))
            return calls("search_flights", origin="Berlin", destination="Lisbon", departing="2026-12-08", limit=5)
        asked = next(str(one.text) for one in reversed(messages) if isinstance(one, HumanMessage))
        if getattr(last, "name", "") != "search_flights" or not asked.startswith("book "):
            return AIMessage("Done.")
        results = json.loads(str(last.content))["results"][: int(asked.split()[-1])]
        return AIMessage(
            "",
            tool_calls=[
                {"name": "book_offer", "args": {"offer_id": one["offer_id"]}, "id": f"book{at}"}
                for at, one in enumerate(results)
            ],
        )

    return scripted(answer)


def with_offers(args: dict[str, Any], messages: Sequence[BaseMessage]) -> dict[str, Any]:
    """Return the arguments, with the ids of offers instead of their places among the latest flights found."""
    named = {key: place for key, place in args.items() if key.endswith("offer_id")}
    if not named:
        return args
    answer = next(str(one.content) for one in reversed(messages) if getattr(one, "name", "") == "search_flights")
    results = json.loads(answer)["results"]
    return {**args, **{key: results[place]["offer_id"] for key, place in named.items()}}


def call_message(name: str, **args: Any) -> str:
    """Return a message that lets the agent call this tool; offers are named by their place among those found."""
    return f"{name} {json.dumps(args)}"


def actions(reply: Reply) -> list[dict[str, Any]]:
    (request,) = reply.interrupts
    return [dict(one) for one in request["action_requests"]]


def edit(**args: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": "book_offer", "args": args}}


async def booked(concierge: Concierge) -> list[tuple[str, int]]:
    return sorted((one.offer["id"], one.extra_bags) for one in await concierge.bookings("ana").all())


async def test_edit_is_shown_with_its_price_before_it_runs(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (first,) = actions(await concierge.send("book 1", **ANA))
        wanted = {**first["args"], "extra_bags": 2}
        again = await concierge.resume({"decisions": [edit(**wanted)]}, **ANA)
        assert "shown before" in again.interrupts[0]["error"]
        (shown,) = actions(again)
        assert shown["args"] == wanted
        assert "Extra checked bags: 2" in shown["description"]
        assert await booked(concierge) == []
        assert (await concierge.resume("approve", **ANA)).interrupts == ()
        (kept,) = await concierge.bookings("ana").all()
        assert kept.extra_bags == 2
        assert str(kept.paid) in shown["description"]


async def test_edit_that_changes_nothing_runs_at_once(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (first,) = actions(await concierge.send("book 1", **ANA))
        assert (await concierge.resume({"decisions": [edit(**first["args"])]}, **ANA)).interrupts == ()
        assert await booked(concierge) == [(first["args"]["offer_id"], 0)]


async def test_only_the_edited_call_is_shown_again_and_nothing_runs_before(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        one, two, three = (one["args"]["offer_id"] for one in actions(await concierge.send("book 3", **ANA)))
        decided = [{"type": "approve"}, edit(offer_id=two, extra_bags=1), {"type": "reject"}]
        again = await concierge.resume({"decisions": decided}, **ANA)
        assert [action["args"] for action in actions(again)] == [{"offer_id": two, "extra_bags": 1}]
        assert await booked(concierge) == []
        with pytest.raises(InvalidInputError, match="1 actions wait, and 3 decisions came"):
            await concierge.resume({"decisions": decided}, **ANA)
        third = await concierge.resume({"decisions": [edit(offer_id=two, extra_bags=3)]}, **ANA)
        assert [action["args"]["extra_bags"] for action in actions(third)] == [3]
        await concierge.resume("approve", **ANA)
        assert await booked(concierge) == sorted([(one, 0), (two, 3)])
        answers = await tool_answers(concierge)
        assert sum("rejected" in text for text in answers) == 1
        assert len(answers) == 4
        assert three not in str(await booked(concierge))


async def test_approval_of_the_first_version_does_not_apply_to_the_edit(
    concierge_with: Opener,
) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (one,) = (one["args"]["offer_id"] for one in actions(await concierge.send("book 1", **ANA)))
        answers: Any = await asyncio.gather(
            concierge.resume({"decisions": [edit(offer_id=one, extra_bags=1)]}, **ANA),
            concierge.resume("approve", **ANA),
            return_exceptions=True,
        )
        assert actions(answers[0])[0]["args"]["extra_bags"] == 1
        assert isinstance(answers[1], NotFoundError)
        assert await booked(concierge) == []


async def test_decision_does_not_apply_to_the_next_question(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (one,) = (one["args"]["offer_id"] for one in actions(await concierge.send("book 1", **ANA)))
        asked = await concierge.resume({"decisions": [edit(offer_id=one, extra_bags=1)]}, **ANA)
        again = await concierge.resume(**ANA)  # as after a crash
        assert again.interrupts == asked.interrupts
        assert await booked(concierge) == []
        config: Any = {"configurable": {"thread_id": "t"}}
        await concierge.graph.ainvoke(None, config, context=Context(user_id="ana"))  # as another program may
        assert await booked(concierge) == []
        assert (await concierge.resume("approve", **ANA)).interrupts == ()
        assert await booked(concierge) == [(one, 1)]


async def test_edited_call_can_still_be_rejected(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (one,) = (one["args"]["offer_id"] for one in actions(await concierge.send("book 1", **ANA)))
        await concierge.resume({"decisions": [edit(offer_id=one, extra_bags=1)]}, **ANA)
        assert (await concierge.resume("reject", **ANA)).interrupts == ()
        assert await booked(concierge) == []


async def test_invalid_edit_after_a_valid_one_keeps_the_valid_one(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        (one,) = (one["args"]["offer_id"] for one in actions(await concierge.send("book 1", **ANA)))
        await concierge.resume({"decisions": [edit(offer_id=one, extra_bags=1)]}, **ANA)
        again = await concierge.resume({"decisions": [edit(offer_id=one, extra_bags=50)]}, **ANA)
        assert "extra_bags" in again.interrupts[0]["error"]
        assert [action["args"] for action in actions(again)] == [{"offer_id": one, "extra_bags": 1}]
        clock.move(hours=2)  # The offer has expired: neither version is booked.
        assert (await concierge.resume("approve", **ANA)).interrupts == ()
        assert await booked(concierge) == []


async def test_terms_that_changed_meanwhile_are_shown_again(concierge_with: Opener, clock: Clock) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        await concierge.send("book 1", **ANA)
        await concierge.resume("approve", **ANA)
        (kept,) = await concierge.bookings("ana").all()
        (before,) = actions(await concierge.send(call_message("cancel_booking", booking=kept.reference), **ANA))
        assert f"Paid back: {kept.paid}" in before["description"]
        clock.move(hours=25)  # free cancellation has ended
        again = await concierge.resume("approve", **ANA)
        (now,) = actions(again)
        assert f"Paid back: {kept.paid}" not in now["description"]
        assert await concierge.bookings("ana").all() == [kept]
        await concierge.resume("reject", **ANA)
        assert await concierge.bookings("ana").all() == [kept]
        with pytest.raises(NotFoundError):
            await concierge.resume("approve", **ANA)


async def test_a_cancellation_is_shown_again_if_the_booking_beside_it_can_no_longer_be_made(
    concierge_with: Opener, clock: Clock
) -> None:
    old: list[str] = []

    def answer(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, HumanMessage):
            return calls("search_flights", origin="Berlin", destination="Lisbon", departing="2026-12-08", limit=5)
        if getattr(last, "name", "") != "search_flights":
            return AIMessage("Done.")
        offers = [one["offer_id"] for one in json.loads(str(last.content))["results"]]
        books = {"name": "book_offer", "args": {"offer_id": offers[len(old)]}, "id": f"book{len(old)}"}
        cancels = [{"name": "cancel_booking", "args": {"booking": each}, "id": "cancel"} for each in old]
        return AIMessage("", tool_calls=[books, *cancels])

    async with concierge_with({"agent": scripted(answer)}) as concierge:
        await concierge.send("Book it", **ANA)
        await concierge.resume("approve", **ANA)
        (kept,) = await concierge.bookings("ana").all()
        old.append(kept.reference)
        both = actions(await concierge.send("Replace it", **ANA))
        assert [each["name"] for each in both] == ["book_offer", "cancel_booking"]
        clock.move(hours=2)  # the new offer has run out
        (left,) = actions(await concierge.resume("approve", **ANA))
        assert left["name"] == "cancel_booking"
        assert await concierge.bookings("ana").all() == [kept]
        await concierge.resume("reject", **ANA)
        assert await concierge.bookings("ana").all() == [kept]


async def test_seats_are_shown_with_their_flights_those_kept_and_those_given_up(
    concierge_with: Opener,
) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        asked = {"origin": "Berlin", "destination": "Lisbon", "departing": "2026-12-08", "returning": "2026-12-12"}
        await concierge.send(call_message("search_flights", cabin="business", **asked), **ANA)
        results = json.loads((await tool_answers(concierge))[-1])["results"]
        assert len(results) >= 2
        await concierge.send(call_message("seat_map", offer_id=0), **ANA)
        segments = json.loads((await tool_answers(concierge))[-1])["segments"]
        seats = [{"segment": one["segment"], "seat": one["free"]["aisle"][-1].split()[0]} for one in segments]
        names = [f"{seat['seat']} on {one['flight']}" for seat, one in zip(seats, segments, strict=True)]
        booking = call_message("book_offer", offer_id=0, seats=seats[:1])
        assert f"Seats {names[0]}." in actions(await concierge.send(booking, **ANA))[0]["description"]
        await concierge.resume("approve", **ANA)
        (kept,) = await concierge.bookings("ana").all()
        more = call_message("choose_seats", booking=kept.reference, seats=seats[-1:])
        shown = actions(await concierge.send(more, **ANA))[0]["description"]
        assert f"Seats {names[0]}, {names[-1]}" in shown
        await concierge.resume("approve", **ANA)
        change = call_message("change_booking", booking=kept.reference, new_offer_id=1)
        shown = actions(await concierge.send(change, **ANA))[0]["description"]
        assert f"Seats {names[0]}, {names[-1]} are given up and not paid back." in shown


async def tool_answers(concierge: Concierge) -> list[str]:
    return [entry.text for entry in await concierge.history(**ANA) if entry.role == "tool"]


async def test_open_question_is_asked_again_with_current_terms(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        shown = actions(await concierge.send("book 1", **ANA))
        with pytest.raises(ConflictError):
            await concierge.ask_again(**ANA)
        assert (await concierge.send(call_message("list_bookings"), **ANA)).interrupts == ()
        assert await booked(concierge) == []
        assert actions(await concierge.ask_again(**ANA)) == shown
        assert await booked(concierge) == []
        assert (await concierge.resume("approve", **ANA)).interrupts == ()
        assert await booked(concierge) == [(shown[0]["args"]["offer_id"], 0)]
        with pytest.raises(NotFoundError):
            await concierge.ask_again(**ANA)
        texts = [one.text for one in await concierge.full_history(**ANA) if one.role == "user"]
        assert texts == ["book 1", call_message("list_bookings")]


async def test_question_asked_again_is_not_lost_to_a_message_sent_at_the_same_time(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        shown = actions(await concierge.send("book 1", **ANA))
        await concierge.send(call_message("list_bookings"), **ANA)
        message = concierge.send(call_message("list_bookings"), **ANA)
        asked, _ = await asyncio.gather(concierge.ask_again(**ANA), message)
        assert actions(asked) == shown


@pytest.mark.parametrize(("decision", "expected"), [("approve", "is booked"), ("reject", "I did not do that")])
async def test_offline_model_reports_only_actual_outcomes(concierge_with: Opener, decision: str, expected: str) -> None:
    async with concierge_with() as concierge:
        await concierge.send("Flights from Berlin to Lisbon, 10 to 14 December, 2 adults", **ANA)
        await concierge.send("book 1", **ANA)
        answer = await concierge.send("what do you know about me?", **ANA)
        await concierge.ask_again(**ANA)
        reply = await concierge.resume(decision, **ANA)
        assert expected in reply.text
        assert answer.text.splitlines()[0] not in reply.text
        assert "I have nothing on that" not in reply.text


async def test_only_the_owner_can_repeat_the_question(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        await concierge.send("book 1", **ANA)
        await concierge.send(call_message("list_bookings"), **ANA)
        with pytest.raises(AccessDeniedError):
            await concierge.ask_again(user_id="eve", thread_id="t")
        with pytest.raises(NotFoundError):
            await concierge.ask_again(user_id="ana", thread_id="another")
        assert await booked(concierge) == []


async def test_steps_are_streamed_as_they_begin(concierge_with: Opener) -> None:
    async with concierge_with({"agent": booker()}) as concierge:
        events = [event async for event in concierge.stream("book 1", **ANA)]
        steps = [event.name for event in events if isinstance(event, Step)]
        assert steps == ["search_flights", "thinking", "book_offer"]
        events = [event async for event in concierge.stream_resume("approve", **ANA)]
        assert isinstance(events[-1], Reply)
        assert [event.name for event in events if isinstance(event, Step)] == ["thinking"]
