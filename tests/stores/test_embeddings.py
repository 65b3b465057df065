from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, cast

import pytest

from config.errors import SettingsError, StorageError
from config.settings import load_settings
from stores.chroma import ChromaStore
from stores.embeddings import Embedder, LocalEmbedder, is_embedder, open_embedder
from tests.openai_server import EMBEDDINGS, OpenAIServer, Reply


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


ROOT = Path(__file__).parents[2]


def test_bundled_embedder_needs_no_network_and_reflects_meaning() -> None:
    embedder = LocalEmbedder()
    bird, parrot, seat = embedder.embed(["a bird", "the parrot", "a window seat"])
    assert len(bird) == embedder.dims == 512
    assert cosine(bird, parrot) > cosine(bird, seat)
    assert embedder.embed([]) == []


@pytest.mark.parametrize("text", ["", " ", "\x00", "🧳", "東京のホテル", "x" * 100_000, "\u202e"])
def test_any_text_has_finite_numbers(text: str) -> None:
    (vector,) = LocalEmbedder().embed([text])
    assert len(vector) == 512
    assert all(math.isfinite(number) for number in vector)


@pytest.mark.slow
def test_vector_is_the_same_in_another_process() -> None:
    script = "from stores.embeddings import LocalEmbedder; print(LocalEmbedder().embed(['a quiet room'])[0][:3])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(LocalEmbedder().embed(["a quiet room"])[0][:3])


@pytest.mark.parametrize(("setting", "name"), [("local", "universal-sentence-encoder"), ("openai", "openai")])
@pytest.mark.slow
def test_settings_select_the_embedder(setting: str, name: str) -> None:
    embedder = open_embedder(load_settings(embedder=setting, OPENAI_API_KEY="k"))
    assert is_embedder(embedder)
    assert embedder.name.startswith(name)
    assert embedder.version or setting == "openai"


def test_embedder_that_is_no_longer_bundled_is_an_error_with_the_new_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CONCIERGE_EMBEDDER", "wordllama")
    with pytest.raises(SettingsError, match=r"CONCIERGE_EMBEDDER is 'wordllama'.*'local'"):
        load_settings()


class Earlier:
    """An earlier embedder, with shorter vectors that do not reflect meaning."""

    name, dims, version = "wordllama", 256, "0.4.0"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0] * self.dims for _ in texts]


def test_index_of_another_embedder_is_rebuilt(tmp_path: Path) -> None:
    def opened(embedder: Embedder) -> AbstractContextManager[ChromaStore]:
        return ChromaStore.from_path(tmp_path, index={"embed": cast(Any, embedder), "fields": ["text"]})

    with opened(Earlier()) as store:
        store.put(("a",), "bar", {"text": "a loud bar"})
        store.put(("a",), "room", {"text": "a quiet room"})
        assert [item.score for item in store.search(("a",), query="silence")] == [pytest.approx(1.0)] * 2
    with opened(LocalEmbedder()) as store:
        hits = store.search(("a",), query="静かな部屋")
    assert [item.key for item in hits] == ["room", "bar"]
    assert (hits[0].score or 0) > (hits[1].score or 0) + 0.2


def test_vector_of_a_long_text_reflects_its_beginning() -> None:
    embedder = LocalEmbedder()
    whole = "We saw a parrot in the garden. " * 100
    assert embedder.embed([whole]) == embedder.embed([whole + "Dinner cost 40 euros. " * 100_000])


def test_none_means_keywords_only() -> None:
    assert open_embedder(load_settings(embedder="none")) is None


def test_openai_embedder_requires_an_endpoint() -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        open_embedder(load_settings(embedder="openai"))


@pytest.mark.slow
def test_openai_embeddings_come_from_the_endpoint(server: OpenAIServer, tmp_path: Path) -> None:
    server.key = "secret"
    settings = load_settings(embedder="openai", OPENAI_API_KEY="secret", OPENAI_BASE_URL=server.url)
    embedder = open_embedder(settings)
    assert embedder is not None
    with ChromaStore.from_path(tmp_path, index={"embed": cast(Any, embedder), "fields": ["text"]}) as store:
        store.put(("a",), "same", {"text": "a quiet room"})
        store.put(("a",), "other", {"text": "a loud bar"})
        assert server.requests == []
        hits = store.search(("a",), query="a quiet room")
    assert (hits[0].key, round(hits[0].score or 0, 3)) == ("same", 1.0)
    assert {request.path for request in server.requests} == {EMBEDDINGS}
    assert server.requests[0].body["model"] == "text-embedding-3-small"
    assert [request.body["input"] for request in server.requests] == [
        ["a quiet room"],
        ["a quiet room", "a loud bar"],
    ]


@pytest.mark.slow
def test_failing_endpoint_is_named_and_loses_nothing(server: OpenAIServer, tmp_path: Path) -> None:
    settings = load_settings(embedder="openai", OPENAI_API_KEY="k", OPENAI_BASE_URL=server.url, model_max_retries=0)
    embedder = open_embedder(settings)
    assert embedder is not None
    server.script(Reply(status=500), path=EMBEDDINGS)
    with ChromaStore.from_path(tmp_path, index={"embed": cast(Any, embedder), "fields": ["text"]}) as store:
        store.put(("a",), "k", {"text": "a quiet room"})
        with pytest.raises(StorageError, match="text-embedding-3-small"):
            store.search(("a",), query="a quiet room")
        assert [item.key for item in store.search(("a",), query="a quiet room")] == ["k"]


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))
