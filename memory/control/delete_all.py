"""Deletes everything that is kept of a user, except the number that their journal had reached."""

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
    """How much was deleted of each kind; `notes` counts those of every status, `turns` archived ones."""

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
    """Delete all records of a user, and with `conversation`, which deletes one by its thread id, what they said.

    The numbering of the journal goes on, so that plans made before are known to be outdated.
    """
    if confirm != memory.user_id:
        told = "Nothing was deleted. To delete everything that is remembered, confirm it with the user id, exactly."
        raise InvalidInputError(told, field="confirm", code="not_confirmed")
    if bookings not in (None, *get_args(OpenBookings)):  # whatever is neither would delete
        told = f"Nothing was deleted: bookings={bookings!r} is neither 'keep' nor 'delete'."
        raise InvalidInputError(told, field="bookings")
    kept = await _kept(memory, bookings)
    threads: set[str] = set()

    async def attempt() -> list[Item]:
        seq = await memory.written()
        every = await read_under(memory.store, memory.root)
        items = [item for item in every if (item.namespace[-1], item.key) not in kept]
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


async def _kept(memory: UserMemory, bookings: OpenBookings | None) -> set[tuple[str, str]]:
    stays = {("meta", "hash_key")}  # it tells nothing, and by it an export knows again what was forgotten before
    found = [item.value for item in await read_under(memory.store, (*memory.root, "bookings"))]
    still_open = [one for one in found if one.get("status") in ("booked", "held")]
    if still_open and bookings is None:
        named = "; ".join(f"{one.get('reference')} ({one.get('title')}, {one.get('status')})" for one in still_open)
        raise ConflictError(
            f"Nothing was deleted: these bookings are open: {named}. Say what becomes of them (bookings): "
            "'keep' keeps them with their trips, 'delete' deletes what is known of them here and cancels none. To "
            "cancel one, do it first."
        )
    for one in still_open if bookings == "keep" else ():
        stays |= {("bookings", str(one.get("id"))), ("trips", str(one.get("trip_id")))}
    return stays


def _threads(items: Sequence[Item], depth: int) -> set[str]:
    spoken = [item.key for item in items if item.namespace[depth] == "threads"]
    archived = [item.namespace[-1] for item in items if item.namespace[depth] == "archive"]
    return set(map(decode_label, (*spoken, *archived)))
