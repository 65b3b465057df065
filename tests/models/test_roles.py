from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from langchain.chat_models import init_chat_model
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage

import models
from config.errors import SettingsError
from config.settings import PROVIDERS, load_settings
from models import Models, answer
from models.offline import OfflineConcierge
from models.roles import Role
from tests.models.conftest import KEY, MakeModels
from tests.openai_server import OpenAIServer, Reply

HI = [HumanMessage("hi")]


def _printed(code: str) -> str:
    root = Path(models.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    return done.stdout.strip()


async def test_each_role_uses_its_own_model(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    models = make_models(agent_model="talker", summary_model="shortener", consolidation_model="planner")
    roles: tuple[Role, ...] = ("agent", "summary", "consolidation")
    for role in roles:
        await answer(models.get(role), HI, timeout=10)
    assert [request.body["model"] for request in openai_server.requests] == ["talker", "shortener", "planner"]


async def test_key_is_sent_as_a_bearer_token(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.key = KEY
    assert (await answer(make_models().get("agent"), HI, timeout=10)).text == "Hello."


async def test_base_url_needs_no_key(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    models = make_models(openai_api_key=None)
    assert (await answer(models.get("agent"), HI, timeout=10)).text == "Hello."
    assert openai_server.requests[0].headers["authorization"] == "Bearer unused"


async def test_other_variables_do_not_redirect_requests(
    make_models: MakeModels, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("LANGSMITH_GATEWAY", "true")
    await answer(make_models().get("agent"), HI, timeout=10)
    assert len(openai_server.requests) == 1


def test_key_without_a_base_url_uses_the_official_endpoint(
    make_models: MakeModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/elsewhere")
    model = make_models(openai_base_url=None).get("agent")
    assert getattr(model, "openai_api_base", None) == "https://api.openai.com/v1"


def test_long_timeout_applies_between_chunks(make_models: MakeModels) -> None:
    model = make_models(model_timeout=400).get("agent")
    assert getattr(model, "request_timeout", None) == 400
    assert getattr(model, "stream_chunk_timeout", None) == 400


def test_model_is_built_once_for_all_threads(make_models: MakeModels) -> None:
    models = make_models()
    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(lambda _: models.get("agent"), range(32)))
    assert len({id(model) for model in built}) == 1


async def test_warm_builds_the_models_that_get_returns(make_models: MakeModels) -> None:
    models = make_models()
    await asyncio.gather(models.warm(), models.warm("agent"))
    assert models.get("agent") is models.get("agent")
    assert models.get("agent") is not models.get("summary")


def test_given_models_are_used_unchanged() -> None:
    mine, other = FakeListChatModel(responses=["x"]), FakeListChatModel(responses=["y"])
    models = Models(load_settings(_env_file=None, model_provider="offline"), {"agent": mine, "summary": other})
    assert models.get("agent") is mine
    assert models.get("summary") is other


def test_models_work_in_one_event_loop_after_another(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    models = make_models()
    for _ in range(3):
        assert asyncio.run(answer(models.get("agent"), HI, timeout=10)).text == "Hello."
    assert len(openai_server.requests) == 3


async def test_calls_run_concurrently(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    # No answer is sent before all twelve requests have arrived.
    openai_server.script(*(Reply(f"answer {number}", together=12) for number in range(12)))
    model = make_models().get("agent")
    answers = await asyncio.gather(*(answer(model, [HumanMessage(f"q{n}")], timeout=20) for n in range(12)))
    assert {message.text for message in answers} == {f"answer {number}" for number in range(12)}
    assert {request.body["messages"][0]["content"] for request in openai_server.requests} == {
        f"q{n}" for n in range(12)
    }


@pytest.mark.parametrize("key", ["sk-kéy", "sk-a b", "sk-a\nb", "sk-…1234"])
def test_key_that_cannot_be_sent_is_rejected_at_once(make_models: MakeModels, key: str) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as caught:
        make_models(openai_api_key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["localhost:8080", "ftp://host/v1", "http://", "http://host:99999/v1", "http://[::1/v1"]
)
def test_invalid_base_url_is_rejected_at_once(make_models: MakeModels, url: str) -> None:
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL"):
        make_models(openai_base_url=url)


def test_password_in_a_base_url_is_not_repeated(make_models: MakeModels) -> None:
    with pytest.raises(SettingsError) as caught:
        make_models(openai_base_url="ftp://me:hunter2@host/v1")
    assert "hunter2" not in str(caught.value)


@pytest.mark.slow
def test_client_library_is_imported_only_when_a_model_is_built() -> None:
    code = (
        "import sys, models\n"
        "from config.settings import load_settings\n"
        "models.Models(load_settings(_env_file=None, openai_base_url='http://127.0.0.1:9/v1'))\n"
        "print([name for name in ('langchain_openai', 'openai', 'models.offline.model') if name in sys.modules])"
    )
    assert _printed(code) == "[]"


def test_repr_of_a_model_hides_the_key(make_models: MakeModels) -> None:
    model = make_models().get("agent")
    assert KEY not in repr(model) + str(model)


def test_roles_left_out_use_the_model_of_the_agent_where_the_settings_name_none() -> None:
    mine, shortener = FakeListChatModel(responses=["x"]), FakeListChatModel(responses=["y"])
    none = load_settings(_env_file=None, openai_api_key=None)
    assert Models(none, {"agent": mine}).get("consolidation") is mine
    assert Models(none, {"agent": mine, "summary": shortener}).get("summary") is shortener
    offline = load_settings(_env_file=None, model_provider="offline")
    assert isinstance(Models(offline, {"agent": mine}).get("consolidation"), OfflineConcierge)
    named = load_settings(_env_file=None, openai_api_key=KEY, summary_model="shortener")
    assert getattr(Models(named, {"agent": mine}).get("summary"), "model_name", "") == "shortener"


def test_calls_of_one_user_share_a_cache_key_at_openai_only(make_models: MakeModels) -> None:
    official = make_models(openai_base_url=None)
    keys = [
        getattr(official.of_user("agent", user), "model_kwargs", {}).get("prompt_cache_key")
        for user in ("ana", "ana", "bob")
    ]
    assert keys[0] == keys[1] != keys[2]
    assert keys[0]
    assert "ana" not in keys[0]
    elsewhere = make_models()
    assert elsewhere.of_user("agent", "ana") is elsewhere.get("agent")
    mine = FakeListChatModel(responses=["x"])
    given = Models(load_settings(_env_file=None, openai_api_key=KEY), {"agent": mine})
    assert given.of_user("agent", "ana") is mine


async def test_provider_prefix_selects_its_integration(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", openai_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = load_settings(_env_file=None, openai_api_key=None, agent_model="openai:talker", model_max_retries=0)
    assert (await answer(Models(settings).get("summary"), HI, timeout=10)).text == "Hello."
    assert openai_server.requests[0].body["model"] == "talker"


def test_missing_integration_is_named(make_models: MakeModels) -> None:
    with pytest.raises(SettingsError, match=r"anthropic:claude.* needs LangChain's integration of 'anthropic'"):
        make_models(agent_model="anthropic:claude-x").get("agent")


@pytest.mark.slow
def test_ollama_gets_its_limits_by_its_own_names(tmp_path: Path) -> None:
    (tmp_path / "langchain_ollama.py").write_text("def ChatOllama(**given):\n    return given\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "from config.settings import load_settings\n"
        "from models import Models\n"
        "settings = load_settings(_env_file=None, agent_model='ollama:m:3b', max_output_tokens=300, model_timeout=9)\n"
        "print(Models(settings).get('agent'))"
    )
    assert _printed(code) == "{'model': 'm:3b', 'client_kwargs': {'timeout': 9.0}, 'num_predict': 300}"


def test_integration_that_cannot_be_built_says_why(make_models: MakeModels) -> None:
    with pytest.raises(SettingsError, match=r"'openai:gpt' can't be used as it is set up: Missing credentials"):
        make_models(agent_model="openai:gpt", openai_api_key=None).get("agent")


def test_name_without_a_provider_may_contain_a_colon(make_models: MakeModels) -> None:
    assert getattr(make_models(agent_model="llama3.2:3b").get("agent"), "model_name", "") == "llama3.2:3b"


def test_langchain_has_every_named_provider() -> None:
    with pytest.raises(ValueError, match="Supported providers") as error:
        init_chat_model("nobody:any")
    supported = str(error.value).partition("Supported providers: ")[2].splitlines()[0].split(", ")
    assert set(supported) >= PROVIDERS


@pytest.mark.parametrize(("provider", "offline"), [("auto", False), ("offline", True)])
def test_only_a_model_without_network_is_offline(provider: Literal["auto", "offline"], offline: bool) -> None:
    settings = load_settings(
        _env_file=None, model_provider=provider, agent_model="ollama:llama3.2", openai_api_key=None
    )
    assert settings.is_offline is offline


async def test_answers_have_a_length_limit_an_effort_and_a_temperature(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    model = make_models(max_output_tokens=300, reasoning_effort="low", temperature=0, agent_model="qwen3:8b").get(
        "agent"
    )
    await answer(model, HI, timeout=10)
    body = openai_server.requests[0].body
    assert (body["max_tokens"], body["reasoning_effort"], body["temperature"]) == (300, "low", 0)
    own = make_models(openai_base_url=None, max_output_tokens=300).get("agent")
    assert getattr(own, "max_tokens", None) == 300
