"""The form that names and values have in a database: as they are, or encrypted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from langgraph.store.base import GetOp, Item, PutOp

from config.errors import StorageError
from stores.encryption import Cipher
from stores.items.namespaces import from_text, to_text


class Form:
    """Turns names and the JSON of values into what a database keeps, and back.

    Args:
        cipher: Encrypts both; None keeps them readable.

    Raises:
        StorageError: when what was kept was altered or moved.
    """

    def __init__(self, cipher: Cipher | None) -> None:
        self._cipher = cipher

    def encode(self, text: str) -> str:
        """Return a key or a label of a namespace as it is kept; the same every time."""
        return self._cipher.name(text) if self._cipher else text

    def decode(self, kept: str) -> str:
        """Return what `encode` was given."""
        with _tampering():
            return self._cipher.text(kept) if self._cipher else kept

    def name(self, named: Item | GetOp | PutOp) -> tuple[str, str]:
        """Return a namespace and a key as they are kept."""
        return to_text([self.encode(label) for label in named.namespace]), self.encode(named.key)

    def namespace(self, kept: str) -> tuple[str, ...]:
        """Return the namespace that is kept so."""
        return tuple(self.decode(label) for label in from_text(kept))

    def seal(self, name: Sequence[str], value: str) -> str:
        """Return the JSON of a value as it is kept under this name, which is JSON too."""
        return f'"{self._cipher.seal_text(value, *name)}"' if self._cipher else value

    def unseal(self, prefix: str, key: str, kept: str) -> str:
        """Return what `seal` was given."""
        if self._cipher is None:
            return kept
        with _tampering():
            return self._cipher.unseal_text(kept.strip('"'), prefix, key)


@contextmanager
def _tampering() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise StorageError(
            f"A record of long-term memory can't be decrypted: {error}. Nothing was changed. "
            "Restore the store from a backup."
        ) from error
