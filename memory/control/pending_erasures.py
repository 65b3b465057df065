"""Lists the users whose forgetting has not reached all of their conversations, so that a sweeper finishes it."""

from __future__ import annotations

from langgraph.store.base import BaseStore, PutOp

from memory.records.namespaces import decode_label, encode_label, read_all

_ROOM = ("forgetting", "unreached")


def unreached(user_id: str, number: int) -> PutOp:
    """Return the write, in one batch with an act of forgetting, that says that its reach is still to come.

    Args:
        user_id: Who had something forgotten.
        number: The journal's number of the act.
    """
    return PutOp(_ROOM, encode_label(user_id), {"seq": number}, index=False)


async def unreached_number(store: BaseStore, user_id: str) -> int:
    """Return the number of the user's latest act that has not reached everything; 0 where there is none."""
    item = await store.aget(_ROOM, encode_label(user_id))
    return int(item.value.get("seq", 1)) if item else 0


async def set_reached(store: BaseStore, user_id: str) -> None:
    """Everything of the user is reached. Keep other writers of the user out meanwhile."""
    await store.adelete(_ROOM, encode_label(user_id))


async def users_unreached(store: BaseStore) -> list[str]:
    """Return the users of whom something is still to be reached."""
    return [decode_label(item.key) for item in await read_all(store, _ROOM)]
