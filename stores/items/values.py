"""Check and encode what is written: values as JSON, names as valid Unicode, expiry times."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from langgraph.store.base import GetOp, ListNamespacesOp, Op, PutOp, SearchOp, validate_op_namespace

from config.errors import InvalidInputError

Texts = Callable[[Mapping[str, Any], list[str] | None], list[str]]
"""Returns the texts of a value to embed, for the fields named at the put; None stands for the store's own fields."""


def encode_value(value: Mapping[str, Any]) -> str:
    """Return `value` as JSON text.

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
    """Return `text` unchanged when it can be written as UTF-8.

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


def encode_fields(op: PutOp) -> str | None:
    """Return the fields of `op` to embed as JSON: None for the store's own, `[]` for none."""
    return "[]" if op.index is False else None if op.index is None else json.dumps(op.index)


def keeps_vectors(op: PutOp, old_value: str, old_fields: str | None, texts: Texts) -> bool:
    """Return True when `op` would give the same vectors as the value that it replaces."""
    if op.value is None or old_fields != encode_fields(op):
        return False
    return op.index is False or texts(json.loads(old_value), op.index) == texts(op.value, op.index)


def expiry(now: datetime, minutes: float | None) -> datetime | None:
    """Return when an item written at `now` with a time to live of `minutes` expires; None means never.

    Raises:
        InvalidInputError: when `minutes` is not a number, or leads beyond the calendar.
    """
    try:
        return None if minutes is None else now + timedelta(minutes=minutes)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"ttl is {minutes} minutes: {error}. Give a number, or None to keep it.") from error
