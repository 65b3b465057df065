"""Search filters over JSON values: equality, nested objects, and `$eq $ne $gt $gte $lt $lte`, all of which must hold.

Equality is JSON equality: 1 equals 1.0, and true is not 1. Order is defined between two numbers or two strings; any
other pair has none, so it matches no comparison. A field that is missing reads as null.
"""

from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt
from typing import Any

from config.errors import InvalidInputError

_ORDER: dict[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
OPERATORS = ("$eq", "$ne", *_ORDER)


def check_filter(wanted: Mapping[str, Any] | None) -> None:
    """Refuse a filter with an operator that does not exist.

    Raises:
        InvalidInputError: naming the operator and those that exist.
    """
    if misplaced := next((name for name in wanted or () if str(name).startswith("$")), None):
        raise InvalidInputError(
            f"Unsupported operator in a filter: {misplaced!r}. Name fields, which must all hold; their values may use "
            f"{', '.join(OPERATORS)}."
        )
    for value in (wanted or {}).values():
        if isinstance(value, Mapping):
            operators = [name for name in value if str(name).startswith("$")]
            unknown = [name for name in operators if name not in OPERATORS]
            if unknown or (operators and len(operators) < len(value)):
                name = unknown[0] if unknown else next(name for name in value if name not in operators)
                raise InvalidInputError(f"Unsupported operator in a filter: {name!r}. Use {', '.join(OPERATORS)}.")
            if not operators:
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
