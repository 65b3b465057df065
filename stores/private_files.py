"""Files and folders that only their owner can read: private data, and the secret of this installation."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

from config.errors import StorageError

_BYTES = 32


def make_private_folder(path: Path) -> None:
    """Create `path` and its missing parents with mode 0700; the modes of existing folders do not change.

    Raises:
        StorageError: when it cannot be created or written.
    """
    try:
        # `parents=True` would give the parents another mode.
        for folder in reversed([path, *path.parents]):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise folder_fault(error, path) from error


def make_private_file(path: Path) -> None:
    """Create `path` with mode 0600, and its missing parents, for a database that would give it another mode.

    Raises:
        StorageError: when it cannot be created.
    """
    make_private_folder(path.parent)
    try:
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise folder_fault(error, path.parent) from error


def folder_fault(error: OSError, path: Path | str) -> StorageError:
    """Return the StorageError for an OSError on the folder or file `path`, with advice."""
    if error.errno == errno.ENOSPC:
        advice = "The disk is full; free some space."
    elif error.errno in (errno.ENOTDIR, errno.EEXIST):
        advice = "Something else stands where a folder is needed; move it away, or set CONCIERGE_DATA_DIR."
    else:
        advice = "Allow writing there, or set CONCIERGE_DATA_DIR to another folder."
    return StorageError(f"The folder {path} cannot be used: {error.strerror or error}. {advice}")


def own_secret(file: Path) -> str:
    """Return the secret in `file`, 64 hexadecimal digits; the first call creates it, readable by the owner alone.

    Raises:
        StorageError: if the file can't be read or written.
    """
    make_private_folder(file.parent)
    try:
        if not file.exists():
            # If another process has just created the file, its secret is used.
            with _temporary(file, token_hex(_BYTES)) as complete, contextlib.suppress(FileExistsError):
                os.link(complete, file)
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise folder_fault(error, file) from error


def write_private(file: Path, text: str) -> None:
    """Write `text` to `file` atomically, as UTF-8 and readable by the owner alone.

    Raises:
        StorageError: if it can't be written there.
    """
    try:
        with _temporary(file, text) as complete:
            os.replace(complete, file)
    except OSError as error:
        advice = "The disk is full; free some space." if error.errno == errno.ENOSPC else "Choose another place."
        raise StorageError(f"{file} cannot be written: {error.strerror or error}. {advice}") from error


@contextlib.contextmanager
def _temporary(file: Path, text: str) -> Iterator[Path]:
    """Yield a new file with `text` in the folder of `file`; delete it afterwards if it is still there."""
    temporary = file.parent / f".{file.name}.{token_hex(4)}"
    try:
        with open(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
        ) as out:
            out.write(text)
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
