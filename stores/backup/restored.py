"""Makes a restored data directory fit the settings: encrypted where a key is set, and a store of its own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

from stores.checkpoints.base import seal_metadata, unseal_metadata
from stores.chroma import ITEMS_FILE
from stores.encryption import Cipher, check_key, is_marked, is_marked_with, set_mark
from stores.faults import database_faults
from stores.items.form import Form, to_text
from stores.lifespan import CHECKPOINTS_FILE, STORE_FOLDER


def settle_restored(folder: Path, cipher: Cipher | None, old: Cipher | None = None) -> None:
    """Encrypt with `cipher` what is readable or encrypted with `old`, and tie the items to an index of their own.

    Raises:
        StorageError: what was restored is encrypted with neither key.
    """
    for path, table, encrypt in (
        (folder / CHECKPOINTS_FILE, "checkpoints", encrypt_checkpoints),
        (folder / STORE_FOLDER / ITEMS_FILE, "store", encrypt_items),
    ):
        if not path.exists():
            continue
        with database_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
            is_encrypted = is_marked(db.execute)
            before = old if cipher and old and is_encrypted and is_marked_with(db.execute, old, table) else None
            if cipher is None or (is_encrypted and before is None):
                check_key(db.execute, cipher, table=table, where="The backup")
            if table == "store":
                db.execute("UPDATE vector_store SET id = ?", (uuid4().hex,))
        if cipher and (before or not is_encrypted):
            encrypt(path, cipher, before)


def encrypt_items(path: Path, cipher: Cipher, old: Cipher | None) -> None:
    """Encrypt the items at `path`, which are readable or encrypted with `old`. Raises StorageError."""
    form, before = Form(cipher), Form(old)
    with _rewriting(path, cipher, "store") as db:
        for row, prefix, key, value in db.execute("SELECT rowid, prefix, key, value FROM store").fetchall():
            name = _renamed(prefix, key, before, form)
            sealed = form.seal(name, before.unseal(prefix, key, value))
            db.execute("UPDATE store SET prefix = ?, key = ?, value = ? WHERE rowid = ?", (*name, sealed, row))
        for row, prefix, key in db.execute("SELECT rowid, prefix, key FROM vector_record").fetchall():
            name = _renamed(prefix, key, before, form)
            db.execute("UPDATE vector_record SET prefix = ?, key = ?, fault = NULL WHERE rowid = ?", (*name, row))


def _renamed(prefix: str, key: str, before: Form, form: Form) -> tuple[str, str]:
    return to_text([form.encode(label) for label in before.namespace(prefix)]), form.encode(before.decode(key))


def encrypt_checkpoints(path: Path, cipher: Cipher, old: Cipher | None) -> None:
    """Encrypt the checkpoints at `path`, which are readable or encrypted with `old`. Raises StorageError."""

    def sealed(value: bytes, *place: str) -> bytes:
        return cipher.seal(old.unseal(value, *place) if old else value, *place)

    with _rewriting(path, cipher, "checkpoints") as db:
        place = "rowid, thread_id, checkpoint_ns, checkpoint_id"
        for row, *where, state, told in db.execute(f"SELECT {place}, checkpoint, metadata FROM checkpoints").fetchall():
            known = unseal_metadata(old, json.loads(told), *where) if old else json.loads(told)
            values = sealed(state, "checkpoints", *where), json.dumps(seal_metadata(cipher, known, *where)).encode()
            db.execute("UPDATE checkpoints SET checkpoint = ?, metadata = ? WHERE rowid = ?", (*values, row))
        for row, *where, at, channel, value in db.execute(
            f"SELECT {place}, task_id, idx, channel, value FROM writes"
        ).fetchall():
            again = sealed(value, "writes", *where, str(at), channel)
            db.execute("UPDATE writes SET value = ? WHERE rowid = ?", (again, row))


@contextmanager
def _rewriting(path: Path, cipher: Cipher, table: str) -> Iterator[sqlite3.Connection]:
    """Lend a transaction, and leave no readable byte in the file after it."""
    with database_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete=ON")
        db.execute("BEGIN IMMEDIATE")
        yield db
        set_mark(db.execute, cipher, table)
        db.execute("COMMIT")
        db.execute("VACUUM")
