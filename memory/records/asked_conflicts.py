"""Remembers which conflicts a user was asked about, so that each is asked in one session only."""

from typing import Literal

from memory.policy import fingerprint
from memory.records.notes import Note
from memory.records.repository import UserMemory

Conflict = tuple[Note, Note]
Standing = Literal["to_ask", "left_open", "decided"]


class AskedConflicts:
    """The conflicts that one user was asked about, kept under keyed hashes of the two notes and without their words."""

    def __init__(self, memory: UserMemory) -> None:
        self._memory = memory
        self._namespace = (*memory.root, "asked")

    async def add(self, conflict: Conflict, session_id: str) -> None:
        """Record that the question was asked in this session."""
        value = {"session_id": session_id, "confirmed": _confirmed(conflict)}
        await self._memory.store.aput(self._namespace, await self._key(conflict), value, index=False)

    async def standing(self, conflict: Conflict, session_id: str) -> Standing:
        """Tell whether the question is to be asked in this session, was left open in an earlier one, or answered since.

        An answer repeats one of the notes: where the other can't be replaced, as a workspace's, both stay all the same.
        """
        item = await self._memory.store.aget(self._namespace, await self._key(conflict))
        if item is None or item.value.get("session_id") == session_id:
            return "to_ask"
        return "left_open" if item.value.get("confirmed") == _confirmed(conflict) else "decided"

    async def _key(self, conflict: Conflict) -> str:
        said = sorted(f"{note.id} {note.text} {note.condition}" for note in conflict)
        return fingerprint("\n".join(said), await self._memory.hash_key())


def _confirmed(conflict: Conflict) -> dict[str, int]:
    return {note.id: note.confirmations for note in conflict}
