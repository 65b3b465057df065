"""Search with a query: fields, scores, pages, and items without vectors."""

from __future__ import annotations

import pytest
from langgraph.store.base import BaseStore, PutOp

from tests.stores.conformance.conftest import Subject
from tests.stores.letters import cosine
from tests.tables import table

TEXTS = {"1": "parrot", "2": "window seat", "3": "vegetarian", "4": "parrots and seats", "5": "quiet hotel"}


def fill(store: BaseStore) -> None:
    for key, text in TEXTS.items():
        store.put(("m",), key, {"text": text, "n": int(key)})


@table("query", ["parrot", "seat", "a quiet window", "zebra"])
def test_scores_are_cosine_similarities_best_first(indexed: BaseStore, query: str) -> None:
    fill(indexed)
    hits = indexed.search(("m",), query=query)
    assert {item.key: item.score for item in hits} == pytest.approx(
        {key: cosine(query, text) for key, text in TEXTS.items()}, abs=1e-5
    )
    assert [item.key for item in hits] == sorted(TEXTS, key=lambda key: -cosine(query, TEXTS[key]))


def test_put_is_found_at_once_and_an_update_replaces_its_vector(indexed: BaseStore) -> None:
    fill(indexed)
    indexed.put(("m",), "1", {"text": "zzz"})
    assert indexed.search(("m",), query="zzz", limit=1)[0].key == "1"
    assert indexed.search(("m",), query="parrot", limit=1)[0].key != "1"


def test_deleted_item_is_not_found(indexed: BaseStore) -> None:
    fill(indexed)
    assert indexed.search(("m",), query="parrot", limit=1)[0].key == "1"
    indexed.delete(("m",), "1")
    assert "1" not in {item.key for item in indexed.search(("m",), query="parrot")}


def test_filter_is_applied_before_the_page(indexed: BaseStore) -> None:
    fill(indexed)
    hits = indexed.search(("m",), query="parrot", filter={"n": {"$gte": 2}}, limit=2)
    best = sorted(list(TEXTS)[1:], key=lambda key: -cosine("parrot", TEXTS[key]))
    assert [item.key for item in hits] == best[:2]


def test_prefix_separates_users(indexed: BaseStore) -> None:
    for user in ("u1", "u10", "U1"):
        indexed.put(("users", user, "notes"), "k", {"text": f"parrot of {user}"})
    assert [item.namespace[1] for item in indexed.search(("users", "u1"), query="parrot")] == ["u1"]


@pytest.mark.differ("sqlite", why="it reads twice the page at most, then applies the offset")
def test_pages_of_a_query_are_consecutive(subject: Subject) -> None:
    indexed = subject.open(fields=["text"])
    fill(indexed)
    whole = [item.key for item in indexed.search(("m",), query="parrot")]
    pages = [
        item.key for offset in (0, 2, 4) for item in indexed.search(("m",), query="parrot", limit=2, offset=offset)
    ]
    assert pages == whole


def test_item_with_several_fields_is_returned_once_with_its_best_score(subject: Subject) -> None:
    store = subject.open(fields=["title", "tags[*]", "deep.note"])
    store.put(("m",), "k", {"title": "aaa", "tags": ["bbb", "ccc"], "deep": {"note": "ddd"}})
    store.put(("m",), "l", {"title": "ab", "tags": []})
    for query in ("aaa", "bbb", "ccc", "ddd"):
        hits = store.search(("m",), query=query)
        assert [item.key for item in hits].count("k") == 1
        assert hits[0].key == "k"
        assert hits[0].score == pytest.approx(1.0, abs=1e-5)


def test_whole_value_is_indexed_without_fields(subject: Subject) -> None:
    store = subject.open(fields=["$"])
    store.put(("m",), "k", {"anything": "zzz"})
    store.put(("m",), "l", {"anything": "qqq"})
    assert store.search(("m",), query="zzzzzz", limit=1)[0].key == "k"


def test_put_may_name_its_own_fields(indexed: BaseStore) -> None:
    indexed.put(("m",), "k", {"text": "qqq", "note": "zzz"}, index=["note"])
    indexed.put(("m",), "l", {"text": "zza"})
    hits = indexed.search(("m",), query="zzz")
    assert hits[0].key == "k"
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)


@pytest.mark.differ("sqlite", why="it joins with the vectors and so leaves such items out")
def test_unindexed_put_is_stored(subject: Subject) -> None:
    indexed = subject.open(fields=["text"])
    fill(indexed)
    indexed.put(("m",), "out", {"text": "parrot"}, index=False)
    hits = indexed.search(("m",), query="parrot")
    assert (hits[-1].key, hits[-1].score) == ("out", None)
    assert indexed.get(("m",), "out") is not None


@pytest.mark.differ("sqlite", why="it joins with the vectors and so leaves such items out")
def test_items_without_vectors_come_last(subject: Subject) -> None:
    indexed = subject.open(fields=["text"])
    indexed.put(("m",), "text", {"text": "parrot"})
    indexed.put(("m",), "none", {"other": "parrot"})
    hits = indexed.search(("m",), query="parrot")
    assert [(item.key, item.score is None) for item in hits] == [("text", False), ("none", True)]
    assert len(indexed.search(("m",), query="parrot", limit=1)) == 1


@pytest.mark.differ("memory", "sqlite", why="vectors of fields that are gone stay")
def test_replaced_value_leaves_no_old_vector(subject: Subject) -> None:
    store = subject.open(fields=["tags[*]"])
    store.put(("m",), "k", {"tags": ["aaa", "zzz", "qqq"]})
    assert store.search(("m",), query="zzz")[0].score == pytest.approx(1.0, abs=1e-5)
    store.put(("m",), "k", {"tags": ["aaa"]})
    assert store.search(("m",), query="zzz")[0].score == pytest.approx(0.0, abs=1e-5)


@pytest.mark.differ("memory", "sqlite", why="the old vector stays, or its upsert deletes it and leaves the item out")
def test_disabling_the_index_of_an_item_removes_its_vector(subject: Subject) -> None:
    store = subject.open(fields=["text"])
    store.put(("m",), "k", {"text": "parrot"})
    assert store.search(("m",), query="parrot")[0].score is not None
    store.put(("m",), "k", {"text": "parrot"}, index=False)
    assert [item.score for item in store.search(("m",), query="parrot")] == [None]


def test_one_batch_may_contain_several_queries(indexed: BaseStore) -> None:
    from langgraph.store.base import SearchOp

    fill(indexed)
    results = indexed.batch(
        [
            SearchOp(("m",), query="parrot", limit=1),
            PutOp(("m",), "9", {"text": "parrot parrot"}),
            SearchOp(("m",), query="vegetarian", limit=1),
            SearchOp(("m",), limit=100),
        ]
    )
    firsts = [found[0].key for found in (results[0], results[2])]  # type: ignore[index,union-attr]  # searches give lists
    assert firsts == ["1", "3"]
    assert len(results[3]) == len(TEXTS)  # type: ignore[arg-type]  # searches give lists


def test_hundred_updates_of_an_item_leave_one_vector(indexed: BaseStore) -> None:
    for n in range(100):
        indexed.put(("m",), "k", {"text": "abc" * (n + 1), "n": n})
        if n % 10 == 0:
            indexed.search(("m",), query="abc")
    hits = indexed.search(("m",), query="abc")
    assert [(item.key, item.value["n"]) for item in hits] == [("k", 99)]
