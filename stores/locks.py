"""Locks: a folder is open in one process at a time; a named block runs in one task at a time."""

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

from config.errors import ConflictError, StoreLockedError
from stores.private_files import folder_fault, make_private_folder, write_private

LOCK_FILE = "store.lock"
OWNER_FILE = "store.owner.json"


class _Lock(asyncio.Lock):
    """A lock that knows the task that holds it."""

    holder: asyncio.Task[Any] | None = None


_locks: WeakValueDictionary[tuple[int, int, str], _Lock] = WeakValueDictionary()


@contextmanager
def folder_lock(folder: Path, *, clock: Callable[[], datetime]) -> Iterator[None]:
    """Lock `folder` against other processes and against a second opening in this one; create it if needed.

    Raises:
        StoreLockedError: if it is locked; the message names the owner, the time it was opened, and what to do.
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
    """Return whether this process holds an `exclusive_lock` whose name begins with `prefix`."""
    return any(lock.locked() for (_, _, name), lock in list(_locks.items()) if name.startswith(prefix))


@asynccontextmanager
async def exclusive_lock(store: BaseStore, name: str) -> AsyncIterator[None]:
    """Run the block while no other task runs one of the same name; not reentrant.

    A store for several processes has its own `exclusive_lock`, which then excludes the other processes too.

    Raises:
        ConflictError: this task holds the lock itself, and would wait for ever.
    """
    key, task = (id(asyncio.get_running_loop()), id(store), name), asyncio.current_task()
    lock = _locks.setdefault(key, _Lock())
    if lock.locked() and lock.holder is task:
        raise ConflictError(f"This task is still working on {name}. Read its stream to the end first, or close it.")
    shared = getattr(store, "exclusive_lock", None)
    async with lock:
        lock.holder = task
        async with shared(name) if shared else contextlib.nullcontext():
            yield
