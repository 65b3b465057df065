"""Embedders, which turn text into vectors. A model is loaded when the first text is embedded."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from inspect import getattr_static
from typing import Any, Protocol, TypeGuard

from langchain_core.embeddings import Embeddings
from langgraph.store.base import ensure_embeddings
from pydantic import SecretStr

from config.errors import InvalidInputError, SettingsError
from config.redact import redact
from config.settings import Settings
from text import encoder


class Embedder(Protocol):
    """Turns texts into vectors.

    Vectors are comparable only if `name`, `dims` and `version` are equal; an index never mixes two embedders.
    """

    @property
    def name(self) -> str:
        """Name of the embedder."""

    @property
    def dims(self) -> int:
        """Length of its vectors."""

    @property
    def version(self) -> str:
        """Changes whenever the same text would give a different vector."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of `dims` numbers per text, in order. May be slow, and may raise any exception."""


def is_embedder(candidate: object) -> TypeGuard[Embedder]:
    """Return True if `candidate` has the attributes of an `Embedder`; reads none, as `dims` may call an endpoint."""
    return all(getattr_static(candidate, part, None) is not None for part in ("name", "dims", "version", "embed"))


class LocalEmbedder:
    """Embeddings from the packaged weights of `text.encoder`: 512 dimensions, 16 languages, no network."""

    name = encoder.NAME
    dims = encoder.DIMS

    @property
    def version(self) -> str:
        """Version of the package that contains the weights."""
        return encoder.encoder_version()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector per text."""
        vectors: list[list[float]] = encoder.encode(texts).tolist() if texts else []
        return vectors


class LangChainEmbedder:
    """Embeddings from anything LangChain accepts: an `Embeddings`, a function of texts (sync or async), or a name.

    If `dims` is 0, the length of a vector is taken from the first answer.
    """

    def __init__(self, source: Any, dims: int = 0) -> None:
        self._source = source
        self._dims = dims
        self.name, self.version = (source, "") if isinstance(source, str) else _identity(source)

    @property
    def dims(self) -> int:
        """Length of a vector."""
        if not self._dims:
            self.embed(["length"])
        return self._dims

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text."""
        inputs = [text or " " for text in texts]
        vectors: list[list[float]]
        if getattr(self._client, "afunc", None) is not None:
            # An async function needs an event loop, and this thread may already run one.
            with ThreadPoolExecutor(max_workers=1) as pool:
                vectors = pool.submit(lambda: asyncio.run(self._client.aembed_documents(inputs))).result()
        else:
            vectors = self._client.embed_documents(inputs)
        if vectors and not self._dims:
            self._dims = len(vectors[0])
        return vectors

    @cached_property
    def _client(self) -> Any:
        return ensure_embeddings(self._source)


class OpenAIEmbedder(LangChainEmbedder):
    """Embeddings from an OpenAI-compatible endpoint, with the timeout and retries of the settings.

    Raises:
        SettingsError: if neither a key nor a base URL is set.
    """

    def __init__(self, settings: Settings) -> None:
        if not (settings.openai_api_key or settings.openai_base_url):
            raise SettingsError(
                "CONCIERGE_EMBEDDER is 'openai', but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; "
                "set one of them, or use 'local' or 'none'."
            )
        self._settings = settings
        self.name = f"openai:{settings.embedding_model}"
        self.version = redact(settings.openai_base_url or "")  # the index stores it
        self._dims = 0 if settings.openai_base_url else _OPENAI_DIMS.get(settings.embedding_model, 0)

    @cached_property
    def _client(self) -> Any:
        from langchain_openai import OpenAIEmbeddings

        settings = self._settings
        return OpenAIEmbeddings(
            model=settings.embedding_model,
            openai_api_key=settings.openai_api_key or SecretStr("none"),
            openai_api_base=settings.openai_base_url,
            request_timeout=settings.model_timeout,
            max_retries=settings.model_max_retries,
            # Counting tokens would download a vocabulary, and these texts are short.
            check_embedding_ctx_length=False,
        )


_OPENAI_DIMS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


def _identity(embeddings: object) -> tuple[str, str]:
    """Return the qualified name of a class or function that makes vectors, and its model's name as the version."""
    named: Any = embeddings if hasattr(embeddings, "__qualname__") else type(embeddings)
    model = getattr(embeddings, "model", "") or getattr(embeddings, "model_name", "")
    return f"{named.__module__}.{named.__qualname__}", str(model)


def open_embedder(settings: Settings, given: Embeddings | Embedder | None = None) -> Embedder | None:
    """Return the `given` embedder, or the one of the settings; None if the settings turn semantic search off.

    Raises:
        SettingsError: if the endpoint of `openai` is not configured.
        InvalidInputError: if `given` is not an embedder.
    """
    if given is not None:
        if is_embedder(given):
            return given
        if not isinstance(given, Embeddings):
            raise InvalidInputError(f"embedder= takes an Embeddings object of LangChain's, not {given!r}.")
        return LangChainEmbedder(given)
    if settings.embedder == "local":
        return LocalEmbedder()
    if settings.embedder == "openai":
        return OpenAIEmbedder(settings)
    return None
