"""Stores the threads of a user: their list, the open sessions, and the archived turns that left the thread's state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, BaseMessage, message_to_dict, messages_from_dict
from langgraph.store.base import BaseStore, PutOp
from pydantic import BeforeValidator, Field, PlainSerializer, SkipValidation

from memory.records.notes import Note, Record
from memory.records.reading import encode_label, read_under, sound, user_namespace


class Conversation(Record):
    """One thread of a user, and when its latest session began."""

    thread_id: str
    session_at: datetime


def put_conversation(user_id: str, thread_id: str, at: datetime) -> PutOp:
    """Return the write that records that a session began in this thread of the user."""
    conversation = Conversation(thread_id=thread_id, session_at=at)
    return PutOp(user_namespace(user_id, "threads"), encode_label(thread_id), conversation.dump(), index=False)


async def conversations_of(store: BaseStore, user_id: str) -> list[Conversation]:
    """Return the threads of the user that were not cleared, the one with the latest session first."""
    conversations = sound(Conversation, await read_under(store, user_namespace(user_id, "threads")))
    return sorted(conversations, key=lambda one: (one.session_at, one.thread_id), reverse=True)


_OPEN = ("sessions", "open")


class OpenSession(Record):
    """A session that has not been consolidated yet; its last message came at `last_at`, in the turn `turn`."""

    user_id: str
    thread_id: str
    session_id: str
    last_at: datetime
    turn: int = 0


async def put_open_session(store: BaseStore, session: OpenSession, *, opens: bool) -> list[PutOp]:
    """Return the write that records a message in this session; none if it is not open and is not to be opened."""
    if not opens and await open_session(store, session.thread_id) is None:
        return []
    return [PutOp(_OPEN, encode_label(session.thread_id), session.dump(), index=False)]


async def close_session(store: BaseStore, thread_id: str) -> None:
    """Record that the thread has no open session, because it ended or the thread was deleted."""
    await store.adelete(_OPEN, encode_label(thread_id))


async def open_session(store: BaseStore, thread_id: str) -> OpenSession | None:
    """Return the thread's open session; None if there is none."""
    item = await store.aget(_OPEN, encode_label(thread_id))
    return next(iter(sound(OpenSession, filter(None, [item]))), None)


async def idle_sessions(store: BaseStore, moment: datetime) -> list[OpenSession]:
    """Return the open sessions without a message since `moment`, the one idle for longest first."""
    sessions = sound(OpenSession, await read_under(store, _OPEN))
    return sorted((one for one in sessions if one.last_at <= moment), key=lambda one: (one.last_at, one.thread_id))


def _read_message(stored: Any) -> Any:
    if isinstance(stored, BaseMessage):
        return stored
    try:
        (message,) = messages_from_dict([stored])
        message.text, message.additional_kwargs.get(META, {}).get("at")
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is not a message: {error!r}") from None
    return message


Message = Annotated[
    AnyMessage, SkipValidation, BeforeValidator(_read_message), PlainSerializer(message_to_dict, dict[str, Any])
]
META = "concierge"
"""The key of our own metadata in a message's `additional_kwargs`; it holds nothing of the message's content."""


class ArchivedTurn(Record):
    """A whole turn, or the summary that follows it; a `private` one (memory was paused or off) is never recalled."""

    turn: int = Field(ge=0)
    private: bool = False
    messages: tuple[Message, ...]

    @property
    def said_at(self) -> datetime | None:
        """Return the time of its first message; None if unknown."""
        at = self.messages[0].additional_kwargs.get(META, {}).get("at") if self.messages else None
        try:
            return datetime.fromisoformat(at) if at else None
        except (TypeError, ValueError):
            return None


def turn_key(number: int) -> str:
    """Return the key of a turn's record; keys sort like the numbers of the turns."""
    return f"{number:08d}"


@dataclass(frozen=True, slots=True)
class Running:
    """The contents of a conversation's state that are in no record yet: its turns and the notes of its session."""

    thread_id: str
    turns: Sequence[ArchivedTurn]
    notes: Sequence[Note]


class Archive:
    """The archived turns of one thread of one user. Writing the same turn again changes nothing."""

    def __init__(self, store: BaseStore, user_id: str, thread_id: str) -> None:
        self._store = store
        self._namespace = user_namespace(user_id, "archive", encode_label(thread_id))

    async def add_turns(self, turns: Sequence[ArchivedTurn]) -> None:
        """Archive whole turns, all or none."""
        if turns:
            puts = [PutOp(self._namespace, turn_key(turn.turn), turn.dump(), index=False) for turn in turns]
            await self._store.abatch([*puts, self._mark(turns[-1].turn)])

    async def add_summary(self, last_turn: int, pair: Sequence[AnyMessage]) -> None:
        """Archive a pair of summary messages behind the last turn that it summarises."""
        summary = ArchivedTurn(turn=last_turn, messages=tuple(pair), private=True)
        await self._store.aput(self._namespace, f"{turn_key(last_turn)}-summary", summary.dump(), index=False)

    async def messages(self) -> list[AnyMessage]:
        """Return all archived messages in the order of the conversation."""
        turns = sound(ArchivedTurn, await read_under(self._store, self._namespace))
        return [message for turn in turns for message in turn.messages]

    async def remove_turn(self, number: int) -> None:
        """Delete one archived turn."""
        await self._store.abatch([PutOp(self._namespace, turn_key(number), None), self._mark(number)])

    async def make_private(self, first_turn: int) -> None:
        """Mark the turns from `first_turn` on as private, so that they are not recalled."""
        items = await read_under(self._store, self._namespace)
        public = (one for one in items if one.key[:8] >= turn_key(first_turn) and not one.value.get("private"))
        puts = [PutOp(self._namespace, one.key, {**one.value, "private": True}, index=False) for one in public]
        if puts:
            await self._store.abatch([*puts, self._mark(first_turn)])

    async def clear(self) -> None:
        """Delete all archived turns of this thread, and the hashes of its withheld sentences."""
        rooms = self._namespace, (*self._namespace[:-2], "withheld", self._namespace[-1])
        deletes = [PutOp(room, item.key, None) for room in rooms for item in await read_under(self._store, room)]
        await self._store.abatch([*deletes, self._mark(0)])

    def _mark(self, last_turn: int) -> PutOp:
        """Return the write whose time tells readers that the user's archive has changed."""
        value = {"thread": self._namespace[-1], "last_turn": last_turn}
        return PutOp((*self._namespace[:-2], "meta"), "archive", value, index=False)


async def drop_conversation(store: BaseStore, user_id: str, thread_id: str) -> None:
    """Delete a conversation of this user from the store; its checkpoints and the long-term memory stay."""
    await Archive(store, user_id, thread_id).clear()
    await close_session(store, thread_id)
    await store.adelete(user_namespace(user_id, "threads"), encode_label(thread_id))
