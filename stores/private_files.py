"""Files and folders for their owner's eyes only: private data, and the secret of this installation."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

from config.errors import StorageError

_BYTES = 32


def make_private_folder(path: Path) -> None:
    """Create `path` and its missing parents, for the owner alone; an existing folder is left as it is.

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


def folder_fault(error: OSError, path: Path | str) -> StorageError:
    """Return a StorageError for a folder or plain file at `path`."""
    if error.errno == errno.ENOSPC:
        advice = "The disk is full; free some space."
    elif error.errno in (errno.ENOTDIR, errno.EEXIST):
        advice = "Something else stands where a folder is needed; move it away, or set CONCIERGE_DATA_DIR."
    else:
        advice = "Allow writing there, or set CONCIERGE_DATA_DIR to another folder."
    return StorageError(f"The folder {path} cannot be used: {error.strerror or error}. {advice}")


def own_secret(file: Path) -> str:
    """Return the secret in `file`, 64 hexadecimal digits; it is made at the first call, for the owner's eyes only.

    Raises:
        StorageError: the file can't be read or written.
    """
    make_private_folder(file.parent)
    try:
        if not file.exists():
            # Where another process was quicker, its secret counts.
            with _beside(file, token_hex(_BYTES)) as whole, contextlib.suppress(FileExistsError):
                os.link(whole, file)
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise folder_fault(error, file) from error


def write_private(file: Path, text: str) -> None:
    """Write `text` as UTF-8 for the owner's eyes only; the file is there whole, or as it was before.

    Raises:
        StorageError: it can't be written there.
    """
    try:
        with _beside(file, text) as whole:
            os.replace(whole, file)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror or error}. Choose another place.") from error


@contextlib.contextmanager
def _beside(file: Path, text: str) -> Iterator[Path]:
    """Lend a file beside `file` that holds `text`; what is left of it then is deleted."""
    beside = file.with_name(f".{file.name}.{token_hex(4)}")
    try:
        with open(
            os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline=""
        ) as out:
            out.write(text)
        yield beside
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
