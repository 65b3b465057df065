"""Namespaces as text in SQL, compared by whole segments and exact case, without pattern characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langgraph.store.base import ListNamespacesOp, MatchCondition

Namespace = tuple[str, ...]

_AFTER_DOT = chr(ord(".") + 1)


def to_text(namespace: Sequence[str]) -> str:
    """Join segments by dots; a segment itself never holds one."""
    return ".".join(namespace)


def from_text(text: str) -> Namespace:
    """Return the inverse of `to_text`."""
    return tuple(text.split("."))


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
