"""A backup is taken while the concierge is in use, restored into an empty directory, and the conversation continues."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.api.opening import open_concierge
from config.errors import InvalidInputError
from config.settings import load_settings
from stores.backup import back_up, restore
from tests.app.commandline import CommandLine
from tests.app.pending import bookings_wait
from tests.faults.residue import residue

ROOT = Path(__file__).parents[2]
KEY, OTHER = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))
NAMES = ["checkpoints.sqlite", "store/items.sqlite", "travel-inventory.db"]
_KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from stores.backup import back_up, restore
folder, file, names = Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]
def strike(event, _):
    if event == "os.rename":
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(strike)
if sys.argv[1] == "backup":
    back_up(folder, file, names, now=datetime.now(UTC))
else:
    restore(file, folder, names, finish=lambda _: None)
"""

_KILLED_ENCRYPTING = """
import os, signal, sys
from pathlib import Path
from pydantic import SecretStr
from stores.backup import restore
from stores.backup import settle_restored
from stores.encryption import cipher_of
left, names = int(sys.argv[1]), ["checkpoints.sqlite", "store/items.sqlite", "travel-inventory.db"]
def strike(event, _):
    global left
    if event == "sqlite3.connect/handle":
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
old, new = (cipher_of(SecretStr(key)) for key in sys.argv[4:])
sys.addaudithook(strike)
restore(Path(sys.argv[2]), Path(sys.argv[3]), names, finish=lambda folder: settle_restored(folder, new, old))
"""


@pytest.fixture
def archive(concierge: CommandLine) -> Path:
    """Take a backup during a conversation, with a booking that waits for Ana's approval."""
    bookings_wait(concierge)
    concierge.say("bo", "u", "I'm vegetarian.")
    concierge.end("bo", "u")
    asyncio.run(_taken_while_talking(concierge))
    return concierge.folder / "all.zip"


async def _taken_while_talking(concierge: CommandLine) -> None:
    async with open_concierge(load_settings(data_dir=concierge.data_dir, model_provider="offline")) as opened:
        await opened.send("I love museums.", user_id="bo", thread_id="u")
        backup = concierge("backup", "all.zip", "--json")
        assert (backup.code, list(backup.json["files"])) == (0, NAMES[:2]), backup.err
        await opened.send("I hate museums.", user_id="bo", thread_id="u")


def moved(concierge: CommandLine) -> dict[str, str]:
    """Return the environment of a new data directory, which does not exist yet."""
    return {"CONCIERGE_DATA_DIR": str(concierge.folder / "new")}


def encrypted_on_the_way(concierge: CommandLine, archive: Path) -> None:
    """Restore an unencrypted backup into an encrypted data directory; a backup of that is rejected without its key."""
    env = {"CONCIERGE_DATA_DIR": str(concierge.folder / "sealed"), "CONCIERGE_ENCRYPTION_KEY": KEY}
    assert concierge("restore", str(archive), env=env).code == 0
    assert residue(concierge.folder / "sealed", "vegetarian", "museums", "Lisbon") == []
    assert "vegetarian" in concierge("memory", "list", "--user", "bo", env=env).out
    assert "I love museums." in concierge("sessions", "history", "--thread", "u", env=env).out
    assert concierge("backup", "sealed.zip", env=env).code == 0
    for key, why in ((OTHER, "another key"), ("", "no key is set")):
        other = {"CONCIERGE_DATA_DIR": str(concierge.folder / "third"), "CONCIERGE_ENCRYPTION_KEY": key}
        refused = concierge("restore", "sealed.zip", env=other)
        assert (refused.code, why in refused.err) == (1, True), refused.err
    assert sorted(path.name for path in concierge.folder.iterdir()) == [
        "all.zip",
        "data",
        "new",
        "sealed",
        "sealed.zip",
    ]
    key_changed(concierge)


def key_changed(concierge: CommandLine) -> None:
    """Restore a backup under a new key; a kill in the middle leaves no partial result."""
    third = concierge.folder / "third"
    env = {"CONCIERGE_DATA_DIR": str(third), "CONCIERGE_ENCRYPTION_KEY": OTHER}
    wrong = concierge("restore", "sealed.zip", env={**env, "CONCIERGE_OLD_ENCRYPTION_KEY": OTHER})
    assert (wrong.code, "another key" in wrong.err, third.exists()) == (1, True, False), wrong.err
    for databases_opened in (2, 4):
        given = [str(databases_opened), "sealed.zip", str(third), KEY, OTHER]
        command = [sys.executable, "-c", _KILLED_ENCRYPTING, *given]
        killed = subprocess.run(command, cwd=concierge.folder, env={**os.environ, "PYTHONPATH": str(ROOT)})
        assert (killed.returncode, third.exists()) == (-signal.SIGKILL, False)
    assert concierge("restore", "sealed.zip", env={**env, "CONCIERGE_OLD_ENCRYPTION_KEY": KEY}).code == 0
    assert residue(third, "vegetarian", "museums", "Lisbon") == []
    assert "vegetarian" in concierge("memory", "search", "vegetarian food", "--user", "bo", env=env).out
    assert "I love museums." in concierge("sessions", "history", "--thread", "u", env=env).out
    refused = concierge("memory", "list", "--user", "bo", env={**env, "CONCIERGE_ENCRYPTION_KEY": KEY})
    assert (refused.code, "another key" in refused.err) == (1, True)


