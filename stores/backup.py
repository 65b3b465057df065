"""Backup archives of a data directory: zip files with consistent copies of its databases and their checksums."""

import hashlib
import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, ValidationError

from config.errors import InvalidInputError, NotFoundError
from stores.checkpoints.base import seal_metadata, unseal_metadata
from stores.chroma import ITEMS_FILE
from stores.encryption import Cipher, check_key, is_marked, is_marked_with, set_mark
from stores.faults import BUSY_SECONDS, database_faults, transaction
from stores.items.form import Form, to_text
from stores.lifespan import CHECKPOINTS_FILE, STORE_FOLDER
from stores.private_files import folder_fault, make_private_folder

VERSION = 1
_MANIFEST = "manifest.json"
_MAX_MANIFEST_BYTES = 1_000_000


class Member(BaseModel):
    """One database of an archive: its size in bytes and its SHA-256 in hex."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """The databases of an archive, by their path in the data directory, and the version of the archive format."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int
    created_at: datetime
    encrypted: bool
    files: dict[str, Member]


def back_up(folder: Path, file: Path, names: Sequence[str], *, now: datetime) -> Manifest:
    """Write an archive of the databases in `folder`, which may be in use; on failure, `file` is not created.

    Args:
        folder: The data directory.
        file: The archive to create.
        names: Paths of the databases in `folder`, copied in this order; those that don't exist are left out.
        now: The time to record in the manifest.

    Raises:
        InvalidInputError: if `file` exists.
        NotFoundError: if none of the databases exists.
        StorageError: if a database can't be read or the archive can't be written.
    """
    if file.exists():
        raise InvalidInputError(f"{file} exists. Name a file that does not, so that no backup is lost.")
    present = [name for name in names if (folder / name).exists()]
    if not present:
        raise NotFoundError(f"There is nothing to back up in {folder}. Check CONCIERGE_DATA_DIR.")
    try:
        with TemporaryDirectory(dir=file.parent, prefix=".backup-") as temporary:
            copies = {name: Path(temporary) / str(number) for number, name in enumerate(present)}
            for name, copy in copies.items():
                _copy(folder / name, copy)
            is_encrypted = any(_is_encrypted(copy) for copy in copies.values())
            files = {name: _checksum(copy) for name, copy in copies.items()}
            manifest = Manifest(version=VERSION, created_at=now, encrypted=is_encrypted, files=files)
            complete = Path(temporary) / "archive"
            _write(complete, manifest, copies)
            os.replace(complete, file)
    except OSError as error:
        raise folder_fault(error, file.parent) from error
    return manifest


