"""Finds where a forgotten statement is told besides its note: episodes, archived turns, the journal."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast

from langchain_core.messages import AnyMessage, message_to_dict, messages_from_dict
from langgraph.store.base import BaseStore, PutOp
from pydantic import BaseModel, ValidationError

from memory.claims import says_the_same
from memory.control.erased import ERASED, Eraser
from memory.records.conversations import META, ArchivedTurn
from memory.records.episodes import Episode, texts_of
from memory.records.journal import Change, JournalEntry
from memory.records.notes import MAX_QUOTE, Note
from memory.records.profile import blanked, moved_fields
from memory.records.reading import Namespace, decode_label, encode_label, read_under

R = TypeVar("R", bound=BaseModel)


async def scrub(store: object) -> None:
    """Clean away the bytes of what was deleted in `store`, where it offers that: that may take a moment."""
    if clean := getattr(store, "scrub", None):
        await asyncio.to_thread(clean)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The notes that an act of forgetting took, and where it took what they say out of other texts.

    `threads` are the conversations whose live state it reached; `waiting` those that hold it until their next turn,
    because a run is under way or waits in them.
    """

    notes: tuple[Note, ...] = ()
    turns: int = 0
    episodes: int = 0
    threads: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


def versions(note: Note, notes: Sequence[Note]) -> list[Note]:
    """Return `note` and everything that goes with it: what it replaced, and what says the same."""
    found = [note]
    for one in found:  # which grows meanwhile
        new = [other for other in notes if all(other.id != known.id for known in found)]
        found += [other for other in new if other.id in one.supersedes or says_the_same(one, other)]
    return found


def with_past(notes: Sequence[Note], told: Sequence[Note]) -> list[Note]:
    """Return `notes`, and the last state of those that only the journal tells of, as notes out of use."""
    ids = {note.id for note in notes}
    past = {note.id: note.model_copy(update={"status": "expired"}) for note in told if note.id not in ids}
    return [*notes, *past.values()]


async def traces(
    store: BaseStore,
    root: Namespace,
    eraser: Eraser,
    *,
    gone: Collection[str] = (),
    kept: Collection[str] = (),
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[list[PutOp], Forgotten]:
    """Return the writes that take what `eraser` knows out of what is kept under `root`, and how much they change.

    `gone` are the ids of the notes that are forgotten whole, and `fields` what of the profile goes with them; `kept`
    are the texts of the notes that stay in use.
    """

    async def rewritten(room: str, kind: type[R], rewrite: Callable[[R], R | None]) -> list[PutOp]:
        items = [item for item in await read_under(store, (*root, room)) if room != "notes" or item.key not in gone]
        told = [(item, _left(item.value, kind, eraser, rewrite)) for item in items]
        index: Literal[False] | None = None if kind in (Note, Episode) else False
        return [PutOp(tuple(item.namespace), item.key, left, index) for item, left in told if left != item.value]

    def without(turn: ArchivedTurn) -> ArchivedTurn:
        return turn.model_copy(update={"messages": tuple(erased_message(one, eraser) for one in turn.messages)})

    puts = await rewritten("journal", JournalEntry, lambda one: erased_entry(one, eraser, gone, kept, fields))
    puts += await rewritten("notes", Note, lambda one: erased_evidence(one, eraser))
    profile = await store.aget((*root, "profile"), "profile")
    if profile and (left := blanked(profile.value, fields)) != profile.value:
        puts.append(PutOp((*root, "profile"), "profile", left, index=False))
    episodes = await rewritten("episodes", Episode, lambda one: erased_episode(one, eraser))
    turns = await rewritten("archive", ArchivedTurn, without)
    mark = [PutOp((*root, "meta"), "archive", {"erased": eraser.latest}, index=False)] if turns else []
    return [*puts, *episodes, *turns, *mark], Forgotten(turns=len(turns), episodes=len(episodes))


def _left(
    told: dict[str, Any], kind: type[R], eraser: Eraser, rewrite: Callable[[R], R | None]
) -> dict[str, Any] | None:
    """Return the values of a record after `rewrite`; of a malformed one, all but what was forgotten."""
    try:
        record = kind.model_validate(told)
        left = rewrite(record)
        return told if left == record else left.model_dump(mode="json") if left else None
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError):
        erased: dict[str, Any] = eraser.erased_value(told)
        return erased


