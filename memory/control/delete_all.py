"""Deletes everything that is kept of a user, except the number that their journal had reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from langgraph.store.base import Item, PutOp

from config.errors import ConflictError, InvalidInputError
from memory.control.forget import scrub
from memory.control.undo import CLEARED
from memory.records.journal import Step
from memory.records.namespaces import decode_label, read_under
from memory.records.repository import UserMemory

_TRIES = 10


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


Conversation = Callable[[str], Awaitable[None]]
"""Deletes one conversation of the user, by its thread id."""


async def clear(memory: UserMemory, confirm: str, *, conversation: Conversation | None = None) -> Cleared:
    """Delete all records of a user: notes, profile, trips, episodes, archive, journal, erasures and consent.

    What the user shared in a workspace belongs to the workspace and stays. The numbering of the journal goes on, so
    that plans made before are known to be outdated; the one entry left says that it was cleared.

    Args:
        memory: Whose records they are.
        confirm: The user id, typed by whoever asks for it.
        conversation: Deletes one of the user's conversations; without it, conversations stay.

    Raises:
        InvalidInputError: `confirm` is not the user id; nothing is deleted.
    """
    if confirm != memory.user_id:
        raise InvalidInputError(
            "Nothing was deleted. To delete everything that is remembered, confirm it with the user id, exactly."
        )
    threads: set[str] = set()
    for _ in range(_TRIES):
        seq = await memory.written()
        items = await read_under(memory.store, memory.root)
        if conversation:
            for thread in _threads(items, memory) - threads:
                await conversation(thread)
                threads.add(thread)
        deletes = [PutOp(tuple(item.namespace), item.key, None) for item in items]
        try:
            await memory.commit([Step("", "user", CLEARED)], expected_seq=seq, also=deletes)
        except ConflictError:
            continue
        await scrub(memory.store)
        return _counted(items, memory, len(threads))
    raise ConflictError("The memory is being changed by somebody else at this moment. Try again.")


def _threads(items: Sequence[Item], memory: UserMemory) -> set[str]:
    """Return the conversations that records tell of."""
    depth = len(memory.root)
    spoken = {str(item.value["thread_id"]) for item in items if tuple(item.namespace) == (*memory.root, "threads")}
    archived = {decode_label(item.namespace[-1]) for item in items if item.namespace[depth] == "archive"}
    return spoken | archived


def _counted(items: Sequence[Item], memory: UserMemory, conversations: int) -> Cleared:
    rooms = Counter(item.namespace[len(memory.root)] for item in items)
    return Cleared(
        notes=rooms["notes"],
        trips=rooms["trips"],
        episodes=rooms["episodes"],
        turns=sum(item.namespace[len(memory.root)] == "archive" and "-" not in item.key for item in items),
        conversations=conversations,
        journal=rooms["journal"],
        profile=rooms["profile"],
    )
