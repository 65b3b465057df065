"""Makes a restored data directory fit the settings: encrypted where a key is set, and a store of its own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

from stores.checkpoints.sealing import seal_metadata
from stores.chroma import ITEMS_FILE
from stores.encryption import Cipher, check_key, is_marked, set_mark
from stores.faults import database_faults
from stores.items.form import Form, from_text, to_text
from stores.lifespan import CHECKPOINTS_FILE, STORE_FOLDER


def settle_restored(folder: Path, cipher: Cipher | None) -> None:
    """Encrypt what is not yet encrypted where there is a cipher, and tie the items to an index of their own.

    Raises:
        StorageError: what was restored is encrypted, and not with this cipher's key.
    """
    for path, table, encrypt in (
        (folder / CHECKPOINTS_FILE, "checkpoints", encrypt_checkpoints),
        (folder / STORE_FOLDER / ITEMS_FILE, "store", encrypt_items),
    ):
        if not path.exists():
            continue
        with database_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
            is_encrypted = is_marked(db.execute)
            if is_encrypted or cipher is None:
                check_key(db.execute, cipher, table=table, where="The backup")
            if table == "store":
                db.execute("UPDATE vector_store SET id = ?", (uuid4().hex,))
        if cipher and not is_encrypted:
            encrypt(path, cipher)


def encrypt_items(path: Path, cipher: Cipher) -> None:
    """Encrypt the items at `path`. Raises StorageError."""
    form = Form(cipher)
    with _rewriting(path, cipher, "store") as db:
        for table in ("store", "vector_record"):
            for row, prefix, key in db.execute(f"SELECT rowid, prefix, key FROM {table}").fetchall():
                name = to_text([form.encode(label) for label in from_text(prefix)]), form.encode(key)
                db.execute(f"UPDATE {table} SET prefix = ?, key = ? WHERE rowid = ?", (*name, row))
        for row, prefix, key, value in db.execute("SELECT rowid, prefix, key, value FROM store").fetchall():
            db.execute("UPDATE store SET value = ? WHERE rowid = ?", (form.seal((prefix, key), value), row))
        db.execute("UPDATE vector_record SET fault = NULL")


def encrypt_checkpoints(path: Path, cipher: Cipher) -> None:
    """Encrypt the checkpoints at `path`. Raises StorageError."""
    with _rewriting(path, cipher, "checkpoints") as db:
        place = "rowid, thread_id, checkpoint_ns, checkpoint_id"
        for row, *where, state, told in db.execute(f"SELECT {place}, checkpoint, metadata FROM checkpoints").fetchall():
            metadata = json.dumps(seal_metadata(cipher, json.loads(told), *where)).encode()
            sealed = cipher.seal(state, "checkpoints", *where)
            db.execute("UPDATE checkpoints SET checkpoint = ?, metadata = ? WHERE rowid = ?", (sealed, metadata, row))
        for row, *where, at, channel, value in db.execute(
            f"SELECT {place}, task_id, idx, channel, value FROM writes"
        ).fetchall():
            sealed = cipher.seal(value, "writes", *where, str(at), channel)
            db.execute("UPDATE writes SET value = ? WHERE rowid = ?", (sealed, row))


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
