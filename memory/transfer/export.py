"""Exports all that is kept of a user as one JSON document, and parses one strictly."""

import hashlib
import json
import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from config.errors import InvalidInputError
from memory.control.erased import Erasure
from memory.records.conversations import ArchivedTurn, Conversation, Running, turn_key
from memory.records.episodes import Episode
from memory.records.journal import JournalEntry
from memory.records.notes import Note, Record
from memory.records.profile import Consent, Profile
from memory.records.reading import decode_label, read_under, set_aside, sound
from memory.records.repository import UserMemory
from memory.records.transaction import ROOM_OF, OutdatedError, settled
from memory.records.trips import Trip
from text import storable

FORMAT: Literal["concierge-memory"] = "concierge-memory"
VERSION: Literal[1] = 1

_MOST_FAULTS = 3
_LONGEST_ID = 200
_MOST_READ_EACH_TURN = 2000


class BookingRecord(Record):
    """What memory knows of a booking: its id and when it starts. The rest belongs to whoever made it."""

    model_config = ConfigDict(extra="allow")
    stored_as = "booking"

    id: str
    starts: date
    created_at: datetime


_STORED: tuple[type[Record], ...] = (Note, Profile, Trip, Episode, Consent, Erasure, BookingRecord)


class ArchivedRecord(ArchivedTurn):
    """One turn that left the state of its thread, or the summary behind it, under its key in the archive."""

    key: Annotated[str, StringConstraints(pattern=r"^\d{8}(-summary)?$")]


class ArchivedThread(Record):
    """The archive of one conversation."""

    thread_id: str
    turns: tuple[ArchivedRecord, ...]


class Portable(Record):
    """The document. `counts` says how many records each list has, so that a file that was cut off is noticed.

    `erasures` are hashes under a key that stays where they were made, and that `hash_key_id` names: beside its key a
    hash would tell what was forgotten. They count again where that key is.
    """

    format: Literal["concierge-memory"]
    version: Literal[1]
    user: str
    exported_at: datetime
    consent: Consent | None
    profile: Profile | None
    notes: tuple[Note, ...]
    session_notes: tuple[Note, ...] = ()
    """Noted in sessions that had not ended; an import takes those that hold beyond one trip as notes."""
    trips: Annotated[tuple[Trip, ...], Field(max_length=_MOST_READ_EACH_TURN)]
    bookings: tuple[BookingRecord, ...] = ()
    """With their receipts, for the user to have; an import books nothing again."""
    episodes: tuple[Episode, ...]
    journal: tuple[JournalEntry, ...]
    archive: tuple[ArchivedThread, ...]
    erasures: Annotated[tuple[Erasure, ...], Field(max_length=_MOST_READ_EACH_TURN)]
    hash_key_id: str | None
    counts: dict[str, int]
    set_aside: tuple[dict[str, Any], ...] = ()
    """Records that were malformed where they were kept, by name: for the user to have, an import reads none of it."""


ROOMS: dict[str, type[BaseModel]] = {
    **{ROOM_OF[one.stored_as]: one for one in _STORED},
    "journal": JournalEntry, "threads": Conversation, "archive": ArchivedTurn,
}  # fmt: skip
"""What the records of each room of a user or a workspace are; see `memory.records.reading.set_aside`."""


async def export(memory: UserMemory, running: Sequence[Running] = (), *, now: datetime) -> dict[str, Any]:
    """Return everything that is kept of a user, as plain JSON values; nothing is changed by it."""

    async def attempt() -> Portable:
        seq = await memory.written()
        found = await portable(memory, running, now=now)
        aside = await set_aside(memory.store, memory.root, ROOMS)
        if await memory.written() != seq:
            raise OutdatedError("The memory was changed while it was read.")
        return found.model_copy(update={"set_aside": tuple({"record": one.name, "value": one.value} for one in aside)})

    return (await settled(attempt)).dump()


async def portable(memory: UserMemory, running: Sequence[Running] = (), *, now: datetime) -> Portable:
    """Return what is kept of a user as one document, read piece by piece, but for what is set aside."""
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
    records: dict[str, Any] = {name: tuple(found) for name, found in lists.items()}
    # What is kept is exported as it is, however much it is: the limits are for what comes in.
    return Portable.model_construct(
        format=FORMAT,
        version=VERSION,
        user=memory.user_id,
        exported_at=now,
        consent=await memory.kept_consent(),
        profile=await memory.profile(),
        **records,
        hash_key_id=hashlib.sha256(key).hexdigest() if (key := await memory.kept_hash_key()) else None,
        counts={name: len(found) for name, found in lists.items()},
    )


