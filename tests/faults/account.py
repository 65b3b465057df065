"""Everything that is kept, as bytes that can be compared."""

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
    """The whole long-term store: every record of every room, by place."""
    items = await read_under(store, ())
    told = {"/".join((*item.namespace, item.key)): _settled(item.value) for item in items}
    return json.dumps(told, sort_keys=True, ensure_ascii=False, indent=1).encode()


async def state_of(concierge: Concierge, thread_id: str) -> bytes:
    """A thread's state and what its next run would begin with. The account of the latest run is no part of it."""
    snapshot = await concierge.graph.aget_state({"configurable": {"thread_id": thread_id}})
    values = {key: value for key, value in snapshot.values.items() if key not in ("messages", "report")}
    messages = [message_to_dict(message) for message in snapshot.values.get("messages", [])]
    told = _settled({"values": values, "messages": messages, "next": list(snapshot.next)})
    return json.dumps(told, sort_keys=True, ensure_ascii=False, indent=1, default=str).encode()


async def everything(concierge: StruckConcierge, *threads: str) -> bytes:
    """What is kept, and the state of these threads."""
    return b"\n".join([await kept(concierge.store), *[await state_of(concierge, thread) for thread in threads]])


def _settled(value: Any) -> Any:
    """`value` without what is drawn anew in each process: ids of runs, and of messages that we write."""
    if isinstance(value, list | tuple):
        return [_settled(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in ("ai", "tool") and "data" in value:
        value = {**value, "data": {**value["data"], "id": None}}
    return {key: _settled(item) for key, item in value.items() if key not in _RANDOM}
