"""Archives of a data directory: consistent copies of its databases with checksums, written and restored whole."""

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
_MOST_OF_MANIFEST = 1_000_000


class Member(BaseModel):
    """One database of an archive: its size in bytes and its SHA-256 in hex."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What an archive holds, by path in the data directory, and the version of its form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int
    created_at: datetime
    encrypted: bool
    files: dict[str, Member]


def back_up(folder: Path, file: Path, names: Sequence[str], *, now: datetime) -> Manifest:
    """Write an archive of the databases in `folder`, which may be in use; it is there whole or not at all.

    Args:
        folder: The data directory.
        file: The archive; there must be no such file yet.
        names: Paths of the databases, in the order in which they are copied; those that don't exist are left out.
        now: When this is.

    Raises:
        InvalidInputError: there is such a file.
        NotFoundError: there is nothing in the folder.
        StorageError: it can't be read or written.
    """
    if file.exists():
        raise InvalidInputError(f"{file} exists. Name a file that does not, so that no backup is lost.")
    present = [name for name in names if (folder / name).exists()]
    if not present:
        raise NotFoundError(f"There is nothing to back up in {folder}. Check CONCIERGE_DATA_DIR.")
    try:
        with TemporaryDirectory(dir=file.parent, prefix=".backup-") as place:
            copies = {name: Path(place) / str(number) for number, name in enumerate(present)}
            for name, copy in copies.items():
                _copy(folder / name, copy)
            is_encrypted = any(_is_encrypted(copy) for copy in copies.values())
            files = {name: _measured(copy) for name, copy in copies.items()}
            manifest = Manifest(version=VERSION, created_at=now, encrypted=is_encrypted, files=files)
            whole = Path(place) / "archive"
            _write(whole, manifest, copies)
            os.replace(whole, file)
    except OSError as error:
        raise folder_fault(error, file.parent) from error
    return manifest


def restore(file: Path, folder: Path, names: Sequence[str], *, finish: Callable[[Path], object]) -> Manifest:
    """Put the databases of an archive into `folder`, which must be empty; all of them or none.

    Args:
        file: The archive.
        folder: The data directory; created where there is none.
        names: Paths that an archive may hold.
        finish: Called with the folder in which everything is ready, before it becomes the data directory.

    Raises:
        InvalidInputError: the folder is not empty, or the archive is damaged or of an unknown version.
        NotFoundError: there is no such archive.
        StorageError: it can't be read or written, or `finish` refuses it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(f"{folder} is not empty. Set CONCIERGE_DATA_DIR to a folder that is, or to a new one.")
    place = folder.absolute().with_name(f".{folder.absolute().name}.restore-{uuid4().hex[:8]}")
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _checked(archive, names)
            make_private_folder(place)
            for name, member in manifest.files.items():
                _extract(archive, name, member, place)
        finish(place)
        os.rename(place, folder)
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {file}.") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, zlib.error) as error:
        raise _damaged(file, str(error)) from error
    except OSError as error:
        raise folder_fault(error, folder) from error
    finally:
        shutil.rmtree(place, ignore_errors=True)
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


def _measured(path: Path) -> Member:
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


def _checked(archive: zipfile.ZipFile, names: Sequence[str]) -> Manifest:
    """Return the manifest of an archive that holds what it says and nothing else."""
    file = archive.filename
    try:
        with archive.open(_MANIFEST) as told:
            found = json.loads(told.read(_MOST_OF_MANIFEST))
        version = found["version"]
        manifest = Manifest.model_validate(found) if version == VERSION else None
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
    if _measured(path) != member:
        raise _damaged(archive.filename, f"{name} is not what its checksum says")


def _damaged(file: object, why: str) -> InvalidInputError:
    return InvalidInputError(f"{file} is no whole backup: {why}. Nothing was written. Take another one.")


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
        with transaction(db):
            yield db
            set_mark(db.execute, cipher, table)
        db.execute("VACUUM")
