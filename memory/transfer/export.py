"""Exports the complete memory of a user as one JSON document, and parses such documents strictly."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny, StringConstraints, ValidationError

from config.errors import InvalidInputError
from memory.control.erased import Erasure
from memory.records.conversations import ArchivedTurn, Conversation, Running, turn_key
from memory.records.episodes import Episode
from memory.records.journal import JournalEntry
from memory.records.notes import Note, Record
from memory.records.profile import FIELD_NAME, Consent, OpenProfile, Profile
from memory.records.reading import decode_label, read_under, set_aside, sound
from memory.records.repository import UserMemory
from memory.records.transaction import ROOM_OF, OutdatedError, settled
from memory.records.trips import Trip
from text import as_data, storable

FORMAT: Literal["concierge-memory"] = "concierge-memory"
VERSION: Literal[1] = 1

_MOST_FAULTS = 3
_LONGEST_ID = 200
_MOST_FIELDS = 100
_MOST_READ_EACH_TURN = 2000


class BookingRecord(Record):
    """A booking as memory reads it: its id and start. Other fields are allowed; `travel` defines them."""

    model_config = ConfigDict(extra="allow")
    stored_as = "booking"

    id: str
    starts: date
    created_at: datetime


_STORED: tuple[type[Record], ...] = (Note, OpenProfile, Trip, Episode, Consent, Erasure, BookingRecord)


def _profile(value: Any) -> Any:
    return Profile.of(value) if isinstance(value, Mapping) else value


class ArchivedRecord(ArchivedTurn):
    """An archived turn, or the summary that follows it, with its key in the archive."""

    key: Annotated[str, StringConstraints(pattern=r"^\d{8}(-summary)?$")]


class ArchivedThread(Record):
    """The archive of one conversation."""

    thread_id: str
    turns: tuple[ArchivedRecord, ...]


class Portable(Record):
    """The exported document. `counts` has the length of each list, so that a truncated file is noticed.

    `erasures` are hashes under a key that is not exported, since together they could reveal what was forgotten.
    `hash_key_id` identifies the key; erasures take effect only where a memory has it.
    """

    format: Literal["concierge-memory"]
    version: Literal[1]
    user: str
    exported_at: datetime
    consent: Consent | None
    profile: Annotated[SerializeAsAny[Profile] | None, BeforeValidator(_profile)]
    notes: tuple[Note, ...]
    session_notes: tuple[Note, ...] = ()
    """Notes staged in sessions that had not ended; an import adds those that are not about one trip as notes."""
    trips: Annotated[tuple[Trip, ...], Field(max_length=_MOST_READ_EACH_TURN)]
    bookings: tuple[BookingRecord, ...] = ()
    """Bookings with their receipts, for the user's own use; an import checks them but adds none."""
    episodes: tuple[Episode, ...]
    journal: tuple[JournalEntry, ...]
    archive: tuple[ArchivedThread, ...]
    erasures: Annotated[tuple[Erasure, ...], Field(max_length=_MOST_READ_EACH_TURN)]
    hash_key_id: str | None
    counts: dict[str, int]
    set_aside: tuple[dict[str, Any], ...] = ()
    """Malformed records by name, for the user's own use; an import ignores them."""


ROOMS: dict[str, type[BaseModel]] = {
    **{ROOM_OF[one.stored_as]: one for one in _STORED},
    "journal": JournalEntry, "threads": Conversation, "archive": ArchivedTurn,
}  # fmt: skip
"""The model of the records in each room of a user or workspace; see `memory.records.reading.set_aside`."""


async def export(memory: UserMemory, running: Sequence[Running] = (), *, now: datetime) -> dict[str, Any]:
    """Return the complete memory of a user, with the state of `running` conversations, as plain JSON values."""

    async def attempt() -> Portable:
        seq = await memory.written()
        document = await portable(memory, running, now=now)
        aside = await set_aside(memory.store, memory.root, ROOMS)
        if await memory.written() != seq:
            raise OutdatedError("The memory was changed while it was read.")
        malformed = tuple({"record": one.name, "value": one.value} for one in aside)
        return document.model_copy(update={"set_aside": malformed})

    return (await settled(attempt)).dump()


async def portable(memory: UserMemory, running: Sequence[Running] = (), *, now: datetime) -> Portable:
    """Return the memory of a user as one document without malformed records; its parts are not read atomically."""
    notes, bookings = await memory.notes(include_inactive=True), await memory.kept(BookingRecord)
    lists: dict[str, Sequence[Any]] = {
        "notes": sorted(notes, key=lambda note: (note.created_at, note.id)),
        "session_notes": [note for one in running for note in one.notes],
        "trips": await memory.trips(),
        "bookings": sorted(bookings, key=lambda one: (one.starts, one.created_at, one.id)),
        "episodes": await memory.episodes(),
        "journal": await memory.journal(),
        "archive": await _archive(memory, running),
        "erasures": await memory.erasures(),
    }
    records: dict[str, Any] = {name: tuple(values) for name, values in lists.items()}
    # Not validated: the limits apply to imports only.
    return Portable.model_construct(
        format=FORMAT,
        version=VERSION,
        user=memory.user_id,
        exported_at=now,
        consent=await memory.kept_consent(),
        profile=await memory.profile(),
        **records,
        hash_key_id=hashlib.sha256(key).hexdigest() if (key := await memory.kept_hash_key()) else None,
        counts={name: len(values) for name, values in lists.items()},
    )


