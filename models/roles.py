"""Builds the chat model of each role from the settings."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Mapping
from functools import lru_cache
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
"""Used if only a base URL is set: the client requires a key, which a local server ignores."""
_MOST_KEYS = 256
"""Number of users whose copies of the models are kept."""


class Models:
    """The chat models of one concierge, by role; each is built on first use.

    Args:
        settings: The provider, model names, timeout and retries.
        overrides: Models by role that replace those of the settings. If the settings name no model, roles that are left
            out use that of the agent.

    Raises:
        InvalidInputError: an override is not a chat model, or its role is unknown.
    """

    def __init__(self, settings: Settings, overrides: Mapping[Role, BaseChatModel] | None = None) -> None:
        for role, model in (overrides or {}).items():
            if role not in _ROLES or not isinstance(model, BaseChatModel):
                raise InvalidInputError(
                    f"models= takes chat models of LangChain's for {', '.join(_ROLES)}, not {role}={model!r}. The "
                    "settings take names: load_settings(agent_model='provider:name')."
                )
        self._settings = settings
        self._ready: dict[Role, BaseChatModel] = dict(overrides or {})
        if "agent" in self._ready and settings.model_provider == "auto" and not settings.uses_openai:
            for role in _ROLES:
                if not settings.integration_of(role):
                    self._ready.setdefault(role, self._ready["agent"])
        self._overridden = frozenset(self._ready)
        self._lock = threading.Lock()
        self._with_key = lru_cache(maxsize=_MOST_KEYS)(self._with_cache_key)

    def get(self, role: Role) -> BaseChatModel:
        """Return the model of a role. The first call may take seconds (imports), so call `warm` first in async code.

        Thread-safe; every call returns the same object.
        """
        if role in self._ready:
            return self._ready[role]
        with self._lock:
            if role not in self._ready:
                self._ready[role] = _build(self._settings, role)
            return self._ready[role]

    def of_user(self, role: Role, user_id: str) -> BaseChatModel:
        """Return the model of a role for the calls of one user.

        OpenAI routes calls with the same cache key to the same machine, which has their common prefix in its cache.
        """
        model = self.get(role)
        if role in self._overridden or self._settings.integration_of(role) or not _is_openai(self._settings):
            return model
        return self._with_key(role, user_id)

    def _with_cache_key(self, role: Role, user_id: str) -> BaseChatModel:
        key = hashlib.sha256(f"{_APP}\x1f{user_id}".encode()).hexdigest()[:32]
        return self.get(role).model_copy(update={"model_kwargs": {"prompt_cache_key": key}})

    async def warm(self, *roles: Role) -> None:
        """Build the models of these roles (by default, of all) without blocking the event loop."""
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

    options: dict[str, Any] = {"timeout": settings.model_timeout, "max_retries": settings.model_max_retries}
    if settings.max_output_tokens:
        options["max_tokens"] = settings.max_output_tokens
    if provider == "ollama":  # it has other names for these, and ignores unknown ones
        options = {"client_kwargs": {"timeout": settings.model_timeout}, "num_predict": settings.max_output_tokens}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    try:
        model: BaseChatModel = init_chat_model(name, **options)
    except ImportError as error:
        raise SettingsError(
            f"the model {name!r} needs LangChain's integration of {provider!r}, which is not installed: {error}"
        ) from error
    except Exception as error:  # each integration raises its own errors
        raise SettingsError(f"the model {name!r} can't be used as it is set up: {error}") from error
    return model


def _is_openai(settings: Settings) -> bool:
    """Return whether the endpoint is OpenAI's own; others may reject parameters that they don't know."""
    url = settings.openai_base_url or _DEFAULT_URL
    return settings.uses_openai and urlsplit(url).hostname == urlsplit(_DEFAULT_URL).hostname


def _openai(settings: Settings, name: str) -> BaseChatModel:
    # Everything is set explicitly, so that only our own environment variables decide where messages are sent.
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    limit, is_openai = settings.max_output_tokens, _is_openai(settings)
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
        max_tokens=limit if is_openai else None,
        # Other servers only know the limit by its older name.
        extra_body={"max_tokens": limit} if limit and not is_openai else None,
        stream_usage=True,
        use_responses_api=False,
        # A connection that is kept open belongs to one event loop, and fails in the next `asyncio.run`. Opening one is
        # cheap compared with a model call.
        default_headers={"Connection": "close"},
    )
