"""A traveller who has rooms proposed, approves some and rejects others: what the kills of an approval disturb."""

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
    """An agent that searches and books as many rooms as it is asked for; no other model helps."""
    none = scripted(AIMessage("No."))
    return {"agent": scripted(_answer), "summary": none, "consolidation": none}


async def propose(concierge: Concierge, count: int) -> list[str]:
    """Have `count` rooms proposed; their offers, in the order in which they are asked about."""
    reply = await concierge.send(f"Book {count}", **ANA)
    return [action["args"]["offer_id"] for action in reply.interrupts[0]["action_requests"]]


async def decide(concierge: Concierge, letters: str) -> str:
    """Answer for each proposal, in order: `a` approves it, `r` rejects it. Gives what is said then."""
    return (await concierge.resume(decisions(letters), **ANA)).text


async def decide_unguarded(concierge: Concierge, letters: str) -> str:
    """The same past the lock of the conversation, as where another program runs the graph."""
    config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
    given: Command[Any] = Command(resume=decisions(letters))
    state = await concierge.graph.ainvoke(cast(Any, given), config, context=Context(user_id=USER), durability="sync")
    return str(state["messages"][-1].text)


async def book(concierge: Concierge, offer: str) -> str:
    """Book straight in the ledger, under a key that never changes. Gives the reference."""
    return (await concierge.bookings(USER).book(offer, "one key", thread_id=THREAD)).reference


async def look(concierge: StruckConcierge, offers: Sequence[str]) -> None:
    """Look at the question and at these offers, which loads what a booking needs: a kill then comes in its midst."""
    await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    for offer in offers:
        await concierge.seller.offer(offer)


async def settle(concierge: Concierge, letters: str, *, patient: bool) -> None:
    """What a client does after a crash: it finishes the run, or sends its answer again while it sees the question."""
    state = await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    if patient and state.tasks:
        await concierge.resume(**ANA)
        state = await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})
    if state.interrupts:
        await decide(concierge, letters)
    elif state.tasks:
        await concierge.resume(**ANA)


def decisions(letters: str) -> dict[str, Any]:
    """`a` and `r` as decisions."""
    return {"decisions": [{"type": {"a": "approve", "r": "reject"}[letter]} for letter in letters]}


async def check(concierge: Concierge, folder: Path, offers: Sequence[str], letters: str) -> None:
    """Each approved offer was booked once, in every place where it leaves a trace; each rejected one nowhere."""
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
    await _check_told(concierge, letters)


async def _check_told(concierge: Concierge, letters: str) -> None:
    told = [message for message in await _messages(concierge) if message.type == "tool"][1:]
    assert len(told) == len(letters)
    by_call = {str(message.tool_call_id): str(message.content) for message in told}
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
    """What the inventory has given out, checked to be taken under these keys and no others."""
    with closing(sqlite3.connect(folder / "travel" / INVENTORY_FILE)) as db:
        reserved = sorted(db.execute("SELECT key, offer_id, status FROM reservation"))
        taken = {key for (key,) in db.execute("SELECT key FROM taken")}
    assert taken == {key for key, _, _ in reserved}
    return reserved


def _answer(messages: Sequence[BaseMessage]) -> AIMessage:
    """Search when asked to, book what was found, and say so in the end."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        days = {"check_in": "2026-12-08", "check_out": "2026-12-11"}
        return calls("search_hotels", "search", city="Lisbon", limit=int(str(last.text).split()[-1]), **days)
    if getattr(last, "name", "") == "search_hotels":
        found = json.loads(str(last.content))["results"]
        return AIMessage("", tool_calls=[_book(one["offer_id"], place) for place, one in enumerate(found)])
    return AIMessage("Done.")


def _book(offer_id: str, place: int) -> ToolCall:
    return ToolCall(name="book_offer", args={"offer_id": offer_id}, id=f"book {place}")