async def _archive(memory: UserMemory, running: Sequence[Running]) -> list[ArchivedThread]:
    threads: dict[str, dict[str, ArchivedTurn]] = {}
    for one in running:
        threads.setdefault(one.thread_id, {}).update({turn_key(turn.turn): turn for turn in one.turns if turn.turn})
    for item in await read_under(memory.store, (*memory.root, "archive")):
        for turn in sound(ArchivedTurn, [item]):
            threads.setdefault(decode_label(item.namespace[-1]), {})[item.key] = turn
    archive = []
    for thread, turns in sorted(threads.items()):
        records = [ArchivedRecord.model_construct(key=key, **dict(turn)) for key, turn in sorted(turns.items())]
        archive += [ArchivedThread.model_construct(thread_id=thread, turns=tuple(records))] if records else []
    return archive


def loaded(raw: bytes, *, megabytes: int = 8) -> object:
    """Return the JSON value in a file. Raises InvalidInputError if it is too large or not JSON, e.g. truncated."""
    check_size(len(raw) // 2, megabytes)  # up to half of an exported file is indentation
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInputError("The file is no text in UTF-8, so it is no export.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            f"This is not JSON ({error}). Perhaps the file was cut off: export it again. Nothing was imported."
        ) from None


def check_size(size: int, megabytes: int) -> None:
    """Raise InvalidInputError if an export of `size` bytes exceeds `megabytes`."""
    if size > megabytes * 1_000_000:
        raise InvalidInputError(
            f"This export has {size / 1_000_000:.0f} MB, and at most {megabytes} MB are read. Nothing was imported. "
            "Set CONCIERGE_MAX_IMPORT_MB to the size you trust: reading takes about sixteen times that memory."
        )


def parse(data: object, *, booking: type[Record] = BookingRecord, megabytes: int = 8) -> Portable:
    """Return the document in `data`, which are plain JSON values; bookings must fit the model `booking`.

    Raises:
        InvalidInputError: `data` is not an export, has another version, is incomplete or too large, or a record in it
            is malformed.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InvalidInputError("This is no export of a memory. Take the file as the export wrote it.")
    if data.get("version") != VERSION:
        raise InvalidInputError(
            f"This export is of version {data.get('version')!r}, and version {VERSION} is what can be read here. "
            "Export it again with the same release as this."
        )
    if missing := [name for name, field in Portable.model_fields.items() if field.is_required() and name not in data]:
        raise InvalidInputError(f"This export is not whole: it has no {', '.join(missing)}. Export it again.")
    try:
        check_size(len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")), megabytes)
        clean = as_data(data, storable, keys=storable)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"This export can't be read: it is not plain JSON ({error}).") from None
    try:
        document = Portable.model_validate(clean)
        kinds = {**{one.stored_as: one for one in _STORED}, "booking": booking}
        for one in document.bookings:
            booking.model_validate(one.dump())
        for entry in document.journal:
            for change in entry.changes:
                for value in filter(None, [change.before, change.after]):
                    kinds[change.kind].model_validate(value)
    except ValidationError as error:
        raise InvalidInputError(f"This export can't be read. {_explain(error)} Nothing was imported.") from None
    _check(document)
    _check_fields(document)
    pairs = zip(document.archive, data["archive"], strict=True)  # keep thread ids as given: cleaning could merge them
    archive = tuple(one.model_copy(update={"thread_id": given["thread_id"]}) for one, given in pairs)
    return document.model_copy(update={"archive": archive})


def _check(document: Portable) -> None:
    for name, count in document.counts.items():
        had = len(getattr(document, name, ()))
        if had != count:
            raise InvalidInputError(f"This export is not whole: it says {count} {name} and has {had}. Export it again.")
    if document.erasures and not document.hash_key_id:
        raise InvalidInputError("This export is not whole: it has erasures and no hash_key_id. Export it again.")
    for name in ("notes", "trips", "bookings", "episodes"):
        for key, count in Counter(one.id for one in getattr(document, name)).most_common(1):
            if count > 1:
                raise InvalidInputError(f"This export has {count} {name} with the id {key[:40]!r}. Keep one of them.")
    lists = ("notes", "session_notes", "trips", "bookings", "episodes", "journal", "erasures")
    ids = [record.id for name in lists for record in getattr(document, name)]
    ids += [change.key for entry in document.journal for change in entry.changes]
    for key in ids:
        if not key or len(key) > _LONGEST_ID or not key.isprintable():
            raise InvalidInputError(f"This export can't be read. It has a record with the id {key[:40]!r}.")


def _check_fields(document: Portable) -> None:
    """Raise InvalidInputError if a profile, also one in the journal, has fields that no schema can have."""
    changes = [change for entry in document.journal for change in entry.changes if change.kind == "profile"]
    profiles = [document.profile.dump() if document.profile else {}]
    profiles += [dict(value) for one in changes for value in (one.before, one.after) if value]
    for fields in profiles:
        if len(fields) > _MOST_FIELDS:
            raise InvalidInputError(f"This export can't be read. Its profile has {len(fields)} fields.")
        if odd := next((name for name in fields if not re.fullmatch(FIELD_NAME, name)), None):
            raise InvalidInputError(f"This export can't be read. Its profile has the field {odd[:40]!r}.")


def _explain(error: ValidationError) -> str:
    faults: Sequence[Any] = error.errors()
    listed = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}." for fault in faults[:_MOST_FAULTS]]
    more = f" And {len(faults) - _MOST_FAULTS} more." if len(faults) > _MOST_FAULTS else ""
    return " ".join(listed) + more
