"""Which clashes a user was asked about: once, in one session, until one of the two notes changes (S2.5)."""

from __future__ import annotations

from typing import Literal

from memory.policy import fingerprint
from memory.records.notes import Note
from memory.records.repository import UserMemory

Clash = tuple[Note, Note]
Standing = Literal["to_ask", "left_open", "decided"]


class AskedClashes:
    """The clashes that one user was asked about, kept under keyed hashes of the two notes and without their words."""

    def __init__(self, memory: UserMemory) -> None:
        self._memory = memory
        self._namespace = (*memory.root, "asked")

    async def add(self, clash: Clash, session_id: str) -> None:
        """The question was asked in this session."""
        value = {"session_id": session_id, "confirmed": _confirmed(clash)}
        await self._memory.store.aput(self._namespace, await self._key(clash), value, index=False)

    async def standing(self, clash: Clash, session_id: str) -> Standing:
        """Whether the question is to be asked in this session, was left open in an earlier one, or answered since.

        An answer repeats one of the notes: where the other can't be replaced, as a workspace's, both stay all the same.
        """
        item = await self._memory.store.aget(self._namespace, await self._key(clash))
        if item is None or item.value["session_id"] == session_id:
            return "to_ask"
        return "left_open" if item.value["confirmed"] == _confirmed(clash) else "decided"

    async def _key(self, clash: Clash) -> str:
        said = sorted(f"{note.id} {note.text} {note.condition or ''}" for note in clash)
        return fingerprint("\n".join(said), await self._memory.hash_key())


def _confirmed(clash: Clash) -> dict[str, int]:
    return {note.id: note.confirmations for note in clash}
