"""Names where each kind of record lives in the long-term store, and reads a whole namespace.

A user's records live under `("users", label, room)`, where `label` encodes the user id reversibly into the characters
that every store, file system and case rule keeps apart: `ana.maria@example.com` becomes `ana_2emaria_40example_2ecom`.
"""

from __future__ import annotations

import re

from langgraph.store.base import BaseStore, Item

from config.errors import InvalidInputError

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
