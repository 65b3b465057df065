"""Time to live: expiry, refresh on read, sweeping and hiding."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import BaseStore

from tests.stores.conformance.conftest import Subject

# LangGraph's SQLite store binds datetimes in a way that is deprecated since Python 3.12.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The default datetime adapter is deprecated:DeprecationWarning"),
    pytest.mark.differ("memory", why="it has no times to live"),
]

PAST = -3.0 * 366 * 24 * 60
"""Minutes. An item with this time to live has expired already, even if the clock of a process is years ahead."""


def sweep(store: Any) -> int:
    return int(store.sweep_ttl())


@pytest.fixture
def lasting(subject: Subject) -> BaseStore:
    return subject.open(ttl={"refresh_on_read": False})


def test_sweep_removes_only_expired_items(lasting: BaseStore) -> None:
    lasting.put(("t",), "old", {}, ttl=PAST)
    lasting.put(("t",), "fresh", {}, ttl=60)
    lasting.put(("t",), "forever", {}, ttl=None)
    assert sweep(lasting) == 1
    assert {item.key for item in lasting.search(("t",))} == {"fresh", "forever"}
    assert sweep(lasting) == 0


def test_default_ttl_applies_to_puts_without_one(subject: Subject) -> None:
    store = subject.open(ttl={"default_ttl": PAST, "refresh_on_read": False})
    store.put(("t",), "default", {})
    store.put(("t",), "longer", {}, ttl=60)
    store.put(("t",), "forever", {}, ttl=None)
    assert sweep(store) == 1
    assert {item.key for item in store.search(("t",))} == {"longer", "forever"}


def test_put_without_ttl_removes_the_old_one(lasting: BaseStore) -> None:
    lasting.put(("t",), "k", {}, ttl=PAST)
    lasting.put(("t",), "k", {}, ttl=None)
    assert sweep(lasting) == 0
    assert lasting.get(("t",), "k") is not None


def test_expired_item_is_readable_until_the_sweep(lasting: BaseStore) -> None:
    lasting.put(("t",), "k", {"n": 1}, ttl=PAST)
    assert lasting.get(("t",), "k") is not None
    assert len(lasting.search(("t",))) == 1


@pytest.mark.differ("sqlite", why="the released version does not know omit_expired")
def test_expired_items_can_be_hidden_from_every_read(subject: Subject) -> None:
    store = subject.open(ttl={"omit_expired": True, "refresh_on_read": False})
    store.put(("t", "old"), "k", {}, ttl=PAST)
    store.put(("t", "new"), "k", {}, ttl=60)
    assert store.get(("t", "old"), "k") is None
    assert [item.namespace for item in store.search(("t",))] == [("t", "new")]
    assert store.list_namespaces() == [("t", "new")]


@pytest.mark.differ("sqlite", why="the released version does not know omit_expired")
def test_expired_items_can_be_hidden_from_search_by_meaning(subject: Subject) -> None:
    store = subject.open(fields=["text"], ttl={"omit_expired": True, "refresh_on_read": False})
    store.put(("t",), "old", {"text": "parrot"}, ttl=PAST)
    store.put(("t",), "new", {"text": "parrot"}, ttl=60)
    assert [item.key for item in store.search(("t",), query="parrot")] == ["new"]


def test_swept_item_is_not_found_by_meaning(subject: Subject) -> None:
    store = subject.open(fields=["text"], ttl={"refresh_on_read": False})
    store.put(("t",), "old", {"text": "parrot"}, ttl=PAST)
    store.put(("t",), "new", {"text": "parrot"})
    assert len(store.search(("t",), query="parrot")) == 2
    assert sweep(store) == 1
    assert [item.key for item in store.search(("t",), query="parrot")] == ["new"]
