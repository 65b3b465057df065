"""The bundled embedder, loaded once."""

from __future__ import annotations

import pytest

from memory.recall.corpus import Embed
from memory.recall.index import RecallIndex
from stores.embeddings import LocalEmbedder
from tests.memory.recall.conversation import conversation


@pytest.fixture(scope="session")
def embed() -> Embed:
    return LocalEmbedder().embed


@pytest.fixture(scope="module")
def talk(embed: Embed) -> RecallIndex:
    return RecallIndex(conversation(), embed=embed)
