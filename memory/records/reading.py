"""Names where each kind of record lies in the long-term store, and reads it.

A user's records live under `("users", label, room)`, where `label` encodes the user id reversibly into the characters
that every store, file system and case rule keeps apart: `ana.maria@example.com` becomes `ana_2emaria_40example_2ecom`.
A malformed record blocks nothing: it is set aside where it lies, and named.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from langchain_core.messages import AnyMessage, messages_from_dict
from langgraph.store.base import BaseStore, Item
from pydantic import BaseModel, ConfigDict, ValidationError

from config.errors import InvalidInputError, StorageError

Namespace = tuple[str, ...]

MAX_USER_ID = 200
_PLAIN = re.compile(r"[a-z0-9-]")


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


def user_namespace(user_id: str, *rooms: str) -> Namespace:
    """Return the namespace of one user's `rooms`; with no room, the prefix of all that is kept of the user."""
    return ("users", encode_label(user_id), *rooms)


def workspace_namespace(workspace: str, *rooms: str) -> Namespace:
    """Return the namespace of what users share under one workspace's name."""
    return ("workspaces", encode_label(workspace), *rooms)


def archive_namespace(user_id: str, thread_id: str) -> Namespace:
    """Return where the turns live that left the state of one thread."""
    return user_namespace(user_id, "archive", encode_label(thread_id))


def decode_label(label: str) -> str:
    """Return the text that `encode_label` turned into `label`."""
    raw = re.sub(rb"_([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), label.encode("ascii"))
    return raw.decode("utf-8")


_PAGE = 500


async def read_all(store: BaseStore, namespace: Namespace) -> list[Item]:
    """Return all items of exactly this namespace, by key."""
    found = await read_under(store, namespace)
    return sorted((item for item in found if tuple(item.namespace) == namespace), key=lambda item: item.key)


async def read_under(store: BaseStore, prefix: Namespace) -> list[Item]:
    """Return all items of this namespace and those below it, each once."""
    items: dict[tuple[Namespace, str], Item] = {}
    offset = 0
    while page := await store.asearch(prefix, limit=_PAGE, offset=offset):
        items.update(((tuple(item.namespace), item.key), item) for item in page)
        offset += len(page)
        if len(page) < _PAGE:
            break
    return list(items.values())


R = TypeVar("R", bound=BaseModel)

_log = logging.getLogger(__name__)


class ArchivedItem(BaseModel):
    """What the archive keeps of one turn, or of the summary behind it."""

    model_config = ConfigDict(extra="allow")

    turn: int
    private: bool
    messages: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class SetAside:
    """A record that can't be read: where it lies, and why."""

    namespace: Namespace
    key: str
    fault: str

    @property
    def name(self) -> str:
        """Return its full name in the store."""
        return "/".join((*self.namespace, self.key))


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


def read_messages(stored: Sequence[dict[str, Any]]) -> list[AnyMessage]:
    """Return messages from their stored form. Raises KeyError, TypeError or ValueError where they have none."""
    return cast("list[AnyMessage]", messages_from_dict(stored))


def archived_messages(item: Item) -> list[AnyMessage]:
    """Return the messages of an archived turn; none where it is malformed."""
    try:
        return _messages(item)
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError):
        _log.warning("set aside: %s. `concierge doctor` lists all such records.", "/".join((*item.namespace, item.key)))
        return []


async def set_aside(store: BaseStore, root: Namespace, kinds: Mapping[str, type[BaseModel]]) -> list[SetAside]:
    """Return the malformed records under `root`, the namespace of one user or workspace.

    Args:
        store: Where the records are.
        root: The namespace that they lie under.
        kinds: What the records of each room are; rooms that are not named are not looked at.
    """
    found = []
    for item in await read_under(store, root):
        namespace = tuple(item.namespace)
        room = namespace[len(root)] if len(namespace) > len(root) else ""
        try:
            if room == "archive":
                _messages(item)
            elif room in kinds:
                kinds[room].model_validate(item.value)
        except (ValidationError, KeyError, TypeError, ValueError, AttributeError) as error:
            found.append(SetAside(namespace, item.key, _fault(kinds.get(room, ArchivedItem), item, error)))
    return sorted(found, key=lambda one: one.name)


def _messages(item: Item) -> list[AnyMessage]:
    messages = read_messages(ArchivedItem.model_validate(item.value).messages)
    for message in messages:
        message.text, message.additional_kwargs.get("concierge", {}).get("at")
    return messages


def _fault(kind: type[BaseModel], item: Item, error: Exception) -> str:
    faults = error.errors() if isinstance(error, ValidationError) else []
    where = ", ".join(dict.fromkeys(".".join(map(str, fault["loc"])) or "its whole" for fault in faults[:3]))
    named = "/".join((*item.namespace, item.key))
    return f"The record {named} is not a valid {kind.__name__} ({where or type(error).__name__})."
