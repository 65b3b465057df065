from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from config.errors import SettingsError, StorageError, StoreLockedError
from config.settings import load_settings
from stores.lifespan import checkpointer_lifespan, open_checkpoints, open_store, store_lifespan


async def test_configured_store_searches_by_meaning_offline(tmp_path: Path) -> None:
    async with open_store(load_settings(data_dir=tmp_path / "data")) as store:
        await store.aput(("notes",), "bird", {"text": "We saw a green parrot in the hotel garden"})
        await store.aput(("notes",), "seat", {"text": "Prefers a window seat"})
        await store.aput(("notes",), "meal", {"text": "Eats vegetarian food"})
        hits = await store.asearch(("notes",), query="that bird we talked about")
    assert hits[0].key == "bird"


async def test_data_directory_is_private(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    async with open_store(load_settings(data_dir=data)):
        pass
    async with open_checkpoints(load_settings(data_dir=data)):
        pass
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "store").stat().st_mode) == 0o700
    assert (data / "checkpoints.sqlite").exists()


async def test_databases_in_a_folder_that_others_may_enter_are_private(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    settings = load_settings(data_dir=tmp_path)
    async with open_store(settings) as store, open_checkpoints(settings):
        await store.aput(("notes",), "k", {"text": "parrot"})
        files = ("checkpoints.sqlite", "checkpoints.sqlite-wal", "store/items.sqlite", "store/items.sqlite-wal")
        assert {stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in files} == {0o600}


async def test_query_without_embeddings_lists_items(tmp_path: Path) -> None:
    async with open_store(load_settings(data_dir=tmp_path, embedder="none")) as store:
        await store.aput(("notes",), "k", {"text": "parrot"})
        assert [(item.key, item.score) for item in await store.asearch(("notes",), query="bird")] == [("k", None)]


async def test_openai_embeddings_without_an_endpoint_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        async with open_store(load_settings(data_dir=tmp_path, embedder="openai")):
            pass


async def test_server_reads_its_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_DATA_DIR", str(tmp_path / "served"))
    monkeypatch.setenv("CONCIERGE_CHECKPOINTS_KEPT", "7")
    async with store_lifespan() as store, checkpointer_lifespan() as saver:
        await store.aput(("a",), "k", {"n": 1})
        assert saver.keep == 7
        with pytest.raises(StoreLockedError):
            async with store_lifespan():
                pass
    async with store_lifespan() as store:
        assert await store.aget(("a",), "k") is not None
    assert (tmp_path / "served" / "checkpoints.sqlite").exists()


async def test_file_in_place_of_the_data_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    for opening in (open_store, open_checkpoints):
        with pytest.raises(StorageError, match="CONCIERGE_DATA_DIR"):
            async with opening(load_settings(data_dir=tmp_path / "data")):
                pass