async def _archive(memory: UserMemory, running: Sequence[Running]) -> list[ArchivedThread]:
    threads: dict[str, dict[str, ArchivedTurn]] = {}
    for one in running:
        threads.setdefault(one.thread_id, {}).update({turn_key(turn.turn): turn for turn in one.turns if turn.turn})
    for item in await read_under(memory.store, (*memory.root, "archive")):
        for turn in sound(ArchivedTurn, [item]):
            threads.setdefault(decode_label(item.namespace[-1]), {})[item.key] = turn
    found = []
    for thread, turns in sorted(threads.items()):
        records = [ArchivedRecord.model_construct(key=key, **dict(turn)) for key, turn in sorted(turns.items())]
        found += [ArchivedThread.model_construct(thread_id=thread, turns=tuple(records))] if records else []
    return found


def loaded(raw: bytes, *, megabytes: int = 8) -> object:
    """Return the JSON value that a file holds. Raises InvalidInputError where it is none, as in a file cut off."""
    check_size(len(raw) // 2, megabytes)  # as `export_memory` writes it, up to half is white space
    try:
        value: object = json.loads(raw.decode("utf-8-sig"))
        return value
    except UnicodeDecodeError:
        raise InvalidInputError("The file is no text in UTF-8, so it is no export.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            f"This is not JSON ({error}). Perhaps the file was cut off: export it again. Nothing was imported."
        ) from None


def check_size(size: int, megabytes: int) -> None:
    """Raise InvalidInputError for an export of more bytes than that."""
    if size > megabytes * 1_000_000:
        raise InvalidInputError(
            f"This export has {size / 1_000_000:.0f} MB, and at most {megabytes} MB are read. Nothing was imported. "
            "Set CONCIERGE_MAX_IMPORT_MB to the size you trust: reading takes about sixteen times that memory."
        )


def parse(data: object, *, booking: type[Record] = BookingRecord, megabytes: int = 8) -> Portable:
    """Return the document that `data`, plain JSON values, is; bookings must fit the model `booking`.

    Raises:
        InvalidInputError: it is no export of a memory, of another version, incomplete, too large, or a record in it is
            malformed.
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
        clean = _cleaned(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"This export can't be read: it is not plain JSON ({error}).") from None
    try:
        found = Portable.model_validate(clean)
        kinds = {**{one.stored_as: one for one in _STORED}, "booking": booking}
        for one in found.bookings:
            booking.model_validate(one.dump())
        for entry in found.journal:
            for change in entry.changes:
                for value in filter(None, [change.before, change.after]):
                    kinds[change.kind].model_validate(value)
    except ValidationError as error:
        raise InvalidInputError(f"This export can't be read. {_explain(error)} Nothing was imported.") from None
    _check(found)
    named = zip(found.archive, data["archive"], strict=True)  # by the ids as they were: cleaned, they name others
    archive = tuple(one.model_copy(update={"thread_id": given["thread_id"]}) for one, given in named)
    return found.model_copy(update={"archive": archive})


def _cleaned(value: Any) -> Any:
    """Return a JSON value with its texts cleaned as messages are; the same object where there is nothing to clean."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        found = {storable(key): _cleaned(inner) for key, inner in value.items()}
        return value if all(found.get(key) is inner for key, inner in value.items()) else found
    if isinstance(value, list | tuple):
        listed = [_cleaned(inner) for inner in value]
        return value if all(map(operator.is_, listed, value)) else listed
    return value


def _check(found: Portable) -> None:
    for name, count in found.counts.items():
        had = len(getattr(found, name, ()))
        if had != count:
            raise InvalidInputError(f"This export is not whole: it says {count} {name} and has {had}. Export it again.")
    if found.erasures and not found.hash_key_id:
        raise InvalidInputError("This export is not whole: it has erasures and no hash_key_id. Export it again.")
    for name in ("notes", "trips", "bookings", "episodes"):
        for key, count in Counter(one.id for one in getattr(found, name)).most_common(1):
            if count > 1:
                raise InvalidInputError(f"This export has {count} {name} with the id {key[:40]!r}. Keep one of them.")
    named = ("notes", "session_notes", "trips", "bookings", "episodes", "journal", "erasures")
    ids = [one.id for name in named for one in getattr(found, name)]
    ids += [change.key for entry in found.journal for change in entry.changes]
    for one in ids:
        if not one or len(one) > _LONGEST_ID or not one.isprintable():
            raise InvalidInputError(f"This export can't be read. It has a record with the id {one[:40]!r}.")


def _explain(error: ValidationError) -> str:
    faults: Sequence[Any] = error.errors()
    told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}." for fault in faults[:_MOST_FAULTS]]
    more = f" And {len(faults) - _MOST_FAULTS} more." if len(faults) > _MOST_FAULTS else ""
    return " ".join(told) + more
