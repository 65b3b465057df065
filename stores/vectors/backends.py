"""Backends of the vector index: a folder, or a Chroma server."""

import hashlib
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

from config.errors import StorageError
from stores.private_files import folder_fault, make_private_folder
from stores.vectors.index import VectorIndex, chroma_faults

_SERVER_SECONDS = 60.0
_HEADER = struct.Struct("<i4Q")
_HEADER_VERSION = 1


class VectorBackend(Protocol):
    """A place for a store's index."""

    is_own_folder: bool
    """True where `discard` takes the files away, and every byte that was in them."""

    def open(self, store_id: str, identity: str, /) -> VectorIndex:
        """Return the index of this store's vectors of this embedder; vectors of its other embedders are deleted."""

    def discard(self, store_id: str, /) -> None:
        """Delete all of this store's vectors, whatever state they are in. The index is closed."""


class EmbeddedVectors:
    """An index in a folder of this machine; whoever uses it holds the folder's lock."""

    is_own_folder = True

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, store_id: str, identity: str, /) -> VectorIndex:
        """Return the index, in a folder that is created where there is none."""
        make_private_folder(self._path)
        with chroma_faults():
            import chromadb
            from chromadb.api.shared_system_client import SharedSystemClient
            from chromadb.config import Settings

            try:
                client = chromadb.PersistentClient(str(self._path), settings=Settings(anonymized_telemetry=False))
            except BaseException:
                # Chroma remembers a half-opened folder for the life of the process and would hand it out again.
                SharedSystemClient._identifier_to_system.pop(str(self._path), None)
                raise
        return _open_collection(client, store_id, identity, settle=lambda: blank_unwritten(self._path))

    def discard(self, _store_id: str, /) -> None:
        """Delete the folder."""
        try:
            shutil.rmtree(self._path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise folder_fault(error, self._path) from error


class ServerVectors:
    """An index on a Chroma server, which other stores may use as well.

    Args:
        url: `http://host:port` or `https://…`.
    """

    is_own_folder = False

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._url = url
        self._host = parts.hostname or ""
        self._secure = parts.scheme == "https"
        self._port = parts.port or (443 if self._secure else 8000)

    def open(self, store_id: str, identity: str, /) -> VectorIndex:
        """Return the index, in a collection named after the store and the embedder."""
        return _open_collection(self._connect(), store_id, identity)

    def discard(self, store_id: str, /) -> None:
        """Delete the store's collections."""
        client = self._connect()
        try:
            with chroma_faults():
                _delete_others(client, store_id, keep="")
        finally:
            _close(client)

    def check(self) -> None:
        """Ask the server for an answer. Raises StorageError when it gives none."""
        _close(self._connect())

    def _connect(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        try:
            client = chromadb.HttpClient(host=self._host, port=self._port, ssl=self._secure, settings=settings)
            # By default a server that hangs would be waited for without end.
            cast(Any, client)._server._session.timeout = _SERVER_SECONDS
            return client
        except Exception as error:
            raise StorageError(
                f"The Chroma server at {self._url} does not answer: {error} Start it (`chroma run`), or unset "
                "CONCIERGE_CHROMA_URL. Items are safe; search without a query still works."
            ) from error


def _open_collection(
    client: Any, store_id: str, identity: str, settle: Callable[[], None] | None = None
) -> VectorIndex:
    # The name says whose vectors of which embedder they are, so two embedders can't share a collection.
    name = _family(store_id) + hashlib.sha256(identity.encode()).hexdigest()[:16]
    try:
        with chroma_faults():
            is_new = name not in _delete_others(client, store_id, keep=name)
            collection = _Lasting(
                lambda: client.get_or_create_collection(
                    name,
                    embedding_function=None,
                    configuration={"hnsw": {"space": "cosine"}},
                    metadata={"made_by": identity},
                )
            )
            batch = int(client.get_max_batch_size())
    except BaseException:
        _close(client)
        raise
    return VectorIndex(collection, batch=batch, is_new=is_new, close=lambda: _close(client), settle=settle)


class _Lasting:
    """A collection by its name: found again when another process has deleted it and made it anew."""

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find
        self._collection = find()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from chromadb.errors import NotFoundError

        def call(**given: Any) -> Any:
            try:
                return getattr(self._collection, name)(**given)
            except NotFoundError:
                self._collection = self._find()
                return getattr(self._collection, name)(**given)

        return call


def _close(client: Any) -> None:
    # Chroma's own `close` leaves the connections of a server's client open, and those of its hidden second client.
    sessions = [getattr(part._server, "_session", None) for part in (client, client._admin_client)]
    client.close()
    for session in sessions:
        if session is not None:
            session.close()


def _delete_others(client: Any, store_id: str, *, keep: str) -> set[str]:
    """Delete the store's collections but one; returns the names of all that were there."""
    present = {collection.name for collection in client.list_collections()}
    for name in present:
        if name.startswith(_family(store_id)) and name != keep:
            client.delete_collection(name)
    return present


def _family(store_id: str) -> str:
    return f"items-{store_id}-"


def blank_unwritten(folder: Path) -> None:
    """Write zeros over the files of empty indexes under `folder`.

    Chroma writes a new index as its memory was when it was allocated, with pieces of conversations among it, and saves
    over that only when many vectors have come. Raises StorageError.
    """
    try:
        for path in folder.glob("*/header.bin"):
            header = path.read_bytes()[: _HEADER.size]
            if len(header) < _HEADER.size:
                continue
            version, _, capacity, count, size = _HEADER.unpack(header)
            if version != _HEADER_VERSION or count:
                continue
            for name, width in (("data_level0.bin", size), ("length.bin", 4)):
                file, length = path.with_name(name), capacity * width
                if file.exists() and file.stat().st_size == length:
                    with file.open("r+b") as opened:  # in place: what is truncated first stays on the disk
                        opened.write(bytes(length))
    except OSError as error:
        raise folder_fault(error, folder) from error
