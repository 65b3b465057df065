"""What a store of items must offer, so that an index of vectors can follow it without ever being trusted.

Items are the truth. Each write of an item gets a number, `seq`, that is never used again. The index keeps its vectors
under that number, so a vector can't outlive what it was made from: whoever reads joins with the items.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from config.errors import InvalidInputError

Texts = Callable[[Mapping[str, Any], list[str] | None], list[str]]
"""Texts to embed of a value, for the fields named at the put; None stands for the store's own fields."""


@dataclass(frozen=True, slots=True)
class Job:
    """One write whose vectors are still to be made."""

    seq: int
    value: dict[str, Any]
    fields: list[str] | None


class Items(Protocol):
    """A transactional store of items, with a record of what the index has and lacks.

    Every method may raise StorageError; those that take values or names may raise InvalidInputError.
    """

    store_id: str
    """Made once with the store; ties an index to it."""

    def steady(self) -> AbstractContextManager[None]:
        """Nothing of this process writes within the block."""

    def get(self, op: GetOp) -> Item | None:
        """One item; its time to live starts anew when `op.refresh_ttl`."""

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Items under the prefix that pass the filter, latest update first; `op.query` plays no part."""

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Namespaces in use, sorted."""

    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        """Write or delete, all or nothing, in order. Returns for each op the new `seq` that awaits vectors, or None."""

    def sweep(self) -> int:
        """Delete expired items; returns how many."""

    def awaiting(self, prefix: Sequence[str], *, most_attempts: int) -> list[int]:
        """Writes under the prefix that await vectors, those that failed last, without those that failed too often."""

    def jobs(self, seqs: Sequence[int]) -> list[Job]:
        """What to make vectors of, for those of the writes that are current."""

    def indexed(self, made: Mapping[int, int]) -> None:
        """Record that the index holds so many vectors for each `seq`."""

    def failed(self, seqs: Sequence[int], fault: str) -> None:
        """Record that the vectors of these writes could not be made, and why."""

    def candidates(self, op: SearchOp, *, limit: int) -> list[tuple[int, int | None]]:
        """`(seq, vectors)` of the items that `op` could return and that have or await vectors; at most `limit`."""

    def pick(self, op: SearchOp, seqs: Sequence[int]) -> dict[int, SearchItem]:
        """The items of these writes, as far as they are current and `op` could return them."""

    def without_vectors(
        self, op: SearchOp, *, limit: int, offset: int, leave_out: Container[int] = ()
    ) -> list[SearchItem]:
        """Items that `op` could return and that have no vector, latest update first; `leave_out` names writes."""

    def refresh(self, items: Sequence[Item]) -> None:
        """Start the time to live of these items anew, where they have one."""

    def lost(self, seqs: Sequence[int]) -> None:
        """Record that the index lacks the vectors of these writes, so that they are made again."""

    def dead(self, *, limit: int) -> dict[int, int | None]:
        """Writes that are no longer current, and how many vectors the index holds of them; None: perhaps some."""

    def buried(self, seqs: Iterable[int]) -> None:
        """Record that the index holds nothing of these any more."""

    def vector_counts(self) -> dict[int, int | None]:
        """Vectors that the index should hold for each `seq`; None where they are still to be made."""

    def vector_total(self) -> int:
        """How many vectors the index should hold."""

    def forget_vectors(self) -> None:
        """Record that the index is empty."""

    def reconcile(self) -> None:
        """Bring the record of vectors in line with items that other programs wrote or deleted."""

    def scrub(self) -> None:
        """Leave as little as the database can of what was deleted."""

    def close(self) -> None:
        """Close the store; a second call does nothing."""


def encode_value(value: Mapping[str, Any]) -> str:
    """`value` as JSON text.

    Raises:
        InvalidInputError: when it is not a JSON object of valid Unicode and finite numbers.
    """
    if not all(isinstance(key, str) for key in value):
        raise InvalidInputError("A value must be an object whose keys are text.")
    try:
        text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"A value must be plain JSON: {error}.") from error
    return check_text(text, "A value")


def check_text(text: str, what: str) -> str:
    """`text` itself, when it can be written as UTF-8.

    Raises:
        InvalidInputError: when it holds half of a surrogate pair.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{what} must be valid Unicode; character {error.start} is half of a surrogate pair. Remove it."
        ) from None
    return text


def check_names(op: Op) -> None:
    """Refuse an op whose namespace, key or query no store could hold.

    Raises:
        InvalidNamespaceError: for a label that is empty or holds a dot or NUL.
        InvalidInputError: for text that is not valid Unicode, and for a put without a namespace.
    """
    validate_op_namespace(op)
    if isinstance(op, ListNamespacesOp):
        labels = [label for condition in op.match_conditions or () for label in condition.path]
    else:
        labels = list(op.namespace_prefix if isinstance(op, SearchOp) else op.namespace)
    if isinstance(op, PutOp) and not labels:
        raise InvalidInputError("A namespace must have at least one label.")
    for label in labels:
        check_text(label, "A namespace label")
    if isinstance(op, (GetOp, PutOp)):
        check_text(op.key, "A key")
    if isinstance(op, SearchOp):
        check_text(op.query or "", "A query")
