"""One store that is opened twice, as by two processes, and unusable databases."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from langgraph.store.base import IndexConfig, PutOp
from langgraph.store.postgres import PostgresStore

from config.errors import InvalidInputError, SettingsError, StorageError
from config.settings import load_settings
from stores.lifespan import open_checkpoints, open_store
from stores.shared import SharedStore
from stores.vectors.backends import ServerVectors
from tests.postgres import ABSENT, Server, programs, running_server
from tests.stores.letters import DIMS, letters

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}
ROOT = Path(__file__).parents[3]
Opener = Callable[[], SharedStore]


@pytest.fixture
def opened(postgres_url: str, chroma_server: str) -> Iterator[Opener]:
    """Return a function that opens the same store again."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(SharedStore(postgres_url, ServerVectors(chroma_server), index=INDEX)))


def keys(store: SharedStore, query: str) -> list[str]:
    return [item.key for item in store.search((), query=query, limit=3) if item.score is not None]


def test_changes_and_deletions_by_one_are_seen_by_the_other(opened: Opener) -> None:
    one, other = opened(), opened()
    one.put(("a",), "bird", {"text": "parrot"})
    one.put(("a",), "seat", {"text": "window"})
    assert keys(other, "parrot")[0] == "bird"
    other.put(("a",), "bird", {"text": "zzz"})
    assert keys(one, "zzz")[0] == "bird"
    other.delete(("a",), "seat")
    assert keys(one, "window") == ["bird"]
    for store in (one, other):
        store.flush()
    assert keys(opened(), "zzz") == ["bird"]


def test_rebuilt_index_is_used_by_those_who_had_the_old_one_open(opened: Opener) -> None:
    one, other = opened(), opened()
    one.put(("a",), "bird", {"text": "parrot"})
    assert keys(one, "parrot") == keys(other, "parrot") == ["bird"]
    one.reindex()
    one.put(("a",), "seat", {"text": "window"})
    assert keys(one, "window")[0] == "seat"
    assert keys(other, "window")[0] == "seat"
    other.put(("a",), "meal", {"text": "meal"})
    other.flush()
    assert keys(one, "meal")[0] == "meal"


def test_searches_continue_during_deletes_and_writes_by_another(opened: Opener) -> None:
    one, other = opened(), opened()
    stop = threading.Event()
    faults: list[Exception] = []

    def churn() -> None:
        try:
            for round_ in range(40):
                for key in "abcdef":
                    kept = (round_ + ord(key)) % 3
                    other.put(("n",), key, {"text": key * 3 + str(round_)}) if kept else other.delete(("n",), key)
                other.flush() if round_ % 10 == 9 else None
        except Exception as error:
            faults.append(error)
        finally:
            stop.set()

    writer = threading.Thread(target=churn)
    writer.start()
    while not stop.is_set():
        for item in one.search(("n",), query="aaa"):
            assert item.value["text"].startswith(item.key * 3)
    writer.join()
    assert faults == []
    present = {item.key for item in one.search(("n",))}
    assert present == {item.key for item in one.search(("n",), query="aaa") if item.score is not None}


