"""A Chroma collection of vectors, each stored under the `seq` of the write that it was made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from config.errors import StorageError

if TYPE_CHECKING:
    from stores.vectors.embedding import Matrix


_PROBE = 16
"""Rows requested at once for a write whose number of rows is unknown."""


class VectorIndex:
    """One Chroma collection with cosine distance. All rows are unit vectors.

    Args:
        collection: The collection, created without an embedding function.
        batch: Most rows that Chroma accepts in one call.
        is_new: True if the collection was just created, so that records of its vectors are out of date.
        close: Called once by `close`.
        settle: Called after the first call of each kind, since any of them may make Chroma create the index files.

    Raises:
        StorageError: from every method, when Chroma fails.
    """

    def __init__(
        self,
        collection: Any,
        *,
        batch: int = 5000,
        is_new: bool = False,
        close: Callable[[], None] | None = None,
        settle: Callable[[], None] | None = None,
    ) -> None:
        self._collection = collection
        self._batch = batch
        self._close = close
        self._settle = settle
        self._settled: set[str] = set()
        self.is_new = is_new

    def add(self, made: Mapping[int, Matrix]) -> None:
        """Add the rows of each `seq`, or replace them."""
        import numpy as np

        ids = [name for seq, rows in made.items() for name in _names(seq, len(rows))]
        if not ids:
            return
        vectors = np.concatenate([rows for rows in made.values() if len(rows)])
        for part in self._parts(len(ids)):
            with chroma_faults():
                self._collection.upsert(ids=ids[part], embeddings=vectors[part])
        self._used("add")

    def fetch(self, wanted: Mapping[int, int]) -> dict[int, Matrix]:
        """Return the rows of each `seq`, of which `wanted` gives the number; leave out a `seq` that lacks any."""
        import numpy as np

        ids = [name for seq, count in wanted.items() for name in _names(seq, count)]
        rows: dict[str, Any] = {}
        for part in self._parts(len(ids)):
            with chroma_faults():
                got = self._collection.get(ids=ids[part], include=["embeddings"])
            rows.update(zip(got["ids"], np.asarray(got["embeddings"], dtype=np.float32), strict=True))
        self._used("fetch")
        complete: dict[int, Matrix] = {}
        for seq, count in wanted.items():
            names = _names(seq, count)
            if all(name in rows for name in names):
                complete[seq] = np.stack([rows[name] for name in names])
        return complete

    def nearest(self, query: Matrix, limit: int) -> dict[int, float]:
        """Return the best cosine similarity of each `seq` among about the `limit` nearest rows, best first."""
        with chroma_faults():
            result = self._collection.query(
                query_embeddings=query.reshape(1, -1), n_results=limit, include=["distances"]
            )
        self._used("nearest")
        best: dict[int, float] = {}
        for name, distance in zip(result["ids"][0], result["distances"][0], strict=True):
            best.setdefault(_seq(name), 1.0 - float(distance))
        return best

    def drop(self, stale: Mapping[int, int | None]) -> None:
        """Delete the rows of each `seq`; `stale` gives their number, None if it is unknown."""
        names = [name for seq, count in stale.items() if count is not None for name in _names(seq, count)]
        unknown = [seq for seq, count in stale.items() if count is None]
        start = 0
        while unknown:
            candidates = [name for seq in unknown for name in _names(seq, _PROBE, start)]
            present: list[str] = []
            for part in self._parts(len(candidates)):
                with chroma_faults():
                    present += self._collection.get(ids=candidates[part], include=[])["ids"]
            names += present
            unknown = [seq for seq, count in Counter(map(_seq, present)).items() if count == _PROBE]
            start += _PROBE
        self.delete(names)

    def delete(self, names: Sequence[str]) -> None:
        """Delete rows by name; ignore names that do not exist."""
        for part in self._parts(len(names)):
            with chroma_faults():
                self._collection.delete(ids=list(names[part]))
        self._used("delete")

    def count(self) -> int:
        """Return the number of rows."""
        with chroma_faults():
            return int(self._collection.count())

    def rows(self) -> dict[int, list[str]]:
        """Return the names of all rows of each `seq`."""
        with chroma_faults():
            names = self._collection.get(include=[])["ids"]
        rows: dict[int, list[str]] = {}
        for name in names:
            rows.setdefault(_seq(name), []).append(name)
        return rows

    def _used(self, kind: str) -> None:
        if self._settle is not None and kind not in self._settled:
            self._settled.add(kind)
            self._settle()

    def _parts(self, count: int) -> Iterator[slice]:
        return (slice(start, start + self._batch) for start in range(0, count, self._batch))

    def close(self) -> None:
        """Close Chroma's client; a second call does nothing."""
        if self._close is not None:
            self._close()
            self._close = None


def _names(seq: int, count: int, start: int = 0) -> list[str]:
    return [f"{seq}.{number}" for number in range(start, start + count)]


def _seq(name: str) -> int:
    return int(name.partition(".")[0])


@contextmanager
def chroma_faults() -> Iterator[None]:
    """Turn all exceptions of Chroma into `StorageError`."""
    try:
        yield
    except StorageError:
        raise
    except BaseException as error:
        # Panics of Chroma's Rust code are not subclasses of Exception.
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        raise StorageError(
            f"The vector index failed: {error}. Items are safe; `concierge reindex` makes the index again."
        ) from error
