"""Batches: reads come first, the last put wins, results are in the order of ops, and all or none is written."""

from __future__ import annotations

import pytest
from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchOp

from tests.stores.conformance.conftest import Subject


def test_results_are_in_the_order_of_the_ops(store: BaseStore) -> None:
    store.put(("a",), "k", {"n": 1})
    results = store.batch(
        [
            PutOp(("a",), "new", {"n": 2}),
            GetOp(("a",), "k"),
            ListNamespacesOp(),
            GetOp(("a",), "missing"),
            SearchOp(("a",)),
            PutOp(("a",), "k", None),
        ]
    )
    assert results[0] is None
    assert isinstance(results[1], Item)
    assert results[1].value == {"n": 1}
    assert results[2] == [("a",)]
    assert results[3] is None
    assert [item.key for item in results[4]] == ["k"]  # type: ignore[union-attr]  # a search gives a list
    assert results[5] is None
    assert len(results) == 6


def test_reads_see_the_state_before_the_batch(store: BaseStore) -> None:
    store.put(("a",), "k", {"n": 1})
    found, _, again = store.batch([GetOp(("a",), "k"), PutOp(("a",), "k", {"n": 2}), GetOp(("a",), "k")])
    assert isinstance(found, Item)
    assert isinstance(again, Item)
    assert (found.value, again.value) == ({"n": 1}, {"n": 1})
    after = store.get(("a",), "k")
    assert after is not None
    assert after.value == {"n": 2}


def test_last_of_several_puts_of_a_key_wins(store: BaseStore) -> None:
    store.batch(
        [PutOp(("a",), "k", {"n": n}) for n in range(5)] + [PutOp(("a",), "gone", {}), PutOp(("a",), "gone", None)]
    )
    item = store.get(("a",), "k")
    assert item is not None
    assert item.value == {"n": 4}
    assert store.get(("a",), "gone") is None


def test_put_after_a_delete_is_kept(store: BaseStore) -> None:
    store.put(("a",), "k", {"n": 1})
    store.batch([PutOp(("a",), "k", None), PutOp(("a",), "k", {"n": 2})])
    item = store.get(("a",), "k")
    assert item is not None
    assert item.value == {"n": 2}


def test_empty_batch_does_nothing(store: BaseStore) -> None:
    assert store.batch([]) == []


def test_large_batch_is_complete(store: BaseStore) -> None:
    store.batch([PutOp(("a", str(n % 7)), str(n), {"n": n}) for n in range(1000)])
    items = store.batch([GetOp(("a", str(n % 7)), str(n)) for n in range(1000)])
    assert [item.value["n"] for item in items] == list(range(1000))  # type: ignore[union-attr]  # all are items


@pytest.mark.differ("memory", why="it keeps any object")
def test_invalid_put_reverts_the_whole_batch(subject: Subject) -> None:
    store = subject.open()
    with pytest.raises(Exception, match=r"(?i)json|serializable"):
        store.batch([PutOp(("a",), "good", {"n": 1}), PutOp(("a",), "bad", {"n": object()})])
    assert store.get(("a",), "good") is None
    assert store.list_namespaces() == []
