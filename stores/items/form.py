"""The form that namespaces, keys and values have in a database, checked, as they are or encrypted; and their filters.

Filters are over JSON values: equality, nested objects, and `$eq $ne $gt $gte $lt $lte`, all of which must hold.
Equality is JSON equality: 1 equals 1.0, and true is not 1. Order is defined between two numbers or two strings; any
other pair has none, so it matches no comparison. A field that is missing reads as null.
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
    """Join segments by dots; a segment itself never holds one."""
    return ".".join(namespace)


def under(prefix: Sequence[str], column: str) -> tuple[str, list[str]]:
    """Return the SQL, and its values, that `column` is `prefix` or a namespace below it; an empty prefix is above all.

    A range and not a pattern: it compares bytes, so case and `%`, `_`, `*` mean themselves, and it uses the index.
    """
    if not prefix:
        return "TRUE", []
    text = to_text(prefix)
    return f"({column} = ? OR ({column} > ? AND {column} < ?))", [text, f"{text}.", f"{text}{_AFTER_DOT}"]


def literal_prefix(op: ListNamespacesOp) -> Namespace:
    """Return the longest prefix without wildcards that every namespace matching `op` has."""
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
    found = {
        namespace[: op.max_depth] for namespace in namespaces if all(_meets(namespace, each) for each in conditions)
    }
    return sorted(found)[op.offset : op.offset + op.limit]


def _meets(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


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
        return tuple(self.decode(label) for label in kept.split("."))

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


def check_op(op: Op) -> None:
    """Refuse an op that no store could carry out.

    Raises:
        InvalidNamespaceError: for a label that is empty or holds a dot or NUL.
        InvalidInputError: for invalid Unicode, a put without a namespace, and conditions that do not exist.
    """
    validate_op_namespace(op)
    if isinstance(op, (SearchOp, ListNamespacesOp)) and (op.limit < 0 or op.offset < 0):
        raise InvalidInputError(f"limit is {op.limit} and offset is {op.offset}; neither may be negative.")
    labels: Sequence[str]
    if isinstance(op, ListNamespacesOp):
        conditions = op.match_conditions or ()
        if wrong := [one.match_type for one in conditions if one.match_type not in ("prefix", "suffix")]:
            raise InvalidInputError(f"match_type is {wrong[0]!r}; it must be 'prefix' or 'suffix'.")
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
    """Return the fields of `op` to embed as JSON: None for the store's own, `[]` for none."""
    return "[]" if op.index is False else None if op.index is None else json.dumps(op.index)


def keeps_vectors(op: PutOp, old_value: str, old_fields: str | None, texts: Texts) -> bool:
    """Return True when `op` would give the same vectors as the value that it replaces."""
    if op.value is None or old_fields != encode_fields(op):
        return False
    return op.index is False or texts(json.loads(old_value), op.index) == texts(op.value, op.index)


def timestamp(moment: datetime) -> str:
    """Return a moment as text that sorts by time, and that `SqliteStore`, PostgreSQL and `Item` read."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")


def expiry(now: datetime, minutes: float | None) -> str | None:
    """Return when an item written at `now` with a time to live of `minutes` expires; None means never.

    Raises:
        InvalidInputError: when `minutes` is not a number, or leads beyond the calendar.
    """
    try:
        return None if minutes is None else timestamp(now + timedelta(minutes=minutes))
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"ttl is {minutes} minutes: {error}. Give a number, or None to keep it.") from error


def check_filter(wanted: Mapping[str, Any] | None) -> None:
    """Refuse a filter with an operator that does not exist.

    Raises:
        InvalidInputError: naming the operator and those that exist.
    """
    for name, value in (wanted or {}).items():
        inside = list(value) if isinstance(value, Mapping) else []
        compares = any(str(one).startswith("$") for one in inside)
        misplaced = [name] if str(name).startswith("$") else []
        if wrong := [*misplaced, *(one for one in inside if compares and one not in OPERATORS)]:
            raise InvalidInputError(
                f"Unsupported operator in a filter: {wrong[0]!r}. Name fields, which must all hold; their values may "
                f"use {', '.join(OPERATORS)}."
            )
        if inside and not compares:
            check_filter(value)


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Return True when every field of `wanted` holds for `value`."""
    return all(_holds(value.get(field), condition) for field, condition in (wanted or {}).items())


def _holds(found: Any, condition: Any) -> bool:
    if isinstance(condition, Mapping):
        if any(str(name).startswith("$") for name in condition):
            return all(_compares(found, name, operand) for name, operand in condition.items())
        return isinstance(found, Mapping) and matches(found, condition)
    return _equal(found, condition)


def _compares(found: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return _equal(found, operand)
    if operator == "$ne":
        return not _equal(found, operand)
    comparable = (_is_number(found) and _is_number(operand)) or (isinstance(found, str) and isinstance(operand, str))
    return comparable and _ORDER[operator](found, operand)


def _equal(found: Any, operand: Any) -> bool:
    if isinstance(found, bool) or isinstance(operand, bool):
        return found is operand
    if isinstance(found, (list, tuple)) and isinstance(operand, (list, tuple)):
        return len(found) == len(operand) and all(map(_equal, found, operand))
    if isinstance(found, Mapping) and isinstance(operand, Mapping):
        return found.keys() == operand.keys() and all(_equal(found[key], operand[key]) for key in found)
    return bool(found == operand)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
