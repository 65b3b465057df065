"""Serialises everything that is stored, as bytes that tests can compare."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.messages import message_to_dict
from langgraph.store.base import BaseStore

from app.api.concierge import Concierge
from memory.records.reading import read_under
from tests.faults.parts import StruckConcierge

_RANDOM = ("run_id",)


async def kept(store: BaseStore) -> bytes:
    """Return every record of the long-term store, by namespace and key."""
    items = await read_under(store, ())
    records = {"/".join((*item.namespace, item.key)): _settled(item.value) for item in items}
    return json.dumps(records, sort_keys=True, ensure_ascii=False, indent=1).encode()


async def state_of(concierge: Concierge, thread_id: str) -> bytes:
    """Return a thread's state and its next nodes, without the report of the latest run."""
    snapshot = await concierge.graph.aget_state({"configurable": {"thread_id": thread_id}})
    values = {key: value for key, value in snapshot.values.items() if key not in ("messages", "report")}
    messages = [message_to_dict(message) for message in snapshot.values.get("messages", [])]
    state = _settled({"values": values, "messages": messages, "next": list(snapshot.next)})
    return json.dumps(state, sort_keys=True, ensure_ascii=False, indent=1, default=str).encode()


async def everything(concierge: StruckConcierge, *threads: str) -> bytes:
    """Return the records of the store and the states of these threads."""
    return b"\n".join([await kept(concierge.store), *[await state_of(concierge, thread) for thread in threads]])


def _settled(value: Any) -> Any:
    """Return `value` without ids that are random: those of runs, and of messages by the model and tools."""
    if isinstance(value, list | tuple):
        return [_settled(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in ("ai", "tool") and "data" in value:
        value = {**value, "data": {**value["data"], "id": None}}
    return {key: _settled(item) for key, item in value.items() if key not in _RANDOM}