def restore(file: Path, folder: Path, names: Sequence[str], *, finish: Callable[[Path], object]) -> Manifest:
    """Extract all databases of an archive into `folder`, which must be empty; on failure, nothing is written to it.

    Args:
        file: The archive.
        folder: The data directory; created if it does not exist.
        names: Paths that an archive may contain.
        finish: Called with the folder of extracted databases, before it is renamed to `folder`.

    Raises:
        InvalidInputError: if the folder is not empty, or the archive is damaged or of an unknown version.
        NotFoundError: if the archive does not exist.
        StorageError: if the archive can't be read or the folder can't be written, or from `finish`.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(f"{folder} is not empty. Set CONCIERGE_DATA_DIR to a folder that is, or to a new one.")
    temporary = folder.absolute().with_name(f".{folder.absolute().name}.restore-{uuid4().hex[:8]}")
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _read_manifest(archive, names)
            make_private_folder(temporary)
            for name, member in manifest.files.items():
                _extract(archive, name, member, temporary)
        finish(temporary)
        os.rename(temporary, folder)
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {file}.") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, zlib.error) as error:
        raise _damaged(file, str(error)) from error
    except OSError as error:
        raise folder_fault(error, folder) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return manifest


def _copy(path: Path, copy: Path) -> None:
    copy.touch(mode=0o600)
    with (
        database_faults(path),
        closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as source,
        closing(sqlite3.connect(copy, isolation_level=None)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")


def _is_encrypted(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return is_marked(db.execute)


def _checksum(path: Path) -> Member:
    with path.open("rb") as file:
        return Member(size=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def _write(path: Path, manifest: Manifest, copies: dict[str, Path]) -> None:
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_MANIFEST, manifest.model_dump_json(indent=1))
            for name, copy in copies.items():
                archive.write(copy, name)
        out.flush()
        os.fsync(out.fileno())


def _read_manifest(archive: zipfile.ZipFile, names: Sequence[str]) -> Manifest:
    """Return the manifest; raise InvalidInputError unless the archive contains the files it lists and no others."""
    file = archive.filename
    try:
        with archive.open(_MANIFEST) as stream:
            fields = json.loads(stream.read(_MAX_MANIFEST_BYTES))
        version = fields["version"]
        manifest = Manifest.model_validate(fields) if version == VERSION else None
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise _damaged(file, "it has no manifest that can be read") from error
    if manifest is None:
        raise InvalidInputError(f"{file} is of version {version}; this concierge reads version {VERSION}. Update it.")
    present = archive.namelist()
    if sorted(present) != sorted([_MANIFEST, *manifest.files]) or not manifest.files.keys() <= set(names):
        raise _damaged(file, "it holds other files than its manifest says")
    return manifest


def _extract(archive: zipfile.ZipFile, name: str, member: Member, folder: Path) -> None:
    path = folder / name
    make_private_folder(path.parent)
    with archive.open(name) as packed, os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        shutil.copyfileobj(packed, out)
        out.flush()
        os.fsync(out.fileno())
    if _checksum(path) != member:
        raise _damaged(archive.filename, f"{name} is not what its checksum says")


def _damaged(file: object, why: str) -> InvalidInputError:
    return InvalidInputError(f"{file} is no whole backup: {why}. Nothing was written. Take another one.")


def settle_restored(folder: Path, cipher: Cipher | None, old: Cipher | None = None) -> None:
    """Encrypt databases that are plain text or encrypted with `old`; give the items a new store id for a new index.

    Raises:
        StorageError: if a database is encrypted with neither key.
    """
    for path, table, encrypt in (
        (folder / CHECKPOINTS_FILE, "checkpoints", encrypt_checkpoints),
        (folder / STORE_FOLDER / ITEMS_FILE, "store", encrypt_items),
    ):
        if not path.exists():
            continue
        with database_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
            is_encrypted = is_marked(db.execute)
            previous = old if cipher and old and is_encrypted and is_marked_with(db.execute, old, table) else None
            if cipher is None or (is_encrypted and previous is None):
                check_key(db.execute, cipher, table=table, where="The backup")
            if table == "store":
                db.execute("UPDATE vector_store SET id = ?", (uuid4().hex,))
        if cipher and (previous or not is_encrypted):
            encrypt(path, cipher, previous)


def encrypt_items(path: Path, cipher: Cipher, old: Cipher | None) -> None:
    """Encrypt the items at `path`, which are plain text or encrypted with `old`. Raises StorageError."""
    form, old_form = Form(cipher), Form(old)
    with _rewriting(path, cipher, "store") as db:
        for row, prefix, key, value in db.execute("SELECT rowid, prefix, key, value FROM store").fetchall():
            name = _renamed(prefix, key, old_form, form)
            sealed = form.seal(name, old_form.unseal(prefix, key, value))
            db.execute("UPDATE store SET prefix = ?, key = ?, value = ? WHERE rowid = ?", (*name, sealed, row))
        for row, prefix, key in db.execute("SELECT rowid, prefix, key FROM vector_record").fetchall():
            name = _renamed(prefix, key, old_form, form)
            db.execute("UPDATE vector_record SET prefix = ?, key = ?, fault = NULL WHERE rowid = ?", (*name, row))


def _renamed(prefix: str, key: str, old_form: Form, form: Form) -> tuple[str, str]:
    return to_text([form.encode(label) for label in old_form.namespace(prefix)]), form.encode(old_form.decode(key))


def encrypt_checkpoints(path: Path, cipher: Cipher, old: Cipher | None) -> None:
    """Encrypt the checkpoints at `path`, which are plain text or encrypted with `old`. Raises StorageError."""

    def sealed(value: bytes, *place: str) -> bytes:
        return cipher.seal(old.unseal(value, *place) if old else value, *place)

    with _rewriting(path, cipher, "checkpoints") as db:
        keys = "rowid, thread_id, checkpoint_ns, checkpoint_id"
        for row, *place, state, text in db.execute(f"SELECT {keys}, checkpoint, metadata FROM checkpoints").fetchall():
            metadata = unseal_metadata(old, json.loads(text), *place) if old else json.loads(text)
            values = sealed(state, "checkpoints", *place), json.dumps(seal_metadata(cipher, metadata, *place)).encode()
            db.execute("UPDATE checkpoints SET checkpoint = ?, metadata = ? WHERE rowid = ?", (*values, row))
        for row, *place, index, channel, value in db.execute(
            f"SELECT {keys}, task_id, idx, channel, value FROM writes"
        ).fetchall():
            new = sealed(value, "writes", *place, str(index), channel)
            db.execute("UPDATE writes SET value = ? WHERE rowid = ?", (new, row))


@contextmanager
def _rewriting(path: Path, cipher: Cipher, table: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a transaction; afterwards, mark the table and erase all freed pages from the file."""
    with database_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete=ON")
        with transaction(db):
            yield db
            set_mark(db.execute, cipher, table)
        db.execute("VACUUM")
