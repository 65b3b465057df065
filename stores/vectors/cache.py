"""Vectors in memory. A write's vectors never change, so nothing here is ever stale."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stores.vectors.embedding import Matrix


class VectorCache:
    """Rows by `seq`, the least recently used of which go when there are more than `capacity` bytes. Thread-safe."""

    def __init__(self, capacity: int = 64 * 1024 * 1024) -> None:
        self._capacity = capacity
        self._size = 0
        self._rows: OrderedDict[int, Matrix] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, made: Mapping[int, Matrix]) -> None:
        """Keep rows."""
        with self._lock:
            for seq, rows in made.items():
                self._forget(seq)
                self._rows[seq] = rows
                self._size += rows.nbytes
            while self._size > self._capacity and self._rows:
                self._forget(next(iter(self._rows)))

    def get(self, seqs: Iterable[int]) -> dict[int, Matrix]:
        """Return the rows of those that are here."""
        found: dict[int, Matrix] = {}
        with self._lock:
            for seq in seqs:
                rows = self._rows.get(seq)
                if rows is not None:
                    self._rows.move_to_end(seq)
                    found[seq] = rows
        return found

    def forget(self, seqs: Iterable[int]) -> None:
        """Drop the rows of these writes."""
        with self._lock:
            for seq in seqs:
                self._forget(seq)

    def clear(self) -> None:
        """Drop all rows."""
        with self._lock:
            self._rows.clear()
            self._size = 0

    def _forget(self, seq: int) -> None:
        rows = self._rows.pop(seq, None)
        if rows is not None:
            self._size -= rows.nbytes
