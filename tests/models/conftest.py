"""Settings for the tests of the models, which point at the local server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.settings import load_settings
from models import Models
from tests.openai_server import OpenAIServer, openai_server

__all__ = ["openai_server"]

KEY = "sk-test-0123456789abcdefghij"

MakeModels = Callable[..., Models]


@pytest.fixture
def make_models(openai_server: OpenAIServer) -> MakeModels:
    """Return a function that creates models for the local server; keyword arguments are settings."""

    def make(**settings: object) -> Models:
        given = {"openai_base_url": openai_server.url, "openai_api_key": KEY, "model_max_retries": 0, **settings}
        return Models(load_settings(_env_file=None, **given))

    return make
