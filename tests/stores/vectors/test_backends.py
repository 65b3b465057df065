from __future__ import annotations

import socket
from pathlib import Path

import pytest
from langgraph.store.base import IndexConfig

from config.errors import StorageError
from stores.chroma import ChromaStore
from stores.items.base import ItemsOptions
from stores.items.sqlite import SqliteItems
from stores.vectors.backends import ServerVectors, VectorBackend
from stores.vectors.embedding import Embedding
from tests.conftest import Clock
from tests.stores.letters import DIMS, letters
from tests.stores.test_chroma import found

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}


def store_over(path: Path, vectors: VectorBackend, index: IndexConfig = INDEX) -> ChromaStore:
    items = SqliteItems(path / "items.sqlite", ItemsOptions(clock=Clock(), texts=Embedding(index).texts))
    return ChromaStore(items, vectors, index=index)


def test_vectors_of_several_stores_on_a_server_are_separate(chroma_server: str, tmp_path: Path) -> None:
    mine, other = (
        store_over(tmp_path / "mine", ServerVectors(chroma_server)),
        store_over(tmp_path / "o", ServerVectors(chroma_server)),
    )
    mine.put(("a",), "mine", {"text": "parrot"})
    other.put(("a",), "other", {"text": "parrot"})
    assert found(mine, "parrot") == ["mine"]
    assert found(other, "parrot") == ["other"]
    assert mine.reindex() == 1
    mine.close()
    assert found(other, "parrot") == ["other"]
    other.close()
    again = store_over(tmp_path / "mine", ServerVectors(chroma_server))
    assert found(again, "parrot") == ["mine"]
    again.delete(("a",), "mine")
    again.flush()
    assert found(again, "parrot") == []
    again.close()


def test_another_embedder_uses_its_own_collection_on_the_server(chroma_server: str, tmp_path: Path) -> None:
    store = store_over(tmp_path, ServerVectors(chroma_server))
    store.put(("a",), "k", {"text": "parrot"})
    assert found(store, "parrot") == ["k"]
    store.close()
    flat: IndexConfig = {"dims": 2, "embed": lambda texts: [[1.0, 0.0]] * len(texts), "fields": ["text"]}
    store = store_over(tmp_path, ServerVectors(chroma_server), flat)
    assert store.search((), query="anything")[0].score == pytest.approx(1.0)
    store.close()


def test_unreachable_server_is_named_and_items_remain_usable(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        store = store_over(tmp_path, ServerVectors(url))
        store.put(("a",), "k", {"text": "parrot"})
        with pytest.raises(StorageError, match=url):
            store.search((), query="parrot")
    assert [item.key for item in store.search(())] == ["k"]
    store.close()
