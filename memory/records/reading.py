"""Names where each kind of record lies in the long-term store, and reads it.

A user's records live under `("users", label, room)`, where `label` encodes the user id reversibly into the characters
that every store, file system and case rule keeps apart: `ana.maria@example.com` becomes `ana_2emaria_40example_2ecom`.
A malformed record blocks nothing: it is set aside where it lies, and named.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from langgraph.store.base import BaseStore, Item
from pydantic import BaseModel, ValidationError

from config.errors import InvalidInputError, StorageError
from memory.control.erased import Eraser, Erasure
from memory.records.notes import Note
from memory.records.profile import Consent, Profile
from memory.records.trips import Trip

Namespace = tuple[str, ...]

MAX_USER_ID = 200
_PLAIN = re.compile(r"[a-z0-9-]")
_PAGE = 500
R = TypeVar("R", bound=BaseModel)
_log = logging.getLogger(__name__)
T = TypeVar("T")
_MOST_RESULTS = 16


def encode_label(text: str) -> str:
    """Return `text` as one namespace label; different texts give different labels.

    Raises:
        InvalidInputError: the text is empty, longer than 200 characters, or not valid Unicode.
    """
    if not text or len(text) > MAX_USER_ID:
        raise InvalidInputError(
            f"An id must have 1 to {MAX_USER_ID} characters; this one has {len(text)}. Pass the id your sign-in gives."
        )
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInputError("An id must be valid Unicode text; this one has a lone surrogate.") from None
    return "".join(chr(byte) if _PLAIN.match(chr(byte)) else f"_{byte:02x}" for byte in raw)


def check_id(text: str) -> None:
    """Raise InvalidInputError for what can't name a new user or conversation; those there are keep their names."""
    encode_label(text)
    if text.isspace() or not text.replace("\u3000", " ").isprintable():
        raise InvalidInputError(f"An id can't be blank or have control or invisible characters; this one is {text!r}.")


def user_namespace(user_id: str, *rooms: str) -> Namespace:
    """Return the namespace of one user's `rooms`; with no room, the prefix of all that is kept of the user."""
    return ("users", encode_label(user_id), *rooms)


def decode_label(label: str) -> str:
    """Return the text that `encode_label` turned into `label`."""
    raw = re.sub(rb"_([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), label.encode("ascii"))
    return raw.decode("utf-8")


async def read_under(store: BaseStore, prefix: Namespace) -> list[Item]:
    """Return all items of this namespace and those below it, each once, by namespace and key."""
    items: dict[tuple[Namespace, str], Item] = {}
    for offset in count(0, _PAGE):
        page = await store.asearch(prefix, limit=_PAGE, offset=offset)
        items.update(((tuple(item.namespace), item.key), item) for item in page)
        if len(page) < _PAGE:
            break
    return [item for _, item in sorted(items.items())]


@dataclass(frozen=True, slots=True)
class SetAside:
    """A record that can't be read: its full name in the store, what it holds, and why."""

    name: str
    value: dict[str, Any]
    fault: str


def parse(kind: type[R], item: Item) -> R:
    """Return the record that `item` holds. Raises StorageError where it is none."""
    try:
        return kind.model_validate(item.value)
    except ValidationError as error:
        raise StorageError(f"{_fault(kind, item, error)} `concierge doctor` lists all such records.") from error


def sound(kind: type[R], items: Iterable[Item]) -> list[R]:
    """Return the records that `items` hold, without those that are malformed."""
    found = []
    for item in items:
        try:
            found.append(kind.model_validate(item.value))
        except ValidationError as error:
            _log.warning("set aside: %s `concierge doctor` lists all such records.", _fault(kind, item, error))
    return found


def salvaged(kind: type[R], item: Item) -> tuple[R, bool]:
    """Return the record that `item` holds, without its malformed fields, and whether it has none of these."""
    value = dict(item.value)
    try:
        return kind.model_validate(value), True
    except ValidationError as error:
        _log.warning("set aside in part: %s `concierge doctor` lists all such records.", _fault(kind, item, error))
        bad = {fault["loc"][0] for fault in error.errors() if fault["loc"]}
    return kind.model_validate({name: given for name, given in value.items() if name not in bad}), False


async def set_aside(store: BaseStore, root: Namespace, kinds: Mapping[str, type[BaseModel]]) -> list[SetAside]:
    """Return the malformed records under `root`, in the rooms of which `kinds` says what their records are."""
    found = []
    for item in await read_under(store, root):
        namespace = tuple(item.namespace)
        room = namespace[len(root)] if len(namespace) > len(root) else ""
        try:
            if room in kinds:
                kinds[room].model_validate(item.value)
        except ValidationError as error:
            name = "/".join((*namespace, item.key))
            found.append(SetAside(name, item.value, _fault(kinds[room], item, error)))
    return sorted(found, key=lambda one: one.name)


def _fault(kind: type[BaseModel], item: Item, error: ValidationError) -> str:
    where = ", ".join(dict.fromkeys(".".join(map(str, fault["loc"])) or "its whole" for fault in error.errors()[:3]))
    return f"The record {'/'.join((*item.namespace, item.key))} is not a valid {kind.__name__} ({where})."


_held: WeakKeyDictionary[BaseStore, OrderedDict[Namespace, Snapshot]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What one memory holds at one revision, and what was worked out from it; all of it goes when the revision moves.

    Every write moves `mark`, in whatever process, but what changes nothing that a turn reads.
    """

    mark: Hashable
    every: tuple[Note, ...]
    """The notes, newest first, whatever their status."""
    profile: Profile
    trips: tuple[Trip, ...]
    consent: Consent
    erasures: tuple[Erasure, ...]
    key: bytes | None
    """The key of the hashes of `erasures`."""
    screened: frozenset[str] = frozenset()
    """Names of texts that the screen let through, as `memory.policy.verdict_key` makes them."""
    vectors: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    """Vectors by text, for each who made them; handed on to the next snapshot, so only new texts need any."""
    _results: dict[Hashable, Any] = field(default_factory=dict)

    def notes(self, now: datetime) -> list[Note]:
        """Return the live notes, newest first."""
        return [note for note in self.every if note.is_live(now)]

    def eraser(self, *, after: int = 0) -> Eraser:
        """Return what was forgotten: all of it, or what was after the erasure of number `after`."""
        return Eraser([one for one in self.erasures if one.seq > after], self.key or b"")

    async def once(self, asked: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return what `make` gives, which depends on nothing but this snapshot and `asked`."""
        if asked not in self._results:
            made = await make()
            if len(self._results) >= _MOST_RESULTS:
                self._results.clear()
            self._results[asked] = made
        found: T = self._results[asked]
        return found


def held_snapshots(store: BaseStore) -> OrderedDict[Namespace, Snapshot]:
    """Return what this process holds of the memories of `store`, by their root, those that were read last at the end.

    Of a memory of which something was forgotten nothing may be held; other processes notice as they read.
    """
    return _held.setdefault(store, OrderedDict())
