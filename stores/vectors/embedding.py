"""The embedder of an `IndexConfig`, which checks and normalises its vectors, and a cache of vectors."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langgraph.store.base import IndexConfig, get_text_at_path, tokenize_path

from config.errors import InvalidInputError, StorageError
from stores.embeddings import Embedder, LangChainEmbedder, is_embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Matrix = NDArray[float32]


_OPTIONS = ("dims", "embed", "fields")


class Embedding:
    """The embedder of one store and the fields it reads.

    Args:
        config: `embed` is an `Embedder`, a LangChain `Embeddings`, a function of texts (sync or async), or a model
            name for LangChain; `dims` is not needed for an `Embedder`; `fields` defaults to the whole value.

    Raises:
        InvalidInputError: if `dims` or `embed` is missing or wrong, for an unknown option, and for a distance other
            than cosine.
    """

    def __init__(self, config: IndexConfig) -> None:
        _check_options(config)
        embed: Any = config.get("embed")
        dims = config.get("dims", 0)
        if not is_embedder(embed) and (embed is None or not isinstance(dims, int) or dims < 1):
            raise InvalidInputError("An index needs 'embed' and a positive 'dims'.")
        self._embedder: Embedder = embed if is_embedder(embed) else LangChainEmbedder(embed, dims)
        self._fields = list(config.get("fields") or ["$"])

    @property
    def dims(self) -> int:
        """Length of a vector."""
        return int(self._embedder.dims)

    @property
    def name(self) -> str:
        """Name of the embedder; available without loading or calling it."""
        return self._embedder.name

    @property
    def identity(self) -> str:
        """Embedder, version, dimensions and fields as JSON; vectors of two identities are never compared."""
        embedder = self._embedder
        identity = {"dims": self.dims, "fields": self._fields, "name": embedder.name, "version": embedder.version}
        return json.dumps(identity, ensure_ascii=False, sort_keys=True)

    def texts(self, value: Mapping[str, Any], fields: list[str] | None) -> list[str]:
        """Return the texts of a value to embed, from `fields` or else from the configured fields."""
        paths = self._fields if fields is None else fields
        return [
            text
            for path in paths
            for text in get_text_at_path(dict(value), "$" if path == "$" else tokenize_path(path))
        ]

    def call(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the embedder's unchecked answer; raises whatever the embedder raises."""
        return list(self._embedder.embed(texts))

    def checked(self, vectors: Sequence[Sequence[float]], count: int) -> Matrix:
        """Return `vectors` normalised, as a matrix of shape `(count, dims)`; zero vectors stay zero.

        Raises:
            StorageError: if their number or length is wrong, or an element is not finite.
        """
        import numpy as np

        lengths = {len(vector) for vector in vectors}
        if len(vectors) != count or lengths - {self.dims}:
            raise StorageError(
                f"The embedder {self.identity} gave {len(vectors)} vectors of length {sorted(lengths)} for {count} "
                f"texts, not one of length {self.dims} for each. Set 'dims' to what the embedder makes."
            )
        rows = np.asarray(vectors, dtype=np.float32).reshape(count, self.dims)
        if not np.isfinite(rows).all():
            raise StorageError(
                f"The embedder {self.identity} gave a vector with NaN or infinity; such a vector is never kept. "
                "Check the embedder."
            )
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Matrix = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
        return unit


def _check_options(config: Mapping[str, Any]) -> None:
    if (distance := config.get("distance_type", "cosine")) != "cosine":
        raise InvalidInputError(f"distance_type is {distance!r}; this store knows 'cosine' and nothing else.")
    if unknown := [name for name in config if name not in (*_OPTIONS, "distance_type")]:
        raise InvalidInputError(f"An index has no option {unknown[0]!r}; it takes {', '.join(_OPTIONS)}.")


class VectorCache:
    """A thread-safe cache of rows by `seq`; drops the least recently used rows beyond `capacity` bytes."""

    def __init__(self, capacity: int = 64 * 1024 * 1024) -> None:
        self._capacity = capacity
        self._size = 0
        self._rows: OrderedDict[int, Matrix] = OrderedDict()
        self._lock = threading.RLock()

    def put(self, made: Mapping[int, Matrix]) -> None:
        """Add rows, or replace them."""
        with self._lock:
            self.forget(made)
            self._rows |= made
            self._size += sum(rows.nbytes for rows in made.values())
            while self._size > self._capacity:
                self._size -= self._rows.popitem(last=False)[1].nbytes

    def get(self, seqs: Iterable[int]) -> dict[int, Matrix]:
        """Return the cached rows of these writes."""
        with self._lock:
            cached = {seq: self._rows[seq] for seq in seqs if seq in self._rows}
            for seq in cached:
                self._rows.move_to_end(seq)
        return cached

    def forget(self, seqs: Iterable[int]) -> None:
        """Drop the rows of these writes."""
        with self._lock:
            dropped = [self._rows.pop(seq) for seq in seqs if seq in self._rows]
            self._size -= sum(rows.nbytes for rows in dropped)

    def clear(self) -> None:
        """Drop all rows."""
        with self._lock:
            self._rows.clear()
            self._size = 0
