"""Encryption at rest: AES-256-GCM for values, AES-SIV for namespaces and keys.

Each value is bound to its place, so a value that was moved or swapped does not decrypt. A name always has the same
ciphertext, so that lookups work: a reader of the files sees which records belong together, but not whose they are.
"""

import base64
import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pydantic import SecretStr

from config.errors import StorageError

_NONCE_BYTES = 12
_MARK = b"travel-concierge"
_TABLE = "CREATE TABLE IF NOT EXISTS encryption (place TEXT PRIMARY KEY, mark TEXT NOT NULL)"


class Cipher:
    """Encrypts and decrypts with keys that are derived from one key of 32 bytes."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        def derived(use: bytes, length: int) -> bytes:
            return HKDF(SHA256(), length=length, salt=None, info=_MARK + b" " + use).derive(key)

        self._values = AESGCM(derived(b"values", 32))
        self._names = AESSIV(derived(b"names", 64))
        self.name = lru_cache(maxsize=10_000)(self._name)
        self.text = lru_cache(maxsize=10_000)(self._text)

    def seal(self, value: bytes, *place: str) -> bytes:
        """Encrypt `value` under a new nonce and bind it to `place`, such as a table and a primary key."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._values.encrypt(nonce, value, _joined(place))

    def unseal(self, sealed: bytes, *place: str) -> bytes:
        """Decrypt a value of `seal`. Raises ValueError if it was altered or moved, or if the key is another."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._values.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _joined(place))
        except InvalidTag as error:
            raise ValueError("the encrypted value was altered or moved") from error

    def seal_text(self, value: str, *place: str) -> str:
        """Encrypt `value` as `seal` does, and encode it in base64."""
        return base64.b64encode(self.seal(value.encode("utf-8"), *place)).decode("ascii")

    def unseal_text(self, sealed: str, *place: str) -> str:
        """Decrypt a value of `seal_text`. Raises ValueError as `unseal` does."""
        return self.unseal(base64.b64decode(sealed, validate=True), *place).decode("utf-8")

    def _name(self, text: str) -> str:
        """Encrypt a name deterministically, in characters that a namespace label may have."""
        return base64.urlsafe_b64encode(self._names.encrypt(b"." + text.encode("utf-8"), None)).decode("ascii")

    def _text(self, name: str) -> str:
        """Decrypt a name of `name`. Raises ValueError if it was altered or encrypted with another key."""
        from cryptography.exceptions import InvalidTag

        try:
            dotted = self._names.decrypt(base64.urlsafe_b64decode(name), None)
        except InvalidTag as error:
            raise ValueError("an encrypted name was altered") from error
        return dotted[1:].decode("utf-8")


def cipher_of(key: SecretStr | None) -> Cipher | None:
    """Return the cipher for a setting of 32 bytes in base64, or None if it is not set."""
    return Cipher(base64.b64decode(key.get_secret_value())) if key else None


def check_key(execute: Callable[[str], Any], cipher: Cipher | None, *, table: str, where: object) -> None:
    """Check that a table is encrypted with the configured key; mark an empty table as encrypted with it.

    Args:
        execute: Executes one SQL statement and returns a cursor; in a transaction if processes may start at once.
        cipher: The configured cipher, or None.
        table: The table to check.
        where: Names the database in errors.

    Raises:
        StorageError: if the key is wrong or missing, or if the table has rows that are not encrypted.
    """
    execute(_TABLE)
    if execute(f"SELECT 1 FROM encryption WHERE place = '{table}'").fetchone():
        if cipher is None:
            raise StorageError(
                f"{where} is encrypted, and no key is set. Set CONCIERGE_ENCRYPTION_KEY to the key it was begun with; "
                "without that key nothing in it can be read."
            )
        if not is_marked_with(execute, cipher, table):
            raise StorageError(
                f"{where} is encrypted with another key than CONCIERGE_ENCRYPTION_KEY. Set the key it was begun with; "
                "nothing was changed. To change the key, see docs/deploying.md."
            )
    elif cipher:
        if execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
            raise StorageError(
                f"{where} was begun without encryption, and CONCIERGE_ENCRYPTION_KEY is set. To encrypt it, take a "
                "`concierge backup FILE` without the key and `concierge restore FILE` with it into an empty "
                "CONCIERGE_DATA_DIR, then delete the old folder and the file; from PostgreSQL, export and import "
                "each user's memory."
            )
        set_mark(execute, cipher, table)


def is_marked(execute: Callable[[str], Any]) -> bool:
    """Return whether an SQLite database is encrypted; does not change it."""
    has_table = execute("SELECT 1 FROM sqlite_master WHERE name = 'encryption'").fetchone()
    return bool(has_table and execute("SELECT 1 FROM encryption").fetchone())


def is_marked_with(execute: Callable[[str], Any], cipher: Cipher, table: str) -> bool:
    """Return whether an encrypted table is encrypted with this key."""
    (mark,) = execute(f"SELECT mark FROM encryption WHERE place = '{table}'").fetchone()
    try:
        return bool(cipher.unseal_text(mark, "mark", table))
    except ValueError:
        return False


def set_mark(execute: Callable[[str], Any], cipher: Cipher, table: str) -> None:
    """Mark a table as encrypted with this key."""
    execute(_TABLE)
    execute(f"DELETE FROM encryption WHERE place = '{table}'")
    # The mark is base64, which needs no quoting.
    execute(f"INSERT INTO encryption VALUES ('{table}', '{cipher.seal_text(table, 'mark', table)}')")


def _joined(place: tuple[str, ...]) -> bytes:
    return "".join(f"{len(part)}:{part}" for part in place).encode("utf-8")
