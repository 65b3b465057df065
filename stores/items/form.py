"""How namespaces, keys and values are validated and stored, encrypted or not; and filters over values.

A filter compares JSON fields: equality, nested objects, and `$eq $ne $gt $gte $lt $lte`; all conditions must hold.
Equality is JSON equality: 1 equals 1.0, and true is not 1. Order is defined between two numbers or two strings; for
any other pair, `$gt $gte $lt $lte` are false. A missing field counts as null.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from operator import ge, gt, le, lt
from typing import Any

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
    validate_op_namespace,
)

from config.errors import InvalidInputError, StorageError
from stores.encryption import Cipher

Namespace = tuple[str, ...]

_AFTER_DOT = chr(ord(".") + 1)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
OPERATORS = ("$eq", "$ne", *_ORDER)


def to_text(namespace: Sequence[str]) -> str:
    """Join labels by dots; a label never contains one."""
    return ".".join(namespace)


def under(prefix: Sequence[str], column: str) -> tuple[str, list[str]]:
    """Return an SQL condition, and its values, that `column` is `prefix` or below it; all are below an empty prefix.

    A range, not a pattern: it compares bytes, so that `%`, `_` and case are literal, and it uses the index.
    """
    if not prefix:
        return "TRUE", []
    text = to_text(prefix)
    return f"({column} = ? OR ({column} > ? AND {column} < ?))", [text, f"{text}.", f"{text}{_AFTER_DOT}"]


def literal_prefix(op: ListNamespacesOp) -> Namespace:
    """Return the longest wildcard-free prefix that all namespaces matching `op` share."""
    best: Namespace = ()
    for condition in op.match_conditions or ():
        if condition.match_type == "prefix":
            path = tuple(condition.path)
            literal = path[: path.index("*")] if "*" in path else path
            best = max(best, literal, key=len)
    return best


def select_namespaces(namespaces: Iterable[Namespace], op: ListNamespacesOp) -> list[Namespace]:
    """Return one page of the namespaces that meet every condition of `op`, cut to its depth, unique and sorted."""
    conditions = op.match_conditions or ()
    matching = {
        namespace[: op.max_depth] for namespace in namespaces if all(_meets(namespace, each) for each in conditions)
    }
    return sorted(matching)[op.offset : op.offset + op.limit]


def _meets(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


class Form:
    """Converts names and the JSON of values to their stored form and back.

    Args:
        cipher: Encrypts both; None stores them as plain text.

    Raises:
        StorageError: if a stored name or value was altered or moved.
    """

    def __init__(self, cipher: Cipher | None) -> None:
        self._cipher = cipher

    def encode(self, text: str) -> str:
        """Return the stored form of a key or a namespace label; it is always the same."""
        return self._cipher.name(text) if self._cipher else text

    def decode(self, stored: str) -> str:
        """Return the text that `encode` stored."""
        with _tampering_reported():
            return self._cipher.text(stored) if self._cipher else stored

    def name(self, item: Item | GetOp | PutOp) -> tuple[str, str]:
        """Return the stored forms of a namespace and a key."""
        return to_text([self.encode(label) for label in item.namespace]), self.encode(item.key)

    def namespace(self, stored: str) -> tuple[str, ...]:
        """Return the namespace of a stored prefix."""
        return tuple(self.decode(label) for label in stored.split("."))

    def seal(self, name: Sequence[str], value: str) -> str:
        """Return the stored form, itself JSON, of the JSON of a value under this stored name."""
        return f'"{self._cipher.seal_text(value, *name)}"' if self._cipher else value

    def unseal(self, prefix: str, key: str, stored: str) -> str:
        """Return the JSON that `seal` stored."""
        if self._cipher is None:
            return stored
        with _tampering_reported():
            return self._cipher.unseal_text(stored.strip('"'), prefix, key)


@contextmanager
def _tampering_reported() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise StorageError(
            f"A record of long-term memory can't be decrypted: {error}. Nothing was changed. "
            "Restore the store from a backup."
        ) from error


Texts = Callable[[Mapping[str, Any], list[str] | None], list[str]]
"""Returns the texts of a value to embed, for the fields named in the put, or for the store's fields if None."""


def encode_value(value: Mapping[str, Any]) -> str:
    """Return `value` as JSON text.

    Raises:
        InvalidInputError: if it is not a JSON object of valid Unicode and finite numbers.
    """
    if not all(isinstance(key, str) for key in value):
        raise InvalidInputError("A value must be an object whose keys are text.")
    try:
        text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"A value must be plain JSON: {error}.") from error
    return check_text(text, "A value")


