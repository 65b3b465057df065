"""Failing embedders and disks: acknowledged items are kept, and the fault is named."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from langgraph.store.base import PutOp

from config.errors import StorageError
from stores.chroma import ChromaStore
from tests.stores.letters import DIMS, letters
from tests.stores.test_chroma import ROOT, Letters, found, lazy

NAN = [[float("nan")] * DIMS]


class Moody(Letters):
    """Fails on texts that contain a forbidden word, or on all."""

    forbidden = ""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.forbidden and any(self.forbidden in text for text in texts):
            raise ConnectionError("no route to the embedder")
        return super().embed(texts)


class Wrong(Letters):
    """Returns the given vectors."""

    answer: list[list[float]] | None = None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return letters(texts) if self.answer is None else self.answer * len(texts)


WRONG = pytest.mark.parametrize(
    ("answer", "words"),
    [
        (NAN, "NaN"),
        ([[float("inf")] + [0.0] * (DIMS - 1)], "infinity"),
        ([[1.0] * (DIMS - 1)], "length"),
        ([[1.0] * (DIMS + 1)], "length"),
        ([[]], "length"),
        ([], "0 vectors"),
    ],
    ids=["nan", "infinity", "short", "long", "empty", "none"],
)


@WRONG
def test_wrong_vectors_of_a_lazy_embedder_are_not_stored(tmp_path: Path, answer: list[list[float]], words: str) -> None:
    embedder = Wrong()
    with ChromaStore.from_path(tmp_path, index=lazy(embedder)) as store:
        store.put(("a",), "good", {"text": "parrot"})
        assert found(store, "parrot") == ["good"]
        store.put(("a",), "k", {"text": "carrot"})
        embedder.answer = answer
        with pytest.raises(StorageError, match=words):
            store.flush()
        with pytest.raises(StorageError, match=words):
            store.search((), query="carrot")
        embedder.answer = None
        assert found(store, "carrot") == ["k", "good"]


@pytest.mark.parametrize("plain", [True, False], ids=["function", "embedder"])
def test_failing_embedder_leaves_the_item_and_a_repair_creates_the_vector(
    tmp_path: Path, plain: bool, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = Moody()
    index = lazy(embedder)
    if plain:
        index["embed"] = lambda texts: embedder.embed(texts)
    with ChromaStore.from_path(tmp_path, index=index) as store:
        store.put(("a",), "good", {"text": "parrot"})
        embedder.forbidden = "carrot"
        with caplog.at_level(logging.WARNING):
            store.put(("a",), "k", {"text": "carrot"})
            assert [(item.key, item.score is None) for item in store.search((), query="parrot")] == [
                ("good", False),
                ("k", True),
            ]
        assert "no route to the embedder" in caplog.text
        assert store.get(("a",), "k") is not None
    embedder.forbidden = ""
    with ChromaStore.from_path(tmp_path, index=index) as store:
        assert found(store, "carrot") == ["k", "good"]


def test_rejected_text_delays_the_vectors_of_others_only_briefly(tmp_path: Path) -> None:
    embedder = Moody()
    embedder.forbidden = "carrot"
    with ChromaStore.from_path(tmp_path, index=lazy(embedder)) as store:
        store.batch([PutOp(("a",), str(n), {"text": "carrot" if n == 37 else "parrot"}) for n in range(100)])
        assert len(found(store, "parrot", limit=200)) == 99
        embedder.seen.clear()
        for _ in range(5):
            found(store, "parrot")
        assert embedder.seen == ["parrot"] * 5
        embedder.forbidden = ""
        assert store.flush() == 1
        assert len(found(store, "parrot", limit=200)) == 100


def test_record_names_the_fault(tmp_path: Path) -> None:
    embedder = Moody()
    embedder.forbidden = "carrot"
    with ChromaStore.from_path(tmp_path, index=lazy(embedder)) as store:
        store.put(("a",), "k", {"text": "carrot"})
        store.flush()
    with closing(sqlite3.connect(tmp_path / "items.sqlite")) as db:
        assert db.execute("SELECT fault FROM vector_record").fetchall() == [
            ("ConnectionError: no route to the embedder",)
        ]


def test_failing_query_raises_and_search_without_one_works(tmp_path: Path) -> None:
    embedder = Moody()
    with ChromaStore.from_path(tmp_path, index=lazy(embedder)) as store:
        store.put(("a",), "k", {"text": "parrot"})
        embedder.forbidden = "p"
        with pytest.raises(StorageError, match="no route to the embedder"):
            store.search((), query="parrot")
        assert [item.key for item in store.search(())] == ["k"]


def test_damaged_items_file_is_named_with_advice(tmp_path: Path) -> None:
    (tmp_path / "items.sqlite").write_bytes(b"this is not a database" * 500)
    with pytest.raises(StorageError, match=r"items\.sqlite.*backup"), ChromaStore.from_path(tmp_path):
        pass


def test_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StorageError, match="CONCIERGE_DATA_DIR"), ChromaStore.from_path(tmp_path / "data" / "store"):
        pass


@pytest.mark.slow
def test_read_only_folder_is_named_with_advice(tmp_path: Path) -> None:
    # Root may write anywhere, so the test becomes another user, after everything is imported.
    script = """
import os, sys
from config.errors import StorageError
from stores.chroma import ChromaStore
warm, target = sys.argv[1:]
with ChromaStore.from_path(warm) as store:
    store.put(("a",), "k", {})
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    with ChromaStore.from_path(target):
        print("opened")
except StorageError as error:
    print(error)
"""
    with TemporaryDirectory() as outside:
        Path(outside).chmod(0o755)
        data = Path(outside) / "data"
        data.mkdir(mode=0o555)
        assert "CONCIERGE_DATA_DIR" in run(script, tmp_path, data / "store")
        store = data / "old"
        data.chmod(0o755)
        store.mkdir(mode=0o555)
        assert "CONCIERGE_DATA_DIR" in run(script, tmp_path, store)


@pytest.mark.slow
def test_full_disk_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    script = """
import resource, sys
from config.errors import StorageError
from stores.chroma import ChromaStore
with ChromaStore.from_path(sys.argv[1]) as store:
    store.put(("a",), "k", {"text": "parrot"})
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    try:
        store.put(("a",), "big", {"text": "x" * 900_000})
    except StorageError as error:
        print(error)
    assert [item.key for item in store.search(())] == ["k"]
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.put(("a",), "later", {"text": "carrot"})
"""
    assert "space" in run(script, tmp_path)
    with ChromaStore.from_path(tmp_path, index=lazy(Letters())) as again:
        assert sorted(found(again, "parrot")) == ["k", "later"]


def run(script: str, *arguments: Path) -> str:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