def erased_messages(messages: Sequence[AnyMessage], eraser: Eraser) -> list[AnyMessage]:
    """Return those of `messages` that told something forgotten, without it; ids stay."""
    left = ((message, erased_message(message, eraser)) for message in messages)
    return [after for before, after in left if after is not before]


def erased_message(message: AnyMessage, eraser: Eraser) -> AnyMessage:
    """Return a message without what was forgotten; the same object where it tells nothing of that."""
    whole = message_to_dict(message)
    data = dict(whole["data"])
    data["content"] = eraser.erased_value(data["content"])
    for kind in ("tool_calls", "invalid_tool_calls"):
        if data.get(kind):
            data[kind] = [{**call, "args": eraser.erased_value(call["args"])} for call in data[kind]]
    extra = data.get("additional_kwargs") or {}
    data["additional_kwargs"] = {key: extra[key] if key == META else eraser.erased_value(extra[key]) for key in extra}
    if data == whole["data"]:
        return message
    return cast("AnyMessage", messages_from_dict([{**whole, "data": data}])[0])


def erased_evidence(note: Note, eraser: Eraser) -> Note:
    """Return a note that stays, without what its evidence tells of something forgotten.

    That came there by a merge, or stood in the question that was answered. Where the note itself says as much, as
    another seat after one seat was forgotten, its evidence stays.
    """
    if eraser.tells(note.text):
        return note
    said = ("quote", "question")
    left = [
        one.model_copy(update={name: eraser.erased(getattr(one, name))[:MAX_QUOTE] for name in said})
        for one in note.evidence
    ]
    return note.model_copy(update={"evidence": tuple(left)})


def erased_episode(told: Episode, eraser: Eraser) -> Episode | None:
    """Return an episode without what was forgotten; None where nothing is left to tell."""
    summary = eraser.erased(told.summary)
    topics = tuple(topic for topic in told.topics if not eraser.tells(topic))
    facts = tuple(fact for fact in told.key_facts if not eraser.tells(fact))
    if (summary, topics, facts) == (told.summary, told.topics, told.key_facts):
        return told
    if not facts and not summary.replace(ERASED, "").strip(" .,;"):
        return None
    return told.model_copy(update=texts_of(summary, topics, facts))


def erased_entry(
    entry: JournalEntry,
    eraser: Eraser,
    gone: Collection[str],
    kept: Collection[str],
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> JournalEntry:
    """Return an entry of the journal without what was forgotten; `gone`, `kept` and `fields` are as in `traces`."""

    def is_silent(change: Change) -> bool:
        notes = filter(None, (change.before, change.after)) if change.kind == "note" else ()
        texts = [str(note.get("text", "")) for note in notes]
        return change.key in gone or any(text not in kept and eraser.tells(text) for text in texts)

    silent = {one.key for one in entry.changes if is_silent(one)}
    left = [one.untold() if one.key in silent else _change(one, eraser, fields) for one in entry.changes]
    return entry.model_copy(update={"reason": "" if silent else eraser.erased(entry.reason), "changes": tuple(left)})


def _change(change: Change, eraser: Eraser, fields: Mapping[str, Any]) -> Change:
    rewrite: dict[str, Callable[[dict[str, Any]], Mapping[str, Any] | None]] = {
        "profile": lambda side: blanked(side, fields),
        "note": lambda side: _left(side, Note, eraser, lambda one: erased_evidence(one, eraser)),
        "episode": eraser.erased_value,
    }
    if change.kind not in rewrite:
        return change
    sides = {"before": change.before, "after": change.after}
    told = {name: side and rewrite[change.kind](side) for name, side in sides.items()}
    if change.kind == "profile" and told != sides and not moved_fields(told["before"], told["after"]):
        return change.untold()
    return change.model_copy(update=told)


_ROOM = ("forgetting", "unreached")


def unreached(user_id: str, number: int) -> PutOp:
    """Return the write that says that the reach of the act of forgetting of this number is still to come."""
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
    return [decode_label(item.key) for item in await read_under(store, _ROOM)]
