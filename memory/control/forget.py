"""Erases a forgotten statement from the records that repeat it: episodes, archived turns, the journal."""

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
    """Overwrite the bytes of deleted records, if `store` has a `scrub` method; this may take a moment."""
    if clean := getattr(store, "scrub", None):
        await asyncio.to_thread(clean)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The notes that were forgotten, and how many turns and episodes their statements were erased from.

    `threads` are the conversations whose live state was erased; in the `waiting` ones that happens when the running
    turn ends or, if a turn was interrupted or waits for a decision, at the next one.
    """

    notes: tuple[Note, ...] = ()
    turns: int = 0
    episodes: int = 0
    threads: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


def versions(note: Note, notes: Sequence[Note]) -> list[Note]:
    """Return `note` and, transitively, the notes that it replaced or that say the same."""
    chain = [note]
    for one in chain:  # grows during the loop
        others = [other for other in notes if all(other.id != known.id for known in chain)]
        chain += [other for other in others if other.id in one.supersedes or says_the_same(one, other)]
    return chain


def with_past(notes: Sequence[Note], journalled: Sequence[Note]) -> list[Note]:
    """Return `notes`, and as expired notes the last versions of those that are only in the journal."""
    ids = {note.id for note in notes}
    past = {note.id: note.model_copy(update={"status": "expired"}) for note in journalled if note.id not in ids}
    return [*notes, *past.values()]


async def erase(
    store: BaseStore,
    root: Namespace,
    eraser: Eraser,
    *,
    gone: Collection[str] = (),
    kept: Collection[str] = (),
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[list[PutOp], Forgotten]:
    """Return the writes that erase forgotten statements from the records under `root`, and how many records they touch.

    `gone` are the ids of the notes that are forgotten, `fields` the profile fields filled from them with their values,
    and `kept` the texts of the notes that stay in use.
    """

    async def rewritten(room: str, kind: type[R], rewrite: Callable[[R], R | None]) -> list[PutOp]:
        items = [item for item in await read_under(store, (*root, room)) if room != "notes" or item.key not in gone]
        results = [(item, _rewritten(item.value, kind, eraser, rewrite)) for item in items]
        index: Literal[False] | None = None if kind in (Note, Episode) else False
        return [PutOp(tuple(item.namespace), item.key, after, index) for item, after in results if after != item.value]

    def erased_turn(turn: ArchivedTurn) -> ArchivedTurn:
        return turn.model_copy(update={"messages": tuple(erased_message(one, eraser) for one in turn.messages)})

    puts = await rewritten("journal", JournalEntry, lambda one: erased_entry(one, eraser, gone, kept, fields))
    puts += await rewritten("notes", Note, lambda one: erased_evidence(one, eraser))
    profile = await store.aget((*root, "profile"), "profile")
    if profile and (after := blanked(profile.value, fields)) != profile.value:
        puts.append(PutOp((*root, "profile"), "profile", after, index=False))
    episodes = await rewritten("episodes", Episode, lambda one: erased_episode(one, eraser))
    turns = await rewritten("archive", ArchivedTurn, erased_turn)
    mark = [PutOp((*root, "meta"), "archive", {"erased": eraser.latest}, index=False)] if turns else []
    return [*puts, *episodes, *turns, *mark], Forgotten(turns=len(turns), episodes=len(episodes))


def _rewritten(
    value: dict[str, Any], kind: type[R], eraser: Eraser, rewrite: Callable[[R], R | None]
) -> dict[str, Any] | None:
    """Return the stored value of a record after `rewrite`; if it is malformed, erase all strings in it."""
    try:
        before = kind.model_validate(value)
        after = rewrite(before)
        return value if after == before else after.model_dump(mode="json") if after else None
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError):
        return cast("dict[str, Any]", eraser.erased_value(value))


def erased_messages(messages: Sequence[AnyMessage], eraser: Eraser) -> list[AnyMessage]:
    """Return the erased versions, with the same ids, of those of `messages` that reveal a forgotten statement."""
    pairs = ((message, erased_message(message, eraser)) for message in messages)
    return [after for before, after in pairs if after is not before]


def erased_message(message: AnyMessage, eraser: Eraser) -> AnyMessage:
    """Return a message with forgotten statements erased; the same object if there is nothing to erase."""
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
    """Return a note that stays, with forgotten statements erased from its evidence.

    A merge or the question that was answered can bring them there. If the text of the note itself reveals a forgotten
    statement, like another seat after one seat was forgotten, its evidence stays as it is.
    """
    if eraser.tells(note.text):
        return note
    evidence = [
        one.model_copy(update={name: eraser.erased(getattr(one, name))[:MAX_QUOTE] for name in ("quote", "question")})
        for one in note.evidence
    ]
    return note.model_copy(update={"evidence": tuple(evidence)})


def erased_episode(episode: Episode, eraser: Eraser) -> Episode | None:
    """Return an episode with forgotten statements erased; None if no fact and no word of the summary remains."""
    summary = eraser.erased(episode.summary)
    topics = tuple(topic for topic in episode.topics if not eraser.tells(topic))
    facts = tuple(fact for fact in episode.key_facts if not eraser.tells(fact))
    if (summary, topics, facts) == (episode.summary, episode.topics, episode.key_facts):
        return episode
    if not facts and not summary.replace(ERASED, "").strip(" .,;"):
        return None
    return episode.model_copy(update=texts_of(summary, topics, facts))


def erased_entry(
    entry: JournalEntry,
    eraser: Eraser,
    gone: Collection[str],
    kept: Collection[str],
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> JournalEntry:
    """Return a journal entry with forgotten statements erased; for `gone`, `kept` and `fields` see `erase`."""

    def reveals(change: Change) -> bool:
        notes = filter(None, (change.before, change.after)) if change.kind == "note" else ()
        texts = [str(note.get("text", "")) for note in notes]
        return change.key in gone or any(text not in kept and eraser.tells(text) for text in texts)

    hidden = {one.key for one in entry.changes if reveals(one)}
    changes = [
        one.without_record() if one.key in hidden else _erased_change(one, eraser, fields) for one in entry.changes
    ]
    return entry.model_copy(update={"reason": "" if hidden else eraser.erased(entry.reason), "changes": tuple(changes)})


def _erased_change(change: Change, eraser: Eraser, fields: Mapping[str, Any]) -> Change:
    rewrite: dict[str, Callable[[dict[str, Any]], Mapping[str, Any] | None]] = {
        "profile": lambda side: blanked(side, fields),
        "note": lambda side: _rewritten(side, Note, eraser, lambda one: erased_evidence(one, eraser)),
        "episode": eraser.erased_value,
    }
    if change.kind not in rewrite:
        return change
    sides = {"before": change.before, "after": change.after}
    erased = {name: side and rewrite[change.kind](side) for name, side in sides.items()}
    if change.kind == "profile" and erased != sides and not moved_fields(erased["before"], erased["after"]):
        return change.without_record()
    return change.model_copy(update=erased)


_ROOM = ("forgetting", "unreached")


def put_unreached(user_id: str, number: int) -> PutOp:
    """Return the write that marks the erasure `number` of the user as not yet applied to all conversations."""
    return PutOp(_ROOM, encode_label(user_id), {"seq": number}, index=False)


async def unreached_number(store: BaseStore, user_id: str) -> int:
    """Return the number of the user's latest erasure if it is not yet applied to all conversations, else 0."""
    item = await store.aget(_ROOM, encode_label(user_id))
    return int(item.value.get("seq", 1)) if item else 0


async def set_reached(store: BaseStore, user_id: str) -> None:
    """Mark all erasures of the user as applied. The caller must exclude other writers of the user meanwhile."""
    await store.adelete(_ROOM, encode_label(user_id))


async def users_unreached(store: BaseStore) -> list[str]:
    """Return the users who have an erasure that is not yet applied to all conversations."""
    return [decode_label(item.key) for item in await read_under(store, _ROOM)]
