"""Which chat model plays which role: the one place that knows how models are made."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Mapping
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel

from config.errors import InvalidInputError, SettingsError
from config.settings import Settings

Role = Literal["agent", "summary", "consolidation"]

_ROLES: tuple[Role, ...] = get_args(Role)
_DEFAULT_URL = "https://api.openai.com/v1"
_APP = "travel-concierge"
_NO_KEY = "unused"
"""Sent where only a base URL is set: the client insists on a key, a local server does not look at it."""


class Models:
    """The chat models of one concierge, each built at its first use and kept.

    Args:
        settings: Which provider, names, timeout and retries.
        overrides: Models that are used as they are, by role.

    Raises:
        InvalidInputError: an override is no chat model, or for no role.
    """

    def __init__(self, settings: Settings, overrides: Mapping[Role, BaseChatModel] | None = None) -> None:
        for role, given in (overrides or {}).items():
            if role not in _ROLES or not isinstance(given, BaseChatModel):
                raise InvalidInputError(
                    f"models= takes chat models of LangChain's for {', '.join(_ROLES)}, not {role}={given!r}. The "
                    "settings take names: load_settings(agent_model='provider:name')."
                )
        self._settings = settings
        self._given = frozenset(overrides or {})
        self._ready: dict[Role, BaseChatModel] = dict(overrides or {})
        self._lock = threading.Lock()

    def get(self, role: Role) -> BaseChatModel:
        """The model of a role. The first call may take seconds (imports): call `warm` first on an event loop.

        Safe from several threads; every call returns the same object.
        """
        if role in self._ready:
            return self._ready[role]
        with self._lock:
            if role not in self._ready:
                self._ready[role] = _build(self._settings, role)
            return self._ready[role]

    def of_user(self, role: Role, user_id: str) -> BaseChatModel:
        """The model of a role, for the calls of one user.

        OpenAI routes calls with one cache key to one machine, which has the prefix that they share in its cache.
        """
        model = self.get(role)
        if role in self._given or self._settings.integration_of(role) or not _is_openai(self._settings):
            return model
        key = hashlib.sha256(f"{_APP}\x1f{user_id}".encode()).hexdigest()[:32]
        return model.model_copy(update={"model_kwargs": {"prompt_cache_key": key}})

    async def warm(self, *roles: Role) -> None:
        """Build the models of these roles (none named: all) without holding up the event loop."""
        for role in roles or _ROLES:
            if role not in self._ready:
                await asyncio.to_thread(self.get, role)


def _build(settings: Settings, role: Role) -> BaseChatModel:
    name = settings.model_of(role)
    if provider := settings.integration_of(role):
        return _integration(settings, name, provider)
    if settings.uses_openai:
        return _openai(settings, name)
    from models.offline import OfflineConcierge

    return OfflineConcierge()


def _integration(settings: Settings, name: str, provider: str) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    given: dict[str, Any] = {"timeout": settings.model_timeout, "max_retries": settings.model_max_retries}
    if settings.max_output_tokens:
        given["max_tokens"] = settings.max_output_tokens
    if provider == "ollama":  # it knows these by other names, and drops what it doesn't know
        given = {"client_kwargs": {"timeout": settings.model_timeout}, "num_predict": settings.max_output_tokens}
    if settings.temperature is not None:
        given["temperature"] = settings.temperature
    try:
        model: BaseChatModel = init_chat_model(name, **given)
    except ImportError as error:
        raise SettingsError(
            f"the model {name!r} needs LangChain's integration of {provider!r}, which is not installed: {error}"
        ) from error
    except Exception as error:  # each integration has errors of its own
        raise SettingsError(f"the model {name!r} can't be used as it is set up: {error}") from error
    return model


def _is_openai(settings: Settings) -> bool:
    """True for OpenAI's own endpoint; others may refuse what they don't know."""
    url = settings.openai_base_url or _DEFAULT_URL
    return settings.uses_openai and urlsplit(url).hostname == urlsplit(_DEFAULT_URL).hostname


def _openai(settings: Settings, name: str) -> BaseChatModel:
    # Everything is said explicitly, so that no variable of the environment but our own changes where messages go.
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    limit = settings.max_output_tokens
    own = _is_openai(settings)
    return ChatOpenAI(
        model=name,
        api_key=settings.openai_api_key or SecretStr(_NO_KEY),
        base_url=settings.openai_base_url or _DEFAULT_URL,
        timeout=settings.model_timeout,
        # A slow local model may think longer before its first token than the client's own limit between chunks.
        stream_chunk_timeout=settings.model_timeout,
        max_retries=settings.model_max_retries,
        reasoning_effort=settings.reasoning_effort,
        temperature=settings.temperature,
        max_tokens=limit if own else None,
        # Other servers know the limit by its older name only.
        extra_body={"max_tokens": limit} if limit and not own else None,
        stream_usage=True,
        use_responses_api=False,
        # A connection kept open belongs to one event loop and fails in the next `asyncio.run`; opening one is cheap
        # beside what a model takes.
        default_headers={"Connection": "close"},
    )
