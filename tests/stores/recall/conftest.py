"""The bundled embedder, loaded once."""

from __future__ import annotations

import pytest

from stores.embeddings import WordLlamaEmbedder
from stores.recall import RecallIndex
from stores.recall.meaning import Embed
from tests.stores.recall.conversation import conversation


@pytest.fixture(scope="session")
def embed() -> Embed:
    return WordLlamaEmbedder().embed


@pytest.fixture(scope="module")
def talk(embed: Embed) -> RecallIndex:
    return RecallIndex.build(conversation(), embed=embed)