@pytest.mark.slow
def test_restored_conversation_continues(concierge: CommandLine, archive: Path) -> None:
    env = moved(concierge)
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert concierge("restore", str(archive), env=env).code == 0
    history = concierge("sessions", "history", "--thread", "u", env=env).out
    assert ("I love museums." in history, "I hate museums." in history) == (True, False)
    assert "vegetarian" in concierge("memory", "search", "vegetarian food", "--user", "bo", env=env).out
    approved = concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve", "--json", env=env)
    assert '"stop_reason": "answered"' in approved.out
    assert "booked, paid" in concierge("trips", "list", "--user", "ana", env=env).out
    again = concierge("restore", str(archive), env=env)
    assert (again.code, "is not empty" in again.err) == (2, True)
    assert "exists" in concierge("backup", str(archive)).err
    encrypted_on_the_way(concierge, archive)


def small(folder: Path) -> Path:
    """Create a data directory with little data."""
    (folder / "store").mkdir(parents=True)
    for name in NAMES[:2]:
        with closing(sqlite3.connect(folder / name)) as db:
            db.execute("CREATE TABLE said (words TEXT)")
            db.executemany("INSERT INTO said VALUES (?)", [(str(number),) for number in range(500)])
            db.commit()
    return folder


def test_truncated_or_altered_archive_is_rejected_before_anything_is_written(tmp_path: Path) -> None:
    file, target = tmp_path / "all.zip", tmp_path / "new"
    back_up(small(tmp_path / "data"), file, NAMES, now=datetime.now(UTC))
    raw = file.read_bytes()
    step = max(1, len(raw) // 40)
    damaged = [raw[:length] for length in range(0, len(raw), step)]
    damaged += [bytes([*raw[:at], raw[at] ^ 0x55, *raw[at + 1 :]]) for at in range(60, len(raw) - 60, step)]
    damaged.append(_with(raw, "../outside.db", b"x"))
    accepted = [one for one in damaged if not _is_refused(one, tmp_path / "bad.zip", target)]
    assert [one for one in accepted if _messages(target) != _messages(tmp_path / "data")] == []
    assert len(accepted) <= 2, "only bytes that say nothing, such as times of files, may differ"
    restore(file, target, NAMES, finish=lambda _: None)
    assert _messages(target) == _messages(tmp_path / "data")


def _with(raw: bytes, name: str, data: bytes) -> bytes:
    out = io.BytesIO(raw)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, data)
    return out.getvalue()


def _is_refused(raw: bytes, file: Path, target: Path) -> bool:
    file.write_bytes(raw)
    shutil.rmtree(target, ignore_errors=True)
    try:
        restore(file, target, NAMES, finish=lambda _: None)
    except InvalidInputError:
        assert sorted(path.name for path in file.parent.iterdir()) == ["all.zip", "bad.zip", "data"]
        return True
    return False


def _messages(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / NAMES[1])) as db:
        return [words for (words,) in db.execute("SELECT words FROM said")]


@pytest.mark.slow
def test_kill_leaves_no_archive_that_looks_complete(tmp_path: Path) -> None:
    data, file, target = small(tmp_path / "data"), tmp_path / "all.zip", tmp_path / "new"

    def killed(*args: str) -> int:
        return subprocess.run([sys.executable, "-c", _KILLED, *args, *NAMES], cwd=ROOT).returncode

    assert killed("backup", str(data), str(file)) == -signal.SIGKILL
    assert not file.exists()
    back_up(data, file, NAMES, now=datetime.now(UTC))
    assert killed("restore", str(target), str(file)) == -signal.SIGKILL
    assert not target.exists()
    restore(file, target, NAMES, finish=lambda _: None)
    assert _messages(target) == _messages(data)


def test_postgresql_is_backed_up_with_its_own_tools(concierge: CommandLine) -> None:
    for command in ("backup", "restore"):
        refused = concierge(command, "all.zip", env={"CONCIERGE_STORE_URL": "postgresql://u:p@127.0.0.1:9/db"})
        assert (refused.code, "pg_dump" in refused.err) == (1, True)
