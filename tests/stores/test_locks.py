from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.errors import StorageError, StoreLockedError
from stores.chroma import ChromaStore
from stores.locks import folder_lock
from tests.conftest import Clock
from tests.processes import running

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from stores.chroma import ChromaStore
with ChromaStore.from_path(sys.argv[1]) as store:
    store.put(("a",), "k", {"by": "other"})
    print("open", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD, str(path)]
    with running(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process


@pytest.mark.slow
def test_second_process_is_told_who_uses_the_store(tmp_path: Path) -> None:
    with another_process(tmp_path) as owner, pytest.raises(StoreLockedError) as refusal:
        ChromaStore.from_path(tmp_path).__enter__()
    words = str(refusal.value)
    assert f"process {owner.pid} on {socket.gethostname()}" in words
    assert re.search(r"since \d{4}-\d\d-\d\d \d\d:\d\d UTC", words)
    assert "CONCIERGE_DATA_DIR" in words


def test_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StorageError, match="free some space"):
        ChromaStore.from_path(tmp_path).__enter__()


@pytest.mark.slow
def test_lock_of_a_killed_process_is_released(tmp_path: Path) -> None:
    with another_process(tmp_path) as owner:
        os.kill(owner.pid, signal.SIGKILL)
        owner.wait()
        with ChromaStore.from_path(tmp_path) as store:
            item = store.get(("a",), "k")
    assert item is not None
    assert item.value == {"by": "other"}


def test_second_opening_in_this_process_is_rejected_and_the_first_continues(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        with pytest.raises(StoreLockedError, match="already open in this process"), ChromaStore.from_path(tmp_path):
            pass
        store.put(("a",), "k", {})
    with ChromaStore.from_path(tmp_path) as store:
        assert store.get(("a",), "k") is not None


def test_error_says_when_the_lock_was_taken(tmp_path: Path) -> None:
    clock = Clock()
    with folder_lock(tmp_path, clock=clock):
        owner = tmp_path / "store.owner.json"
        owner.write_text(owner.read_text().replace(str(os.getpid()), "1"))
        with pytest.raises(StoreLockedError, match=f"since {clock():%Y-%m-%d %H:%M} UTC"):
            folder_lock(tmp_path, clock=clock).__enter__()


@pytest.mark.parametrize("owner", ["", "{", "[]", '{"pid": 1}', "\x00"])
def test_unreadable_owner_file_does_not_hide_the_lock(tmp_path: Path, owner: str) -> None:
    with folder_lock(tmp_path, clock=Clock()):
        (tmp_path / "store.owner.json").write_text(owner)
        with pytest.raises(StoreLockedError, match="Close that process"), folder_lock(tmp_path, clock=Clock()):
            pass


def test_lock_may_be_released_by_another_thread(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    lock = folder_lock(tmp_path, clock=Clock())
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lock.__enter__).result()
    lock.__exit__(None, None, None)
    with folder_lock(tmp_path, clock=Clock()):
        pass
