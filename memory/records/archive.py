"""Archives the turns that left a thread's state, whole, and the summaries that stood for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AnyMessage, message_to_dict
from langgraph.store.base import BaseStore, PutOp

from memory.records.notes import Note
from memory.records.reading import archive_namespace, archived_messages, read_all


@dataclass(frozen=True, slots=True)
class ArchivedTurn:
    """One whole turn. A `private` one was said while memory was paused or off: it is kept, and never recalled."""

    number: int
    messages: Sequence[AnyMessage]
    private: bool = False

    def dump(self) -> dict[str, Any]:
        """As it is kept."""
        messages = [message_to_dict(message) for message in self.messages]
        return {"turn": self.number, "private": self.private, "messages": messages}


def turn_key(number: int) -> str:
    """Return the key of a turn's record; keys sort as the turns do."""
    return f"{number:08d}"


@dataclass(frozen=True, slots=True)
class Running:
    """What a conversation holds that is in no record yet: its turns, and the notes of its session."""

    thread_id: str
    turns: Sequence[ArchivedTurn]
    notes: Sequence[Note]


class Archive:
    """What left the state of one thread of one user. Writing the same turn again changes nothing."""

    def __init__(self, store: BaseStore, user_id: str, thread_id: str) -> None:
        self._store = store
        self._namespace = archive_namespace(user_id, thread_id)

    async def add_turns(self, turns: Sequence[ArchivedTurn]) -> None:
        """Keep whole turns, all or none."""
        if turns:
            puts = [self._put(turn_key(turn.number), turn) for turn in turns]
            await self._store.abatch([*puts, self._mark(turns[-1].number)])

    async def add_summary(self, last_turn: int, pair: Sequence[AnyMessage]) -> None:
        """Keep a synthetic pair behind the last turn it stands for."""
        await self._store.abatch(
            [self._put(f"{turn_key(last_turn)}-summary", ArchivedTurn(last_turn, pair, private=True))]
        )

    async def messages(self) -> list[AnyMessage]:
        """Return everything archived, in the order of the conversation."""
        items = await read_all(self._store, self._namespace)
        return [message for item in items for message in archived_messages(item)]

    async def remove_turn(self, number: int) -> None:
        """Delete one archived turn."""
        await self._store.abatch([PutOp(self._namespace, turn_key(number), None), self._mark(number)])

    async def make_private(self, first_turn: int) -> None:
        """Keep the turns from `first_turn` on out of recall, because their user asked for that."""
        items = await read_all(self._store, self._namespace)
        open_ = [one for one in items if one.key[:8] >= turn_key(first_turn) and not one.value.get("private")]
        if open_:
            puts = [PutOp(self._namespace, one.key, {**one.value, "private": True}, index=False) for one in open_]
            await self._store.abatch([*puts, self._mark(first_turn)])

    async def clear(self) -> None:
        """Delete everything archived of this thread."""
        items = await read_all(self._store, self._namespace)
        await self._store.abatch([*(PutOp(self._namespace, item.key, None) for item in items), self._mark(0)])

    def _mark(self, last_turn: int) -> PutOp:
        """Return what tells a reader that the user's archive has changed: the time of this item's writing."""
        value = {"thread": self._namespace[-1], "last_turn": last_turn}
        return PutOp((*self._namespace[:-2], "meta"), "archive", value, index=False)

    def _put(self, key: str, turn: ArchivedTurn) -> PutOp:
        return PutOp(self._namespace, key, turn.dump(), index=False)
