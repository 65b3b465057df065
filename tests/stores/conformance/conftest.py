"""The contract of `BaseStore`, tested on our store and on LangGraph's own, which shows whose difference it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from langgraph.store.base import BaseStore, IndexConfig, TTLConfig
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

from stores.chroma import ChromaStore
from stores.encryption import Cipher
from stores.shared import SharedStore
from stores.vectors.backends import EmbeddedVectors
from tests.stores.letters import DIMS, letters

T = TypeVar("T")
NAMES = ("chroma", "encrypted", "postgres", "memory", "sqlite")
SLOW = {"postgres": pytest.mark.slow}
CAN_LOAD_EXTENSIONS = hasattr(sqlite3.Connection, "enable_load_extension")


@dataclass
class Subject:
    """One kind of store under test."""

    name: str
    folder: Path
    request: pytest.FixtureRequest
    stack: ExitStack

    def open(self, *, fields: list[str] | None = None, ttl: TTLConfig | None = None) -> BaseStore:
        """Open an empty store; with `fields` it searches by meaning."""
        index: IndexConfig | None = None
        if fields is not None:
            index = {"dims": DIMS, "embed": letters, "fields": fields}
        if self.name == "memory":
            return InMemoryStore(index=index)
        if self.name == "sqlite":
            return self._sqlite(index, ttl)
        if self.name == "postgres":
            url, vectors = self.request.getfixturevalue("postgres_url"), EmbeddedVectors(self.folder)
            return self._enter(closing(SharedStore(url, vectors, vectors_are_shared=False, index=index, ttl=ttl)))
        cipher = Cipher(bytes(32)) if self.name == "encrypted" else None
        return self._enter(ChromaStore.from_path(self.folder, index=index, ttl=ttl, cipher=cipher))

    def _sqlite(self, index: IndexConfig | None, ttl: TTLConfig | None) -> BaseStore:
        if index is None:
            store = self._enter(SqliteStore.from_conn_string(":memory:", ttl=ttl))
        elif CAN_LOAD_EXTENSIONS:
            named: Any = {"dims": DIMS, "embed": letters, "text_fields": index["fields"]}  # another name for fields
            store = self._enter(SqliteStore.from_conn_string(":memory:", index=named, ttl=ttl))
        else:
            pytest.skip("this Python's sqlite3 loads no extensions")
        store.setup()
        return store

    def _enter(self, context: AbstractContextManager[T]) -> T:
        return self.stack.enter_context(context)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on every store, except those of LangGraph that are marked to `differ` from the contract."""
    if "subject" in metafunc.fixturenames:
        marks = metafunc.definition.iter_markers("differ")
        differ = {name for mark in marks for name in mark.args}
        names = [pytest.param(name, marks=SLOW.get(name, ())) for name in NAMES if name not in differ]
        metafunc.parametrize("subject", names, indirect=True)


@pytest.fixture
def subject(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Subject]:
    with ExitStack() as stack:
        yield Subject(request.param, tmp_path / "store", request, stack)


@pytest.fixture
def store(subject: Subject) -> BaseStore:
    return subject.open()


@pytest.fixture
def indexed(subject: Subject) -> BaseStore:
    return subject.open(fields=["text"])
