"""Defines the namespaces of records in the long-term store, and reads records from them.

A user's records are under `("users", label, room)`. `label` encodes the user id reversibly into lower-case characters
that every store and file system can tell apart: `ana.maria@example.com` becomes `ana_2emaria_40example_2ecom`.
A malformed record does not stop a read: it is skipped and logged, and stays in the store.
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
    """Encode `text` as one namespace label; different texts have different labels.

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
    """Raise InvalidInputError if `text` can't be the id of a new user or conversation; existing ids stay valid."""
    encode_label(text)
    if text.isspace() or not text.replace("\u3000", " ").isprintable():
        raise InvalidInputError(f"An id can't be blank or have control or invisible characters; this one is {text!r}.")


def user_namespace(user_id: str, *rooms: str) -> Namespace:
    """Return the namespace of one user's `rooms`; without a room, the prefix of all records of the user."""
    return ("users", encode_label(user_id), *rooms)


def decode_label(label: str) -> str:
    """Return the text that `encode_label` encoded as `label`."""
    raw = re.sub(rb"_([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), label.encode("ascii"))
    return raw.decode("utf-8")


async def read_under(store: BaseStore, prefix: Namespace) -> list[Item]:
    """Return all items of this namespace and those below it, each once, sorted by namespace and key."""
    items: dict[tuple[Namespace, str], Item] = {}
    for offset in count(0, _PAGE):
        page = await store.asearch(prefix, limit=_PAGE, offset=offset)
        items.update(((tuple(item.namespace), item.key), item) for item in page)
        if len(page) < _PAGE:
            break
    return [item for _, item in sorted(items.items())]


@dataclass(frozen=True, slots=True)
class SetAside:
    """A malformed record: its full name in the store, its value, and what is wrong with it."""

    name: str
    value: dict[str, Any]
    fault: str


def parse(kind: type[R], item: Item) -> R:
    """Return the record in `item`. Raises StorageError if it is malformed."""
    try:
        return kind.model_validate(item.value)
    except ValidationError as error:
        raise StorageError(f"{_fault(kind, item, error)} `concierge doctor` lists all such records.") from error


def sound(kind: type[R], items: Iterable[Item]) -> list[R]:
    """Return the records in `items`, without malformed ones, which are logged."""
    records = []
    for item in items:
        try:
            records.append(kind.model_validate(item.value))
        except ValidationError as error:
            _log.warning("set aside: %s `concierge doctor` lists all such records.", _fault(kind, item, error))
    return records


def salvaged(kind: type[R], item: Item) -> tuple[R, bool]:
    """Return the record in `item` without its malformed fields, and whether all its fields are sound."""
    value = dict(item.value)
    try:
        return kind.model_validate(value), True
    except ValidationError as error:
        _log.warning("set aside in part: %s `concierge doctor` lists all such records.", _fault(kind, item, error))
        bad = {fault["loc"][0] for fault in error.errors() if fault["loc"]}
    return kind.model_validate({name: given for name, given in value.items() if name not in bad}), False


async def set_aside(store: BaseStore, root: Namespace, kinds: Mapping[str, type[BaseModel]]) -> list[SetAside]:
    """Return the malformed records under `root` by name; `kinds` are the models of the rooms to check."""
    malformed = []
    for item in await read_under(store, root):
        namespace = tuple(item.namespace)
        room = namespace[len(root)] if len(namespace) > len(root) else ""
        try:
            if room in kinds:
                kinds[room].model_validate(item.value)
        except ValidationError as error:
            name = "/".join((*namespace, item.key))
            malformed.append(SetAside(name, item.value, _fault(kinds[room], item, error)))
    return sorted(malformed, key=lambda one: one.name)


def _fault(kind: type[BaseModel], item: Item, error: ValidationError) -> str:
    where = ", ".join(dict.fromkeys(".".join(map(str, fault["loc"])) or "its whole" for fault in error.errors()[:3]))
    return f"The record {'/'.join((*item.namespace, item.key))} is not a valid {kind.__name__} ({where})."


_snapshots: WeakKeyDictionary[BaseStore, OrderedDict[Namespace, Snapshot]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The contents of one memory at one revision, with a cache of results computed from them.

    It is valid while the memory's `mark` (see `Records.mark`) stays the same.
    """

    mark: Hashable
    every: tuple[Note, ...]
    """The notes of every status, newest first."""
    profile: Profile
    trips: tuple[Trip, ...]
    consent: Consent
    erasures: tuple[Erasure, ...]
    key: bytes | None
    """The key of the hashes in `erasures`."""
    screened: frozenset[str] = frozenset()
    """The keys (see `memory.policy.verdict_key`) of texts that passed the screen."""
    vectors: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    """Vectors by embedder and text, shared with the next snapshot, so that only new texts are embedded."""
    _results: dict[Hashable, Any] = field(default_factory=dict)

    def notes(self, now: datetime) -> list[Note]:
        """Return the live notes, newest first."""
        return [note for note in self.every if note.is_live(now)]

    def eraser(self, *, after: int = 0) -> Eraser:
        """Return an eraser of the statements that were forgotten after the erasure number `after`."""
        return Eraser([one for one in self.erasures if one.seq > after], self.key or b"")

    async def once(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Return the cached result of `make`, which must depend on nothing but this snapshot and `key`."""
        if key not in self._results:
            result = await make()
            if len(self._results) >= _MOST_RESULTS:
                self._results.clear()
            self._results[key] = result
        cached: T = self._results[key]
        return cached


def held_snapshots(store: BaseStore) -> OrderedDict[Namespace, Snapshot]:
    """Return this process's snapshots of the memories of `store`, by root, the most recently read last.

    After forgetting, remove the snapshot of that memory; other processes notice the new mark when they read.
    """
    return _snapshots.setdefault(store, OrderedDict())
