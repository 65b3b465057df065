"""Deletes all records of a user, except the number of their latest journal entry."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from langgraph.store.base import Item, PutOp

from config.errors import ConflictError, InvalidInputError
from memory.control.forget import scrub
from memory.control.undo import CLEARED
from memory.records.journal import Step
from memory.records.reading import decode_label, held_snapshots, read_under
from memory.records.repository import UserMemory
from memory.records.transaction import settled


@dataclass(frozen=True, slots=True)
class Cleared:
    """The number of deleted records of each kind: `notes` of every status, `turns` that were archived."""

    notes: int = 0
    trips: int = 0
    episodes: int = 0
    turns: int = 0
    conversations: int = 0
    journal: int = 0
    profile: int = 0


OpenBookings = Literal["keep", "delete"]


async def clear(
    memory: UserMemory,
    confirm: str,
    *,
    conversation: Callable[[str], Awaitable[None]] | None = None,
    bookings: OpenBookings | None = None,
) -> Cleared:
    """Delete all records of a user, and their conversations with `conversation`, which deletes one thread by its id.

    The numbering of the journal continues, so that plans made before are recognised as outdated.
    """
    if confirm != memory.user_id:
        message = "Nothing was deleted. To delete everything that is remembered, confirm it with the user id, exactly."
        raise InvalidInputError(message, field="confirm", code="not_confirmed")
    if bookings not in (None, *get_args(OpenBookings)):  # any value but "keep" would delete
        message = f"Nothing was deleted: bookings={bookings!r} is neither 'keep' nor 'delete'."
        raise InvalidInputError(message, field="bookings")
    exempt = await _exempt(memory, bookings)
    threads: set[str] = set()

    async def attempt() -> list[Item]:
        seq = await memory.written()
        every = await read_under(memory.store, memory.root)
        items = [item for item in every if (item.namespace[-1], item.key) not in exempt]
        if conversation:
            for thread in _threads(items, len(memory.root)) - threads:
                await conversation(thread)
                threads.add(thread)
        deletes = [PutOp(tuple(item.namespace), item.key, None) for item in items]
        await memory.commit([Step("", "user", CLEARED)], expected_seq=seq, also=deletes)
        return items

    items = await settled(attempt)
    held_snapshots(memory.store).pop(memory.root, None)
    await scrub(memory.store)
    rooms = Counter(item.namespace[len(memory.root)] for item in items)
    counts = {name: rooms[name] for name in ("notes", "trips", "episodes", "journal", "profile")}
    turns = sum(item.namespace[len(memory.root)] == "archive" and "-" not in item.key for item in items)
    return Cleared(**counts, turns=turns, conversations=len(threads))


async def _exempt(memory: UserMemory, bookings: OpenBookings | None) -> set[tuple[str, str]]:
    exempt = {("meta", "hash_key")}  # reveals nothing; the erasures of earlier exports are recognised by it
    every = [item.value for item in await read_under(memory.store, (*memory.root, "bookings"))]
    still_open = [one for one in every if one.get("status") in ("booked", "held")]
    if still_open and bookings is None:
        listed = "; ".join(f"{one.get('reference')} ({one.get('title')}, {one.get('status')})" for one in still_open)
        raise ConflictError(
            f"Nothing was deleted: these bookings are open: {listed}. Say what becomes of them (bookings): "
            "'keep' keeps them with their trips, 'delete' deletes what is known of them here and cancels none. To "
            "cancel one, do it first."
        )
    for one in still_open if bookings == "keep" else ():
        exempt |= {("bookings", str(one.get("id"))), ("trips", str(one.get("trip_id")))}
    return exempt


def _threads(items: Sequence[Item], depth: int) -> set[str]:
    listed = [item.key for item in items if item.namespace[depth] == "threads"]
    archived = [item.namespace[-1] for item in items if item.namespace[depth] == "archive"]
    return set(map(decode_label, (*listed, *archived)))
