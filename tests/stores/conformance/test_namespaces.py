"""Listing namespaces: prefixes, suffixes, wildcards, depth and pages."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import BaseStore, ListNamespacesOp, MatchCondition

from tests.stores.conformance.conftest import Subject
from tests.tables import table

ALL = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("aa", "b"),
    ("b", "a", "f"),
    ("users", "u1", "settings"),
    ("users", "u10", "settings"),
]


@pytest.fixture
def filled(store: BaseStore) -> BaseStore:
    for namespace in ALL:
        for key in ("one", "two"):
            store.put(namespace, key, {})
    return store


@table(
    ("wanted", "expected"),
    [
        ({}, ALL),
        ({"prefix": ("a",)}, ALL[:5]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]),
        ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
        ({"prefix": ("*", "b")}, [*ALL[:4], ("aa", "b")]),
        ({"suffix": ("*", "settings")}, ALL[7:]),
        ({"suffix": ("u1", "*")}, [ALL[7]]),
        ({"prefix": ("users", "u1")}, [ALL[7]]),
        ({"prefix": ("a", "*", "*", "*")}, ALL[1:3]),
        ({"max_depth": 1}, [("a",), ("aa",), ("b",), ("users",)]),
        ({"limit": 2, "offset": 3}, ALL[3:5]),
        ({"offset": 100}, []),
        ({"prefix": ("nowhere",)}, []),
    ],
)
def test_namespaces_with_items_are_listed(
    filled: BaseStore, wanted: dict[str, Any], expected: list[tuple[str, ...]]
) -> None:
    assert filled.list_namespaces(**wanted) == expected


@pytest.mark.differ("memory", why="it keeps empty namespaces")
def test_namespace_disappears_with_its_last_item(subject: Subject) -> None:
    store = subject.open()
    store.put(("a", "b"), "k", {})
    store.put(("a", "c"), "k", {})
    store.delete(("a", "b"), "k")
    assert store.list_namespaces() == [("a", "c")]


def test_labels_with_pattern_characters_are_literal(store: BaseStore) -> None:
    for label in ("a%", "ab", "a_", "a[b]", "A%", "a+"):
        store.put(("x", label), "k", {})
    assert store.list_namespaces(prefix=("x", "a%")) == [("x", "a%")]
    assert store.list_namespaces(suffix=("a_",)) == [("x", "a_")]
    assert store.list_namespaces(suffix=("a[b]",)) == [("x", "a[b]")]
    assert store.list_namespaces(prefix=("*", "a+")) == [("x", "a+")]


def test_all_conditions_of_an_op_must_hold(filled: BaseStore) -> None:
    op = ListNamespacesOp((MatchCondition("prefix", ("a",)), MatchCondition("prefix", ("*", "c"))))
    assert filled.batch([op]) == [[("a", "c", "f")]]