def test_overlapping_batches_in_opposite_order_are_written_completely(postgres_url: str) -> None:
    names = [f"k{place}" for place in range(8)]
    with closing(SharedStore(postgres_url)) as one, closing(SharedStore(postgres_url)) as other:
        faults: list[Exception] = []

        def write(store: SharedStore, order: list[str], who: str) -> None:
            try:
                for round_ in range(30):
                    store.batch([PutOp(("n",), key, {"by": f"{who}{round_}"}) for key in order])
                    if round_ % 5 == 4:
                        store.batch([PutOp(("n",), key, None) for key in order])
            except Exception as error:
                faults.append(error)

        threads = [
            threading.Thread(target=write, args=(one, names, "one")),
            threading.Thread(target=write, args=(other, names[::-1], "other")),
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            assert len({item.value["by"] for item in one.search(("n",))}) <= 1
        assert faults == []


def test_database_of_langgraphs_own_store_is_accepted(postgres_url: str, chroma_server: str) -> None:
    with PostgresStore.from_conn_string(postgres_url) as theirs:
        theirs.setup()
        theirs.put(("a", "b"), "k", {"text": "parrot"})
    with closing(SharedStore(postgres_url, ServerVectors(chroma_server), index=INDEX)) as ours:
        assert keys(ours, "parrot") == ["k"]
        ours.put(("a", "c"), "l", {"text": "window"}, ttl=0.5)
        with pytest.raises(StorageError):
            ours.put(("a", "c"), "m", {"text": "nul \x00"})
    with PostgresStore.from_conn_string(postgres_url) as theirs:
        item = theirs.get(("a", "c"), "l")
        assert item is not None
        assert item.value == {"text": "window"}


def test_overlong_key_is_rejected_with_its_batch(postgres_url: str) -> None:
    long = "".join(chr(0x4E00 + place) for place in range(4000))
    with closing(SharedStore(postgres_url)) as store:
        with pytest.raises(InvalidInputError, match="long"):
            store.batch([PutOp(("a",), "k", {}), PutOp(("a",), long, {})])
        assert store.get(("a",), "k") is None


@pytest.mark.slow
def test_store_survives_a_restart_of_the_server() -> None:
    folder = programs()
    if folder is None:
        pytest.skip(ABSENT)
    with running_server(folder) as server, closing(SharedStore(server.url)) as store:
        store.put(("a",), "k", {"n": 1})
        server.stop()
        with pytest.raises(StorageError, match="Check that the server runs"):
            SharedStore(server.url)
        server.start()
        item = store.get(("a",), "k")
        assert item is not None
        assert item.value == {"n": 1}


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://ana:s3cret@127.0.0.1:1/db", "127.0.0.1:1/db"),
        ("postgresql://ana:s3cret@127.0.0.1:port/db", "cannot be read"),
        ("postgresql://ana:s3/cret@127.0.0.1/db", "cannot be read"),
        ("postgresql://ana:12/s3cret@127.0.0.1/db", "cannot be read"),
        ("postgresql://ana:s3/cret@127.0.0.1/db?what=s3cret", "cannot be read"),
    ],
)
async def test_unreachable_database_is_named_without_its_password(tmp_path: Path, url: str, words: str) -> None:
    settings = load_settings(data_dir=tmp_path, store_url=url, embedder="none")
    for opening in (open_store, open_checkpoints):
        with pytest.raises((StorageError, SettingsError), match=words) as fault:
            async with opening(settings):
                pass
        assert "CONCIERGE_STORE_URL" in str(fault.value)
        assert "s3" not in str(fault.value)


async def test_missing_database_is_named(postgres: Server, tmp_path: Path) -> None:
    settings = load_settings(data_dir=tmp_path, store_url=postgres.url.replace("/postgres?", "/absent?"))
    with pytest.raises(StorageError, match=r"absent.*Check that the server runs, and the user, the password"):
        async with open_checkpoints(settings):
            pass


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("store_url", "mysql://ana:s3cret@host/db"),
        ("store_url", "s3cret"),
        ("chroma_url", "localhost:8000"),
        ("chroma_url", "ftp://host"),
        ("chroma_url", "http://"),
    ],
)
def test_invalid_url_is_rejected_at_startup(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"CONCIERGE_{name.upper()}") as fault:
        load_settings(**{name: value})
    assert "s3cret" not in str(fault.value)


@pytest.mark.slow
def test_missing_package_is_named(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "sys.modules['psycopg_pool'] = None\n"
        "from config.settings import load_settings\n"
        "from stores.lifespan import open_store\n"
        "async def main():\n"
        "    async with open_store(load_settings(store_url='postgresql://h/d', embedder='none')): pass\n"
        "asyncio.run(main())\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "SettingsError" in ran.stderr
    assert "travel-concierge[postgres]" in ran.stderr


def test_tables_are_created_once_by_concurrent_processes(postgres: Server) -> None:
    url = postgres.url_of("together")
    ids: list[str] = []

    def begin() -> None:
        with closing(SharedStore(url)) as store:
            store.put(("a",), threading.current_thread().name, {})
        ids.append("done")

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 6
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM vector_store").fetchall() == [(1,)]
        assert connection.execute("SELECT count(*) FROM store").fetchall() == [(6,)]
