from __future__ import annotations

import socket
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.store.base import IndexConfig

from config.errors import InvalidInputError, StorageError
from stores.chroma import ChromaStore
from stores.items.sqlite import SqliteItems
from stores.vectors.backends import CollectionVectors, ServerVectors, VectorBackend
from stores.vectors.embedding import Embedding
from tests.conftest import Clock
from tests.stores.letters import DIMS, letters
from tests.stores.test_chroma import Letters, found

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}


def store_over(path: Path, vectors: VectorBackend, index: IndexConfig = INDEX) -> ChromaStore:
    items = SqliteItems(path / "items.sqlite", clock=Clock(), texts=Embedding(index).texts)
    return ChromaStore(items, vectors, index=index)


def test_a_server_keeps_the_vectors_of_several_stores_apart(chroma_server: str, tmp_path: Path) -> None:
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


def test_another_embedder_takes_a_collection_of_its_own_on_the_server(chroma_server: str, tmp_path: Path) -> None:
    store = store_over(tmp_path, ServerVectors(chroma_server))
    store.put(("a",), "k", {"text": "parrot"})
    assert found(store, "parrot") == ["k"]
    store.close()
    flat: IndexConfig = {"dims": 2, "embed": lambda texts: [[1.0, 0.0]] * len(texts), "fields": ["text"]}
    store = store_over(tmp_path, ServerVectors(chroma_server), flat)
    assert store.search((), query="anything")[0].score == pytest.approx(1.0)
    store.close()


def test_a_server_that_is_not_there_is_named_and_items_stay_usable(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        store = store_over(tmp_path, ServerVectors(url))
        store.put(("a",), "k", {"text": "parrot"})
        with pytest.raises(StorageError, match=url):
            store.search((), query="parrot")
    assert [item.key for item in store.search(())] == ["k"]
    store.close()


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", ""])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInputError, match="CONCIERGE_CHROMA_URL"):
        ServerVectors(url)


def test_a_store_works_over_any_collection(tmp_path: Path) -> None:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        "somebodys", embedding_function=None, configuration=cast(Any, {"hnsw": {"space": "cosine"}})
    )
    embedder: Any = Letters()
    for version in ("1", "1", "2"):
        embedder.version = version
        store = store_over(tmp_path, CollectionVectors(collection), {"embed": embedder, "fields": ["text"]})
        store.put(("a",), "k" + version, {"text": "parrot"})
        assert "k" + version in found(store, "parrot")
        store.close()
    assert collection.count() == 2
    assert embedder.seen.count("parrot") == 3 + 1 + 2
    cast(Any, client).close()
