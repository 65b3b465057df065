"""Encryption at rest: nothing is readable, rows cannot be moved, and a wrong key is rejected before any change."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt

from config.errors import DamagedThreadError, SettingsError, StorageError
from config.settings import Settings, load_settings
from stores.lifespan import open_checkpoints, open_store

KEY, OTHER = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))
WORDS = "marzipan", "anabella", "rosemary"
Run = Callable[[str], list[Any]]


class Chat(TypedDict):
    said: list[str]
    mood: str
    answer: str


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return load_settings(data_dir=tmp_path / "data", embedder="none", store_url=url, encryption_key=KEY)


@pytest.fixture
def databases(settings: Settings) -> Iterator[tuple[Run, Run]]:
    """Run SQL directly on the databases of the store and of the checkpoints."""
    with ExitStack() as stack:

        def opened(path: Path) -> Run:
            if settings.store_url:
                db = stack.enter_context(psycopg.connect(settings.store_url.get_secret_value(), autocommit=True))
                return lambda sql: _fetched(db.execute(sql.encode()))
            return lambda sql: _lite(path, sql)

        yield opened(settings.data_dir / "store" / "items.sqlite"), opened(settings.data_dir / "checkpoints.sqlite")


def _fetched(cursor: psycopg.Cursor[Any]) -> list[Any]:
    return cursor.fetchall() if cursor.description else []


def _lite(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(sql).fetchall()


def config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "traveller": "anabella"}, "metadata": {"herb": "rosemary"}}


def graph(saver: Any) -> Any:
    def ask(state: Chat) -> dict[str, str]:
        return {"answer": interrupt("rosemary?")}

    builder = StateGraph(Chat)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    return builder.compile(checkpointer=saver)


async def fill(settings: Settings) -> None:
    async with open_store(settings) as store:
        for key in ("k", "other"):
            await store.aput(("users", "anabella", "notes"), key, {"text": f"likes marzipan {key}"})
    async with open_checkpoints(settings) as saver:
        for thread in ("t", "u"):
            await graph(saver).ainvoke({"said": ["marzipan"], "mood": "rosemary"}, config(thread))
        await saver.acopy_thread("t", "copy")


async def test_encrypted_data_is_readable_only_through_the_store(
    settings: Settings, databases: tuple[Run, Run]
) -> None:
    await fill(settings)
    items, checkpoints = databases
    tables = [items("SELECT * FROM store")]
    names = (
        ("checkpoints", "checkpoint_blobs", "checkpoint_writes") if settings.store_url else ("checkpoints", "writes")
    )
    tables += [checkpoints(f"SELECT * FROM {name}") for name in names]
    assert all(tables)
    assert [word for word in WORDS if word in repr(tables) or word.encode() in repr(tables).encode()] == []

    async with open_store(settings) as store:
        hits = await store.asearch(("users", "anabella"), filter={"text": "likes marzipan k"})
        assert [(one.namespace[1], one.key) for one in hits] == [("anabella", "k")]
        assert await store.alist_namespaces() == [("users", "anabella", "notes")]
        await store.aput(("users", "anabella", "notes"), "k", {"text": "likes nougat"})
        read = await store.aget(("users", "anabella", "notes"), "k")
        assert read
        assert read.value == {"text": "likes nougat"}
    async with open_checkpoints(settings) as saver:
        for thread in ("t", "copy"):
            assert (await graph(saver).ainvoke(Command(resume="yes"), config(thread))) == {
                "said": ["marzipan"],
                "mood": "rosemary",
                "answer": "yes",
            }
        listed = [one async for one in saver.alist(config("t"), filter={"herb": "rosemary", "source": "loop"}, limit=2)]
        assert [dict(one.metadata)["traveller"] for one in listed] == ["anabella"] * 2
        assert [one async for one in saver.alist(config("t"), filter={"herb": "sage"})] == []
        assert {one.config["configurable"]["thread_id"] async for one in saver.alist(None)} == {"t", "u", "copy"}


@pytest.mark.parametrize(("key", "message"), [(OTHER, "another key"), (None, "no key is set")])
async def test_wrong_or_missing_key_is_reported(settings: Settings, key: str | None, message: str) -> None:
    await fill(settings)
    changed = load_settings(**{**settings.model_dump(), "encryption_key": key})
    for opened in (open_store, open_checkpoints):
        with pytest.raises(StorageError, match=f"{message}[\\s\\S]*CONCIERGE_ENCRYPTION_KEY|KEY[\\s\\S]*{message}"):
            async with opened(changed):
                pass


async def test_unencrypted_data_is_not_mixed_with_encrypted(settings: Settings) -> None:
    await fill(load_settings(**{**settings.model_dump(), "encryption_key": None}))
    for opened in (open_store, open_checkpoints):
        with pytest.raises(StorageError, match="begun without encryption"):
            async with opened(settings):
                pass


async def test_exchanged_rows_are_rejected(settings: Settings, databases: tuple[Run, Run]) -> None:
    await fill(settings)
    items, checkpoints = databases
    (one, two) = items("SELECT key FROM store ORDER BY created_at, key")
    swapped = f"CASE store.key WHEN '{one[0]}' THEN '{two[0]}' ELSE '{one[0]}' END"
    items("CREATE TABLE moved AS SELECT * FROM store")
    items(f"UPDATE store SET value = (SELECT m.value FROM moved m WHERE m.prefix = store.prefix AND m.key = {swapped})")
    table, value = ("checkpoint_blobs", "blob") if settings.store_url else ("checkpoints", "checkpoint")
    same = "channel = 'said'" if settings.store_url else "checkpoint_ns = ''"
    moved = f"SELECT {value} FROM {table} WHERE thread_id = 'u' AND {same} LIMIT 1"
    checkpoints(f"UPDATE {table} SET {value} = ({moved}) WHERE thread_id = 't' AND {same}")
    async with open_store(settings) as store:
        with pytest.raises(StorageError, match="altered or moved"):
            await store.aget(("users", "anabella", "notes"), "k")
    async with open_checkpoints(settings) as saver:
        with pytest.raises(DamagedThreadError, match="'t'"):
            await saver.aget_tuple(config("t"))
        assert await saver.aget_tuple(config("u"))


def test_key_of_another_length_is_rejected_and_not_repeated() -> None:
    with pytest.raises(SettingsError, match=r"\(hidden\): it must be 32 random bytes.*openssl rand") as refused:
        load_settings(encryption_key="c2hvcnQ=")
    assert "c2hvcnQ" not in str(refused.value)
