"""Vectors in Chroma: an index that can be thrown away, kept under the numbers of the writes they were made from."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from graph.errors import StorageError
from stores.faults import folder_fault, make_private_folder

if TYPE_CHECKING:
    from stores.vectors_embedding import Matrix


class VectorIndex:
    """One Chroma collection with cosine distance. All rows are unit vectors.

    Args:
        collection: The collection, made without an embedding function.
        batch: Most rows that Chroma takes in one call.
        is_new: True when it holds nothing yet, whatever was recorded before.
        close: Called once by `close`.

    Raises:
        StorageError: from every method, when Chroma fails.
    """

    def __init__(
        self, collection: Any, *, batch: int = 5000, is_new: bool = False, close: Callable[[], None] | None = None
    ) -> None:
        self._collection = collection
        self._batch = batch
        self._close = close
        self.is_new = is_new

    def add(self, made: Mapping[int, Matrix]) -> None:
        """Keep the rows of each `seq`; those with the same number are replaced."""
        import numpy as np

        ids = [f"{seq}.{place}" for seq, rows in made.items() for place in range(len(rows))]
        owners = [{"seq": seq} for seq, rows in made.items() for _ in range(len(rows))]
        if not ids:
            return
        vectors = np.concatenate([rows for rows in made.values() if len(rows)])
        for start in range(0, len(ids), self._batch):
            part = slice(start, start + self._batch)
            with chroma_faults():
                self._collection.upsert(ids=ids[part], embeddings=vectors[part], metadatas=owners[part])

    def fetch(self, wanted: Mapping[int, int]) -> dict[int, Matrix]:
        """Rows of each `seq`, as many as `wanted` says; those that are not all there are left out."""
        import numpy as np

        ids = [f"{seq}.{place}" for seq, count in wanted.items() for place in range(count)]
        rows: dict[str, Any] = {}
        for start in range(0, len(ids), self._batch):
            with chroma_faults():
                part = self._collection.get(ids=ids[start : start + self._batch], include=["embeddings"])
            rows.update(zip(part["ids"], np.asarray(part["embeddings"], dtype=np.float32), strict=True))
        found: dict[int, Matrix] = {}
        for seq, count in wanted.items():
            names = [f"{seq}.{place}" for place in range(count)]
            if all(name in rows for name in names):
                found[seq] = np.stack([rows[name] for name in names])
        return found

    def nearest(self, query: Matrix, limit: int) -> dict[int, float]:
        """The best cosine similarity of each `seq` among about the `limit` nearest rows, best first."""
        with chroma_faults():
            found = self._collection.query(
                query_embeddings=query.reshape(1, -1), n_results=limit, include=["metadatas", "distances"]
            )
        best: dict[int, float] = {}
        for owner, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
            best.setdefault(int(owner["seq"]), 1.0 - float(distance))
        return best

    def drop(self, seqs: Sequence[int]) -> None:
        """Delete all rows of these; those that are absent are passed over."""
        for start in range(0, len(seqs), self._batch):
            with chroma_faults():
                self._collection.delete(where={"seq": {"$in": list(seqs[start : start + self._batch])}})

    def count(self) -> int:
        """How many rows there are."""
        with chroma_faults():
            return int(self._collection.count())

    def counts(self) -> Counter[int]:
        """How many rows each `seq` has."""
        with chroma_faults():
            return Counter(int(name.split(".")[0]) for name in self._collection.get(include=[])["ids"])

    def close(self) -> None:
        """Let go of Chroma; a second call does nothing."""
        if self._close is not None:
            self._close()
            self._close = None


class VectorHome(Protocol):
    """Where a store's index is."""

    def open(self, store_id: str, identity: str) -> VectorIndex:
        """The index of this store's vectors of this embedder; vectors of its other embedders are deleted."""

    def discard(self, store_id: str, /) -> None:
        """Delete all of this store's vectors, whatever state they are in. The index is closed."""


class EmbeddedVectors:
    """An index in a folder of this machine; whoever uses it holds the folder's lock."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, store_id: str, identity: str) -> VectorIndex:
        """The index, in a folder that is created where there is none."""
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
        return open_collection(client, store_id, identity)

    def discard(self, _store_id: str, /) -> None:
        """Delete the folder."""
        try:
            shutil.rmtree(self._path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise folder_fault(error, self._path) from error


def open_collection(client: Any, store_id: str, identity: str) -> VectorIndex:
    """The collection of a store and an embedder, in a Chroma client that it then owns."""
    # The name says whose vectors of which embedder they are, so two embedders can't share a collection.
    family = f"items-{store_id}-"
    name = family + hashlib.sha256(identity.encode()).hexdigest()[:16]
    try:
        with chroma_faults():
            present = {collection.name for collection in client.list_collections()}
            for other in present:
                if other.startswith(family) and other != name:
                    client.delete_collection(other)
            collection = client.get_or_create_collection(
                name,
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
                metadata={"made_by": identity},
            )
            batch = int(client.get_max_batch_size())
    except BaseException:
        client.close()
        raise
    return VectorIndex(collection, batch=batch, is_new=name not in present, close=client.close)


@contextmanager
def chroma_faults() -> Iterator[None]:
    """Turn whatever Chroma raises into `StorageError`."""
    try:
        yield
    except StorageError:
        raise
    except BaseException as error:
        # Faults of Chroma's native part are no subclass of Exception.
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        raise StorageError(
            f"The vector index failed: {error}. Items are safe; `concierge reindex` makes the index again."
        ) from error
