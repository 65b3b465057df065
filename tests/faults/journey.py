"""A traveller who approves some proposed rooms and rejects others, for tests that kill the approval."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from app.api.concierge import Concierge
from config.errors import NotFoundError
from graph.context import Context
from tests.faults.parts import StruckConcierge
from tests.faults.story import THREAD, USER
from tests.scripted import calls, scripted
from travel.sample.world import INVENTORY_FILE

ANA: dict[str, Any] = {"user_id": USER, "thread_id": THREAD}


def models() -> dict[Any, Any]:
    """Return an agent that searches and books as many rooms as requested; the other models are of no help."""
    none = scripted(AIMessage("No."))
    return {"agent": scripted(_answer), "summary": none, "consolidation": none}


async def propose(concierge: Concierge, count: int) -> list[str]:
    """Let the agent propose `count` rooms; return their offers in order."""
    reply = await concierge.send(f"Book {count}", **ANA)
    return [action["args"]["offer_id"] for action in reply.interrupts[0]["action_requests"]]


async def decide(concierge: Concierge, letters: str) -> str:
    """Decide on the proposals in order: `a` approves, `r` rejects. Return the reply."""
    return (await concierge.resume(decisions(letters), **ANA)).text


async def decide_unguarded(concierge: Concierge, letters: str) -> str:
    """Decide without the lock of the conversation, as another program that runs the graph would."""
    config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
    command: Command[Any] = Command(resume=decisions(letters))
    state = await concierge.graph.ainvoke(cast(Any, command), config, context=Context(user_id=USER), durability="sync")
    return str(state["messages"][-1].text)


async def book(concierge: Concierge, offer: str) -> str:
    """Book directly in the ledger, under a fixed key; return the reference."""
    return (await concierge.bookings(USER).book(offer, "one key", thread_id=THREAD)).reference


async def look(concierge: StruckConcierge, offers: Sequence[str]) -> None:
    """Read the interrupt and these offers, which loads the code of a booking, so that a kill hits the booking."""
    await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    for offer in offers:
        await concierge.seller.offer(offer)


async def settle(concierge: Concierge, letters: str, *, patient: bool) -> None:
    """Act as a client does after a crash: resume the run, or decide again while the question is open."""
    state = await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    if patient and state.tasks:
        await concierge.resume(**ANA)
        state = await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    if state.interrupts:
        await decide(concierge, letters)
    elif state.tasks:
        await concierge.resume(**ANA)


def decisions(letters: str) -> dict[str, Any]:
    return {"decisions": [{"type": {"a": "approve", "r": "reject"}[letter]} for letter in letters]}


async def check(concierge: Concierge, folder: Path, offers: Sequence[str], letters: str) -> None:
    """Check that each approved offer was booked once, in all records, and each rejected one in none."""
    approved = sorted(offer for offer, letter in zip(offers, letters, strict=True) if letter == "a")
    booked = await concierge.bookings(USER).all(cancelled=True)
    assert sorted(one.offer["id"] for one in booked) == approved
    assert [(one.status, len(one.receipts), len(one.keys), one.released) for one in booked] == [
        ("booked", 1, 1, ())
    ] * len(approved)
    trips = await concierge.memory(USER).trips()
    assert len(trips) == bool(approved)
    assert {one.trip_id for one in booked} == {trip.id for trip in trips}
    journal = await concierge.memory(USER).journal()
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    assert [entry.action for entry in journal] == ["booked"] * len(approved)
    assert reserved(folder) == sorted((one.reserved_as, one.offer["id"], "confirmed") for one in booked)
    await _check_answers(concierge, letters)


async def _check_answers(concierge: Concierge, letters: str) -> None:
    answers = [message for message in await _messages(concierge) if message.type == "tool"][1:]
    assert len(answers) == len(letters)
    by_call = {str(message.tool_call_id): str(message.content) for message in answers}
    for place, letter in enumerate(letters):
        assert ('"status": "booked"' if letter == "a" else "rejected") in by_call[f"book {place}"]
    try:
        await decide(concierge, letters)
    except NotFoundError:
        return
    raise AssertionError("what is settled can be decided again")


async def _messages(concierge: Concierge) -> list[Any]:
    state = await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    assert not state.tasks
    return list(state.values["messages"])


def reserved(folder: Path) -> list[tuple[str, str, str]]:
    """Return the reservations of the inventory, which must have taken exactly their keys."""
    with closing(sqlite3.connect(folder / "travel" / INVENTORY_FILE)) as db:
        reserved = sorted(db.execute("SELECT key, offer_id, status FROM reservation"))
        taken = {key for (key,) in db.execute("SELECT key FROM taken")}
    assert taken == {key for key, _, _ in reserved}
    return reserved


def _answer(messages: Sequence[BaseMessage]) -> AIMessage:
    """Search on request, book the results, and then say so."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        days = {"check_in": "2026-12-08", "check_out": "2026-12-11"}
        return calls("search_hotels", "search", city="Lisbon", limit=int(str(last.text).split()[-1]), **days)
    if getattr(last, "name", "") == "search_hotels":
        rooms = json.loads(str(last.content))["results"]
        return AIMessage("", tool_calls=[_book(one["offer_id"], place) for place, one in enumerate(rooms)])
    return AIMessage("Done.")


def _book(offer_id: str, place: int) -> ToolCall:
    return ToolCall(name="book_offer", args={"offer_id": offer_id}, id=f"book {place}")
