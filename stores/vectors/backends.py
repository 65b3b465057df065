"""Backends of the vector index: a local folder, or a Chroma server."""

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
    """Opens and deletes the vector index of a store."""

    is_own_folder: bool
    """True if `discard` deletes the files of the index, so that none of their bytes remain."""

    def open(self, store_id: str, identity: str, /) -> VectorIndex:
        """Open the index of this store and this embedder; delete the store's vectors of other embedders."""

    def discard(self, store_id: str, /) -> None:
        """Delete all vectors of this store, even if the index is damaged; the caller has closed the index."""


class EmbeddedVectors:
    """An index in a local folder; the caller must hold the lock of the store's folder."""

    is_own_folder = True

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, store_id: str, identity: str, /) -> VectorIndex:
        """Open the index, creating its folder if needed."""
        make_private_folder(self._path)
        with chroma_faults():
            import chromadb
            from chromadb.api.shared_system_client import SharedSystemClient
            from chromadb.config import Settings

            try:
                client = chromadb.PersistentClient(str(self._path), settings=Settings(anonymized_telemetry=False))
            except BaseException:
                # Chroma caches a half-opened client as long as the process lives, and would return it again.
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
        """Open the index, in a collection named after the store and the embedder."""
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
        """Raise StorageError if the server does not answer."""
        _close(self._connect())

    def _connect(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        try:
            client = chromadb.HttpClient(host=self._host, port=self._port, ssl=self._secure, settings=settings)
            # By default, Chroma's client would wait forever for a server that hangs.
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
    # The name identifies the store and the embedder, so that two embedders can't share a collection.
    name = _family(store_id) + hashlib.sha256(identity.encode()).hexdigest()[:16]
    try:
        with chroma_faults():
            is_new = name not in _delete_others(client, store_id, keep=name)
            options = {"configuration": {"hnsw": {"space": "cosine"}}, "metadata": {"made_by": identity}}
            collection = _Reopening(lambda: client.get_or_create_collection(name, embedding_function=None, **options))
            batch = int(client.get_max_batch_size())
    except BaseException:
        _close(client)
        raise
    return VectorIndex(collection, batch=batch, is_new=is_new, close=lambda: _close(client), settle=settle)


class _Reopening:
    """A proxy for a collection that opens it again if another process has deleted it."""

    def __init__(self, open_collection: Callable[[], Any]) -> None:
        self._open = open_collection
        self._collection = open_collection()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from chromadb.errors import NotFoundError

        def call(**arguments: Any) -> Any:
            try:
                return getattr(self._collection, name)(**arguments)
            except NotFoundError:
                self._collection = self._open()
                return getattr(self._collection, name)(**arguments)

        return call


def _close(client: Any) -> None:
    # Chroma's `close` leaves the HTTP sessions of the client, and of its internal admin client, open.
    sessions = [getattr(part._server, "_session", None) for part in (client, client._admin_client)]
    client.close()
    for session in sessions:
        if session is not None:
            session.close()


def _delete_others(client: Any, store_id: str, *, keep: str) -> set[str]:
    """Delete the store's collections other than `keep`; return the names of all collections from before."""
    present = {collection.name for collection in client.list_collections()}
    for name in present:
        if name.startswith(_family(store_id)) and name != keep:
            client.delete_collection(name)
    return present


def _family(store_id: str) -> str:
    return f"items-{store_id}-"


def blank_unwritten(folder: Path) -> None:
    """Write zeros over the files of empty indexes under `folder`.

    Chroma writes the memory of a new index to disk uninitialised, possibly with text of conversations in it, and
    overwrites it only after many vectors have been added. Raises StorageError.
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
                    with file.open("r+b") as stream:  # in place: truncating would leave the old bytes on the disk
                        stream.write(bytes(length))
    except OSError as error:
        raise folder_fault(error, folder) from error
