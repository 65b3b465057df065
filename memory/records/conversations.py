"""Keeps the threads of a user: which there are, their open sessions, and the turns that left their state, whole."""

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
    """Return what keeps that a session has begun in this thread of the user."""
    one = Conversation(thread_id=thread_id, session_at=at)
    return PutOp(user_namespace(user_id, "threads"), encode_label(thread_id), one.dump(), index=False)


async def conversations_of(store: BaseStore, user_id: str) -> list[Conversation]:
    """Return the threads that the user has spoken in and that were not cleared, the latest session first."""
    found = sound(Conversation, await read_under(store, user_namespace(user_id, "threads")))
    return sorted(found, key=lambda one: (one.session_at, one.thread_id), reverse=True)


_OPEN = ("sessions", "open")


class OpenSession(Record):
    """One session that has not been consolidated yet; somebody last spoke in it at `last_at`, in the turn `turn`."""

    user_id: str
    thread_id: str
    session_id: str
    last_at: datetime
    turn: int = 0


async def put_open_session(store: BaseStore, session: OpenSession, *, opens: bool) -> list[PutOp]:
    """Return what keeps that somebody spoke in this session; where it `opens` none, only if it is open."""
    if not opens and await open_session(store, session.thread_id) is None:
        return []
    return [PutOp(_OPEN, encode_label(session.thread_id), session.dump(), index=False)]


async def close_session(store: BaseStore, thread_id: str) -> None:
    """Keep that the thread's session is over, or the thread gone."""
    await store.adelete(_OPEN, encode_label(thread_id))


async def open_session(store: BaseStore, thread_id: str) -> OpenSession | None:
    """Return the thread's open session; None where there is none."""
    found = await store.aget(_OPEN, encode_label(thread_id))
    return next(iter(sound(OpenSession, filter(None, [found]))), None)


async def idle_sessions(store: BaseStore, moment: datetime) -> list[OpenSession]:
    """Return the sessions in which nobody has spoken since `moment`, the one idle for longest first."""
    found = sound(OpenSession, await read_under(store, _OPEN))
    return sorted((one for one in found if one.last_at <= moment), key=lambda one: (one.last_at, one.thread_id))


def _read_message(stored: Any) -> Any:
    if isinstance(stored, BaseMessage):
        return stored
    try:
        (message,) = messages_from_dict([stored])
        message.text, message.additional_kwargs.get(META, {}).get("at")
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no message: {error!r}") from None
    return message


Message = Annotated[
    AnyMessage, SkipValidation, BeforeValidator(_read_message), PlainSerializer(message_to_dict, dict[str, Any])
]
META = "concierge"
"""Under what a message's `additional_kwargs` hold our own metadata, which tells nothing of what was said."""


class ArchivedTurn(Record):
    """One whole turn, or the summary behind it.

    A `private` one was said while memory was paused or off: it is kept, and never recalled.
    """

    turn: int = Field(ge=0)
    private: bool = False
    messages: tuple[Message, ...]

    @property
    def said_at(self) -> datetime | None:
        """Return when it was said; None where that is not known."""
        at = self.messages[0].additional_kwargs.get(META, {}).get("at") if self.messages else None
        try:
            return datetime.fromisoformat(at) if at else None
        except (TypeError, ValueError):
            return None


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
        self._namespace = user_namespace(user_id, "archive", encode_label(thread_id))

    async def add_turns(self, turns: Sequence[ArchivedTurn]) -> None:
        """Keep whole turns, all or none."""
        if turns:
            puts = [PutOp(self._namespace, turn_key(turn.turn), turn.dump(), index=False) for turn in turns]
            await self._store.abatch([*puts, self._mark(turns[-1].turn)])

    async def add_summary(self, last_turn: int, pair: Sequence[AnyMessage]) -> None:
        """Keep a synthetic pair behind the last turn it stands for."""
        summary = ArchivedTurn(turn=last_turn, messages=tuple(pair), private=True)
        await self._store.aput(self._namespace, f"{turn_key(last_turn)}-summary", summary.dump(), index=False)

    async def messages(self) -> list[AnyMessage]:
        """Return everything archived, in the order of the conversation."""
        turns = sound(ArchivedTurn, await read_under(self._store, self._namespace))
        return [message for turn in turns for message in turn.messages]

    async def remove_turn(self, number: int) -> None:
        """Delete one archived turn."""
        await self._store.abatch([PutOp(self._namespace, turn_key(number), None), self._mark(number)])

    async def make_private(self, first_turn: int) -> None:
        """Keep the turns from `first_turn` on out of recall, because their user asked for that."""
        items = await read_under(self._store, self._namespace)
        open_ = (one for one in items if one.key[:8] >= turn_key(first_turn) and not one.value.get("private"))
        puts = [PutOp(self._namespace, one.key, {**one.value, "private": True}, index=False) for one in open_]
        if puts:
            await self._store.abatch([*puts, self._mark(first_turn)])

    async def clear(self) -> None:
        """Delete everything archived of this thread."""
        rooms = self._namespace, (*self._namespace[:-2], "withheld", self._namespace[-1])
        gone = [PutOp(room, item.key, None) for room in rooms for item in await read_under(self._store, room)]
        await self._store.abatch([*gone, self._mark(0)])

    def _mark(self, last_turn: int) -> PutOp:
        """Return what tells a reader that the user's archive has changed: the time of this item's writing."""
        value = {"thread": self._namespace[-1], "last_turn": last_turn}
        return PutOp((*self._namespace[:-2], "meta"), "archive", value, index=False)


async def drop_conversation(store: BaseStore, user_id: str, thread_id: str) -> None:
    """Delete what the store holds of a conversation of this user; its checkpoints and long-term memory stay."""
    await Archive(store, user_id, thread_id).clear()
    await close_session(store, thread_id)
    await store.adelete(user_namespace(user_id, "threads"), encode_label(thread_id))
