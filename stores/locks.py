"""Locks: of a folder, for one process at a time; of a block by its name, for one task at a time."""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from filelock import FileLock, Timeout
from langgraph.store.base import BaseStore

from config.errors import StoreLockedError
from stores.private_files import folder_fault, make_private_folder, write_private

LOCK_FILE = "store.lock"
OWNER_FILE = "store.owner.json"
_locks: WeakValueDictionary[tuple[int, int, str], asyncio.Lock] = WeakValueDictionary()


@contextmanager
def folder_lock(folder: Path, *, clock: Callable[[], datetime]) -> Iterator[None]:
    """Hold `folder`, creating it, against other processes and against a second opening in this one.

    Raises:
        StoreLockedError: when it is held; names the owner, since when, and what to do.
        StorageError: when the folder can't be written.
    """
    make_private_folder(folder)
    lock = FileLock(folder / LOCK_FILE, timeout=0, thread_local=False)
    owner = folder / OWNER_FILE
    try:
        lock.acquire()
    except Timeout:
        raise StoreLockedError(_refusal(folder, _read_owner(owner))) from None
    except OSError as error:
        raise folder_fault(error, folder) from error
    try:
        started = f"{clock().astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        write_private(owner, json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "started_at": started}))
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()


def _read_owner(path: Path) -> dict[str, Any]:
    try:
        owner = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return owner if isinstance(owner, dict) else {}


def _refusal(folder: Path, owner: dict[str, Any]) -> str:
    if owner.get("pid") == os.getpid() and owner.get("host") == socket.gethostname():
        return f"The store {folder} is already open in this process. Use that one, or close it first."
    if not owner:
        return f"The store {folder} is open in another process. Close that process and try again."
    who = f"process {owner.get('pid')} on {owner.get('host')} since {owner.get('started_at')}"
    return (
        f"The store {folder} is open in {who}. "
        "Close that process, or give this one another folder with CONCIERGE_DATA_DIR."
    )


def is_held(prefix: str) -> bool:
    """Return whether a block of this process is entered whose name begins with `prefix`."""
    return any(lock.locked() for (_, _, name), lock in list(_locks.items()) if name.startswith(prefix))


@asynccontextmanager
async def exclusive_lock(store: BaseStore, name: str) -> AsyncIterator[None]:
    """Wait until no other block of this name is entered, and keep others out; a task must not nest it.

    A store that several processes use at once has an `exclusive_lock` of its own, which keeps out all of them.
    """
    key = (id(asyncio.get_running_loop()), id(store), name)
    lock = _locks.setdefault(key, asyncio.Lock())
    shared = getattr(store, "exclusive_lock", None)
    async with lock, shared(name) if shared else contextlib.nullcontext():
        yield
