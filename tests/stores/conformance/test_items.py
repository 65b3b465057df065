"""get, put and delete: values come back unchanged, under exactly their keys."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, PutOp, SearchOp

from tests.stores.conformance.conftest import Subject
from tests.tables import table

VALUES: list[dict[str, Any]] = [
    {},
    {"text": "plain"},
    {"nested": {"list": [1, 2.5, None, True, False, "x", [], {}], "empty": {}}},
    {"unicode": "naïve 東京 🧳 العربية \u202e \u0000 \x7f \ufffe", "": "empty key", "a.b": "dotted", "$gt": 1},
    {"large": 2**53, "negative": -(2**53), "tiny": 5e-324, "zero": -0.0},
    {"megabyte": "x" * 1_000_000},
    {"quotes": "it's \"quoted\" \\ %s {} '; DROP TABLE store; --"},
]


@table("value", VALUES)
def test_value_comes_back_equal(store: BaseStore, value: dict[str, Any]) -> None:
    store.put(("a", "b"), "k", value)
    item = store.get(("a", "b"), "k")
    assert item is not None
    assert (item.value, item.key, item.namespace) == (value, "k", ("a", "b"))


@table("key", ["k", "", " ", "a.b", "é", "🧳", "k\x00l", "%", "_", "*", "'", "x" * 5000])
def test_key_is_any_text(store: BaseStore, key: str) -> None:
    store.put(("a",), key, {"n": 1})
    store.put(("a",), key + "-other", {"n": 2})
    item = store.get(("a",), key)
    assert item is not None
    assert (item.key, item.value) == (key, {"n": 1})


def test_missing_item_is_none(store: BaseStore) -> None:
    store.put(("a",), "k", {"n": 1})
    assert store.get(("a",), "other") is None
    assert store.get(("b",), "k") is None
    assert store.get(("a", "k"), "k") is None


def test_put_replaces_the_whole_value(store: BaseStore) -> None:
    store.put(("a",), "k", {"old": 1})
    store.put(("a",), "k", {"new": 2})
    item = store.get(("a",), "k")
    assert item is not None
    assert item.value == {"new": 2}


@pytest.mark.differ("memory", "sqlite", why="they set created_at anew at each put")
def test_update_keeps_the_creation_time(subject: Subject) -> None:
    store = subject.open()
    store.put(("a",), "k", {"n": 1})
    first = store.get(("a",), "k")
    while True:
        store.put(("a",), "k", {"n": 2})
        second = store.get(("a",), "k")
        assert first is not None
        assert second is not None
        if second.updated_at > first.updated_at:
            break
    assert second.created_at == first.created_at


@pytest.mark.differ("sqlite", why="its times have no zone")
def test_times_are_aware_and_current(subject: Subject) -> None:
    store = subject.open()
    before = datetime.now(UTC)
    store.put(("a",), "k", {})
    after = datetime.now(UTC)
    item = store.get(("a",), "k")
    assert item is not None
    assert before <= item.created_at <= after
    assert before <= item.updated_at <= after


def test_delete_is_exact_and_idempotent(store: BaseStore) -> None:
    for key in ("k", "kk", "K"):
        store.put(("a",), key, {})
    store.delete(("a",), "k")
    store.delete(("a",), "k")
    store.delete(("nowhere",), "k")
    assert store.get(("a",), "k") is None
    assert store.get(("a",), "kk") is not None
    assert store.get(("a",), "K") is not None


@table("namespace", [(), ("a.b",), ("",), ("a", ""), ("a\x00",), ("langgraph", "x")])
def test_ambiguous_namespace_is_rejected(store: BaseStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {})


@pytest.mark.differ("memory", why="it keeps namespaces as tuples and does not check ops")
@table("op", [GetOp(("a.b",), "k"), PutOp(("a.b",), "k", {}), SearchOp(("a.b",)), PutOp(("a\x00b",), "k", None)])
def test_batch_checks_namespaces(store: BaseStore, op: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.batch([op])


@pytest.mark.differ("sqlite", why="its async form is another class")
async def test_async_methods_do_the_same(store: BaseStore, subject: Subject) -> None:
    await store.aput(("a",), "k", {"n": 1})
    item = await store.aget(("a",), "k")
    assert item is not None
    assert item.value == {"n": 1}
    assert [found.key for found in await store.asearch(("a",))] == ["k"]
    assert await store.alist_namespaces() == [("a",)]
    await store.adelete(("a",), "k")
    assert await store.aget(("a",), "k") is None
