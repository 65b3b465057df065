"""Many conversations of one user: each with its own statement, and one statement that all share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall

from app.api.concierge import Concierge
from tests.faults.story import USER, say
from tests.scripted import scripted

SHARED = "I love museums"
_THINGS = (
    "opera", "hiking", "surfing", "caves", "castles", "sailing", "jazz", "theatre", "cycling", "diving", "zoos",
    "vineyards", "ballet", "skiing", "climbing", "kayaking", "golf", "archery", "pottery", "stargazing",
)  # fmt: skip


def own(number: int) -> str:
    return f"I love {_THINGS[number]}"


def threads(count: int) -> list[str]:
    return [f"thread {number}" for number in range(count)]


def models() -> dict[Any, Any]:
    """Return an agent that saves both statements of a message; the other models are of no help."""
    none = scripted(AIMessage("No."))
    return {"agent": scripted(_answer), "summary": none, "consolidation": none}


async def tell(concierge: Concierge, count: int) -> None:
    for number, thread in enumerate(threads(count)):
        await say(concierge, f"{own(number)}. {SHARED}.", name=f"said {number}", thread_id=thread, user_id=USER)


def _answer(messages: Sequence[BaseMessage]) -> AIMessage:
    last = messages[-1]
    if not isinstance(last, HumanMessage):
        return AIMessage("Noted.")
    texts = [part.strip(" .") for part in str(last.text).split(". ")]
    return AIMessage("", tool_calls=[_save(text, f"{last.id} {place}") for place, text in enumerate(texts)])


def _save(text: str, id_: str) -> ToolCall:
    args = {"text": text, "topic": "activity", "quote": text}
    return ToolCall(name="save_memory_note", args=args, id=id_)
