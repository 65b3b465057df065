"""Search without a query: prefixes, filters and pages."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import BaseStore

from tests.stores.conformance.conftest import Subject
from tests.tables import table


def keys(store: BaseStore, prefix: tuple[str, ...], **wanted: Any) -> set[str]:
    return {item.key for item in store.search(prefix, limit=100, **wanted)}


def test_prefix_matches_itself_and_everything_below(store: BaseStore) -> None:
    for namespace in [("a",), ("a", "b"), ("a", "b", "c"), ("b",), ("x", "a")]:
        store.put(namespace, "/".join(namespace), {})
    assert keys(store, ("a",)) == {"a", "a/b", "a/b/c"}
    assert keys(store, ("a", "b")) == {"a/b", "a/b/c"}
    assert keys(store, ()) == {"a", "a/b", "a/b/c", "b", "x/a"}
    assert keys(store, ("c",)) == set()


@pytest.mark.parametrize(
    ("mine", "others"),
    [
        ("u1", ["u10", "u", "u1 ", "U1", "u1-", "u1/", "u1!"]),
        ("%", ["a", "%%", "_"]),
        ("_", ["a", "__"]),
        ("u_1", ["ux1", "u-1"]),
        ("*", ["a", "**"]),
        ("?", ["a"]),
        ("[ab]", ["a", "b"]),
        ("é", ["e\u0301", "e", "É"]),
        ("ß", ["ss"]),
        ("'", ["''"]),
        ("\\", ["\\\\"]),
        ("🧳", ["🧳🧳"]),
    ],
)
def test_label_matches_only_itself(store: BaseStore, mine: str, others: list[str]) -> None:
    for label in [mine, *others]:
        store.put(("users", label), "direct", {"of": label})
        store.put(("users", label, "notes"), "below", {"of": label})
    hits = store.search(("users", mine), limit=100)
    assert {item.value["of"] for item in hits} == {mine}
    assert len(hits) == 2


FILTERED: dict[str, dict[str, Any]] = {
    "one": {"n": 1, "s": "apple", "flag": True, "tags": ["x", "y"], "deep": {"a": 1, "b": 2}},
    "two": {"n": 2.5, "s": "Apple", "flag": False, "tags": [], "deep": {"a": 2}},
    "none": {"n": None, "s": "", "extra": "%"},
}


@table(
    ("wanted", "expected"),
    [
        ({"n": 1}, {"one"}),
        ({"n": 1.0}, {"one"}),
        ({"s": "apple"}, {"one"}),
        ({"s": ""}, {"none"}),
        ({"flag": True}, {"one"}),
        ({"flag": False}, {"two"}),
        ({"extra": "%"}, {"none"}),
        ({"n": 1, "s": "apple"}, {"one"}),
        ({"n": 1, "s": "Apple"}, set()),
        ({"n": {"$eq": 2.5}}, {"two"}),
        ({"flag": {"$ne": True}, "n": 2.5}, {"two"}),
        ({"unknown": 5}, set()),
        ({}, {"one", "two", "none"}),
    ],
)
def test_filters_on_which_all_stores_agree(store: BaseStore, wanted: dict[str, Any], expected: set[str]) -> None:
    for key, value in FILTERED.items():
        store.put(("f",), key, value)
    assert keys(store, ("f",), filter=wanted) == expected


@table(
    ("wanted", "expected", "differ"),
    [
        ({"n": {"$gt": 1}}, {"two"}, ("memory",)),
        ({"n": {"$gte": 1, "$lt": 2.5}}, {"one"}, ("memory",)),
        ({"n": {"$lte": 2.5}}, {"one", "two"}, ("memory",)),
        ({"s": {"$gt": "a"}}, {"one"}, ("memory",)),
        ({"n": {"$ne": 1}}, {"two", "none"}, ("sqlite",)),
        ({"unknown": {"$ne": 1}}, {"one", "two", "none"}, ("sqlite",)),
        ({"flag": 1}, set(), ("memory", "sqlite")),
        ({"deep": {"a": 1}}, {"one"}, ("sqlite",)),
        ({"tags": ["x", "y"]}, {"one"}, ()),
        ({"odd'key\"": 1}, set(), ("sqlite",)),
    ],
)
def test_filters_follow_the_rules_of_json(
    subject: Subject, store: BaseStore, wanted: dict[str, Any], expected: set[str], differ: tuple[str, ...]
) -> None:
    for key, value in FILTERED.items():
        store.put(("f",), key, value)
    # The stores that differ compare by the rules of SQL or of Python.
    assert subject.name in differ or keys(store, ("f",), filter=wanted) == expected


def test_unknown_operator_is_rejected(store: BaseStore) -> None:
    store.put(("f",), "k", {"n": 1})
    with pytest.raises(Exception, match="Unsupported operator"):
        store.search(("f",), filter={"n": {"$regex": "x"}})


def test_pages_are_consecutive_without_gaps_or_repeats(store: BaseStore) -> None:
    for n in range(25):
        store.put(("p",), str(n), {"n": n, "even": n % 2 == 0})
    pages = [[item.key for item in store.search(("p",), limit=10, offset=offset)] for offset in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert {key for page in pages for key in page} == {str(n) for n in range(25)}
    even = [item.key for item in store.search(("p",), filter={"even": True}, limit=10, offset=10)]
    assert len(even) == 3


def test_default_page_has_ten_items(store: BaseStore) -> None:
    for n in range(12):
        store.put(("p",), str(n), {})
    assert len(store.search(("p",))) == 10


def test_results_without_a_query_have_no_score(store: BaseStore) -> None:
    store.put(("p",), "k", {})
    assert [item.score for item in store.search(("p",))] == [None]


def test_query_without_an_index_lists_items(store: BaseStore) -> None:
    store.put(("p",), "k", {"text": "x"})
    assert [(item.key, item.score) for item in store.search(("p",), query="anything")] == [("k", None)]


@pytest.mark.differ("memory", "sqlite", why="insertion order, and times in whole seconds")
def test_latest_update_comes_first(subject: Subject) -> None:
    store = subject.open()
    for key in "abc":
        store.put(("p",), key, {})
    store.put(("p",), "a", {"again": True})
    assert [item.key for item in store.search(("p",))] == ["a", "c", "b"]
