"""Any sequence of operations, with reopening in between, leaves `ChromaStore` equal to a plain dictionary."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from langgraph.store.base import GetOp, IndexConfig, Item, PutOp

from stores.chroma import ChromaStore
from tests.stores.letters import DIMS, cosine, letters

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}
Name = tuple[tuple[str, ...], str]

text = st.text(st.characters(codec="utf-8"), max_size=12)
labels = st.sampled_from(["u1", "u10", "U1", "%", "*", "é", "a b"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["k", "K", "", "a.b", "\x00"]) | text
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
values = st.fixed_dictionaries(
    {"text": st.text("abcdefg ", max_size=8)}, optional={"n": st.integers(0, 3), "more": json}
)
puts = st.builds(PutOp, namespaces, keys, st.none() | values, st.sampled_from([None, False]), st.none())


class Store(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.model: dict[Name, dict[str, Any]] = {}
        self.searchable: dict[Name, bool] = {}
        self.opened = ExitStack()
        self.open()

    def open(self) -> None:
        self.store = self.opened.enter_context(ChromaStore.from_path(self.folder, index=INDEX))

    @rule(ops=st.lists(puts, min_size=1, max_size=4))
    def put(self, ops: list[PutOp]) -> None:
        asked = [GetOp(op.namespace, op.key) for op in ops]
        results = self.store.batch([*asked, *ops])
        for op, result in zip(ops, results, strict=False):
            assert (result.value if isinstance(result, Item) else None) == self.model.get((op.namespace, op.key))
        for op in ops:
            self.model.pop((op.namespace, op.key), None)
            if op.value is not None:
                self.model[op.namespace, op.key] = dict(op.value)
                self.searchable[op.namespace, op.key] = op.index is None and bool(str(op.value["text"]).strip())

    @rule(prefix=namespaces | st.just(()), n=st.none() | st.integers(0, 3))
    def search(self, prefix: tuple[str, ...], n: int | None) -> None:
        wanted = None if n is None else {"n": n}
        items = {
            (item.namespace, item.key): item.value for item in self.store.search(prefix, filter=wanted, limit=10**6)
        }
        assert items == self.under(prefix, n)

    @rule(prefix=namespaces | st.just(()), n=st.none() | st.integers(0, 3), query=st.text("abcdefg", min_size=1))
    def search_by_meaning(self, prefix: tuple[str, ...], n: int | None, query: str) -> None:
        wanted = None if n is None else {"n": n}
        hits = self.store.search(prefix, query=query, filter=wanted, limit=10**6)
        assert {(item.namespace, item.key): item.value for item in hits} == self.under(prefix, n)
        assert len({(item.namespace, item.key) for item in hits}) == len(hits)
        scores = [item.score for item in hits if item.score is not None]
        assert scores == sorted(scores, reverse=True)
        for item in hits:
            assert (item.score is not None) == self.searchable[item.namespace, item.key]
            if item.score is not None:
                assert abs(item.score - cosine(query, item.value["text"])) < 1e-4

    @rule()
    def reopen(self) -> None:
        self.opened.close()
        self.open()

    @invariant()
    def namespaces_are_those_in_use(self) -> None:
        if hasattr(self, "store"):
            expected = sorted({namespace for namespace, _ in self.model})
            assert self.store.list_namespaces(limit=1000) == expected

    def under(self, prefix: tuple[str, ...], n: int | None) -> dict[Name, dict[str, Any]]:
        return {
            name: value
            for name, value in self.model.items()
            if name[0][: len(prefix)] == prefix and (n is None or value.get("n") == n)
        }

    def teardown(self) -> None:
        if hasattr(self, "opened"):
            self.opened.close()
            self.stack.close()


TestStore = Store.TestCase
TestStore.settings = settings(max_examples=10, stateful_step_count=15, suppress_health_check=list(HealthCheck))
