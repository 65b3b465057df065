"""Times to live: expiry, refresh on read, sweeping, hiding."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.store.base import BaseStore

from tests.stores.conformance.conftest import Subject

# LangGraph's SQLite store binds datetimes in a way that Python 3.12 and later warn about.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The default datetime adapter is deprecated:DeprecationWarning"),
    pytest.mark.differ("memory", why="it has no times to live"),
]

PAST = -3.0 * 366 * 24 * 60
"""Minutes: an item put with this is past its time already, also where the clock of a process is years ahead."""


def sweep(store: Any) -> int:
    return int(store.sweep_ttl())


@pytest.fixture
def lasting(subject: Subject) -> BaseStore:
    return subject.open(ttl={"refresh_on_read": False})


def test_an_expired_item_is_swept_and_the_others_stay(lasting: BaseStore) -> None:
    lasting.put(("t",), "old", {}, ttl=PAST)
    lasting.put(("t",), "fresh", {}, ttl=60)
    lasting.put(("t",), "forever", {}, ttl=None)
    assert sweep(lasting) == 1
    assert {item.key for item in lasting.search(("t",))} == {"fresh", "forever"}
    assert sweep(lasting) == 0


def test_the_default_applies_to_puts_that_name_none(subject: Subject) -> None:
    store = subject.open(ttl={"default_ttl": PAST, "refresh_on_read": False})
    store.put(("t",), "default", {})
    store.put(("t",), "longer", {}, ttl=60)
    store.put(("t",), "forever", {}, ttl=None)
    assert sweep(store) == 1
    assert {item.key for item in store.search(("t",))} == {"longer", "forever"}


def test_a_put_without_ttl_takes_the_old_one_away(lasting: BaseStore) -> None:
    lasting.put(("t",), "k", {}, ttl=PAST)
    lasting.put(("t",), "k", {}, ttl=None)
    assert sweep(lasting) == 0
    assert lasting.get(("t",), "k") is not None


def test_an_expired_item_is_read_until_it_is_swept(lasting: BaseStore) -> None:
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


def test_a_swept_item_is_not_found_by_meaning(subject: Subject) -> None:
    store = subject.open(fields=["text"], ttl={"refresh_on_read": False})
    store.put(("t",), "old", {"text": "parrot"}, ttl=PAST)
    store.put(("t",), "new", {"text": "parrot"})
    assert len(store.search(("t",), query="parrot")) == 2
    assert sweep(store) == 1
    assert [item.key for item in store.search(("t",), query="parrot")] == ["new"]
