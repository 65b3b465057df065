"""A traveller's story in two sessions, with deterministic models; the fault tests interrupt it.

The agent saves every statement, and adds claims to those about seats, which code then consolidates. For the others,
the planner first names a note that does not exist, and after the refusal proposes a sound plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from app.api.concierge import Concierge
from graph.context import Context
from memory.policy.redact import redact
from memory.records.reading import user_namespace
from tests.samples import HistorySummary
from tests.scripted import calls, scripted

USER = "ana.maria@example.com"
THREAD = "t1"
SETTINGS: dict[str, Any] = {"model_provider": "offline", "context_limit": 3, "keep_last_n_turns": 2}

FIRST = ("I prefer aisle seats", "I love museums", "I am vegetarian")
SECOND = (
    "I prefer window seats",  # supersedes, by its claim
    "I love museums",  # confirms, by its words
    "I am vegetarian and love Thai curry",  # adds something, which the planner decides
    "A quiet room this time",  # is for one trip
    "My card is 4111 1111 1111 1111",  # is blocked
    "I travel with my dog",  # is new
)
LEARNT = ["I am vegetarian and love Thai curry", "I love museums", "I prefer window seats", "I travel with my dog"]
"""The notes after both sessions."""

_TOPICS = {
    "seat": "seat",
    "museum": "activity",
    "dog": "companions",
    "room": "room",
    "vegetarian": "meal",
    "card": "other",
}
_LISTED = re.compile(r"^\{.*\}$", re.MULTILINE)


def models() -> dict[Any, Any]:
    return {
        "agent": scripted(_answer),
        "summary": scripted(_summary),
        "consolidation": scripted(_plan),
    }


async def say(concierge: Concierge, text: str, *, name: str, thread_id: str = THREAD, user_id: str = USER) -> None:
    """Send a message with an id and a run id that derive from `name`."""
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id},
        "run_id": uuid5(NAMESPACE_URL, f"{thread_id}/{name}"),
    }
    given: Any = {"messages": [HumanMessage(text, id=name)]}
    await concierge.graph.ainvoke(given, config, context=Context(user_id=user_id), durability="sync")


async def begin(concierge: Concierge, store: BaseStore) -> None:
    """Run the first session and end it. The key of the user's hashes is fixed, so that two runs can be compared."""
    await store.aput(user_namespace(USER, "meta"), "hash_key", {"key": "0f" * 32}, index=False)
    for number, text in enumerate(FIRST):
        await say(concierge, text, name=f"first {number}")
    await concierge.end_session(user_id=USER, thread_id=THREAD)


async def go_on(concierge: Concierge) -> None:
    """Send the messages of the second session that have not been answered yet, as a client does after a crash."""
    if (await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})).tasks:
        await concierge.resume(user_id=USER, thread_id=THREAD)
    entries = await concierge.full_history(user_id=USER, thread_id=THREAD)
    answered = {entry.text for entry in entries if entry.role == "user" and entry.turn and entry.turn > len(FIRST)}
    for number, text in enumerate(SECOND):
        if redact(text) not in answered:  # masked text is stored masked
            await say(concierge, text, name=f"second {number}")


def _answer(messages: Sequence[BaseMessage]) -> AIMessage:
    """Save the latest statement; after the tool's answer, say so."""
    last = messages[-1]
    if not isinstance(last, HumanMessage):
        return AIMessage("Noted.")
    text = str(last.text)
    if text.startswith("Forget "):
        return calls("forget_memory", f"forget {last.id}", query=text.removeprefix("Forget "))
    topic = next((topic for word, topic in _TOPICS.items() if word in text), "")
    if not topic or text.endswith("?"):
        return AIMessage("Hello.")
    scope = "trip" if "this time" in text else "user"
    given: Any = {"text": text, "topic": topic, "quote": text, "scope": scope}
    if topic == "seat":
        side = "aisle" if "aisle" in text else "window"
        given["claims"] = [{"attribute": "seat_side", "value": side, "stance": "prefers"}]
    return calls("save_memory_note", f"save {last.id}", **given)


def _summary(messages: Sequence[BaseMessage]) -> AIMessage:
    """Return a summary of the history or of the session, as the prompt requests."""
    if "key_facts" in str(messages[0].content):
        return calls("EpisodeSummary", summary="The traveller told what they like.", topics=[], key_facts=[])
    return calls("HistorySummary", **dict.fromkeys(HistorySummary.model_fields, "UNVERIFIED"))


def _plan(messages: Sequence[BaseMessage]) -> AIMessage:
    """Return a plan that confirms a note that does not exist; after its refusal, a sound plan."""
    session, known = listed(str(messages[0].content))
    if len(messages) == 1:
        return calls("PlanProposal", operations=[_operation("CONFIRM", session, [{"id": "g99"}])])
    return calls("PlanProposal", operations=[_disposed(note, known) for note in session])


def _disposed(note: dict[str, Any], known: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if note["scope"] == "trip":
        return _operation("DROP", [note])
    for other in (one for one in known if one["topic"] == note["topic"]):
        if other["text"] == note["text"]:
            return _operation("CONFIRM", [note], [other])
        return _operation("MERGE", [note], [other], text=note["text"])
    return _operation("ADD", [note], text=note["text"])


def _operation(op: str, notes: Sequence[Any], others: Sequence[Any] = (), text: str | None = None) -> dict[str, Any]:
    named: dict[str, Any] = {"session_notes": [n["id"] for n in notes], "global_notes": [n["id"] for n in others]}
    return {**named, "reason": f"It is a case of {op}.", "op": op, "text": text}


def listed(request: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the session notes and the global notes that a request lists, one JSON object per line."""
    session, _, known = request.rpartition("<session_notes>")[2].partition("<global_notes>")
    return [json.loads(one) for one in _LISTED.findall(session)], [json.loads(one) for one in _LISTED.findall(known)]