def check_text(text: str, what: str) -> str:
    """Return `text` unchanged if it can be encoded as UTF-8.

    Raises:
        InvalidInputError: if it contains half of a surrogate pair.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"{what} must be valid Unicode; character {error.start} is half of a surrogate pair. Remove it."
        ) from None
    return text


def check_op(op: Op) -> None:
    """Validate an operation.

    Raises:
        InvalidNamespaceError: for a label that is empty or contains a dot or NUL.
        InvalidInputError: for invalid Unicode, a negative limit or offset, a put without a namespace, and unknown
            match types and filter operators.
    """
    validate_op_namespace(op)
    if isinstance(op, (SearchOp, ListNamespacesOp)) and (op.limit < 0 or op.offset < 0):
        raise InvalidInputError(f"limit is {op.limit} and offset is {op.offset}; neither may be negative.")
    labels: Sequence[str]
    if isinstance(op, ListNamespacesOp):
        conditions = op.match_conditions or ()
        if unknown := [each.match_type for each in conditions if each.match_type not in ("prefix", "suffix")]:
            raise InvalidInputError(f"match_type is {unknown[0]!r}; it must be 'prefix' or 'suffix'.")
        labels = [label for condition in conditions for label in condition.path]
    elif isinstance(op, SearchOp):
        labels = op.namespace_prefix
        check_text(op.query or "", "A query")
        check_filter(op.filter)
    else:
        labels = op.namespace
        check_text(op.key, "A key")
        if isinstance(op, PutOp) and not labels:
            raise InvalidInputError("A namespace must have at least one label.")
    for label in labels:
        check_text(label, "A namespace label")


def encode_fields(op: PutOp) -> str | None:
    """Return the fields of `op` to embed, as JSON; None stands for the store's fields, `[]` for no fields."""
    return "[]" if op.index is False else None if op.index is None else json.dumps(op.index)


def keeps_vectors(op: PutOp, old_value: str, old_fields: str | None, texts: Texts) -> bool:
    """Return True if `op` would give the same vectors as the value that it replaces."""
    if op.value is None or old_fields != encode_fields(op):
        return False
    return op.index is False or texts(json.loads(old_value), op.index) == texts(op.value, op.index)


def timestamp(moment: datetime) -> str:
    """Format a time as text that sorts chronologically, and that `SqliteStore`, PostgreSQL and `Item` can read."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")


def expiry(now: datetime, minutes: float | None) -> str | None:
    """Return when an item written at `now` with a time to live of `minutes` expires; None means never.

    Raises:
        InvalidInputError: if `minutes` is not a number, or the date would be out of range.
    """
    try:
        return None if minutes is None else timestamp(now + timedelta(minutes=minutes))
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"ttl is {minutes} minutes: {error}. Give a number, or None to keep it.") from error


def check_filter(conditions: Mapping[str, Any] | None) -> None:
    """Validate the operators of a filter.

    Raises:
        InvalidInputError: for an unknown or misplaced operator; the message lists the supported ones.
    """
    for name, value in (conditions or {}).items():
        keys = list(value) if isinstance(value, Mapping) else []
        has_operators = any(str(key).startswith("$") for key in keys)
        misplaced = [name] if str(name).startswith("$") else []
        if wrong := [*misplaced, *(key for key in keys if has_operators and key not in OPERATORS)]:
            raise InvalidInputError(
                f"Unsupported operator in a filter: {wrong[0]!r}. Name fields, which must all hold; their values may "
                f"use {', '.join(OPERATORS)}."
            )
        if keys and not has_operators:
            check_filter(value)


def matches(value: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Return True if `value` meets the condition on every field."""
    return all(_holds(value.get(field), condition) for field, condition in (conditions or {}).items())


def _holds(actual: Any, condition: Any) -> bool:
    if isinstance(condition, Mapping):
        if any(str(name).startswith("$") for name in condition):
            return all(_compare(actual, name, operand) for name, operand in condition.items())
        return isinstance(actual, Mapping) and matches(actual, condition)
    return _equal(actual, condition)


def _compare(actual: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return _equal(actual, operand)
    if operator == "$ne":
        return not _equal(actual, operand)
    comparable = (_is_number(actual) and _is_number(operand)) or (isinstance(actual, str) and isinstance(operand, str))
    return comparable and _ORDER[operator](actual, operand)


def _equal(actual: Any, operand: Any) -> bool:
    if isinstance(actual, bool) or isinstance(operand, bool):
        return actual is operand
    if isinstance(actual, (list, tuple)) and isinstance(operand, (list, tuple)):
        return len(actual) == len(operand) and all(map(_equal, actual, operand))
    if isinstance(actual, Mapping) and isinstance(operand, Mapping):
        return actual.keys() == operand.keys() and all(_equal(actual[key], operand[key]) for key in actual)
    return bool(actual == operand)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
