"""Settings: an unknown or invalid one is named, with the nearest existing name."""

from pathlib import Path

import pytest

from app.api import open_concierge
from config import Settings, load_settings
from config.errors import SettingsError


@pytest.mark.parametrize("name", ["CONCIERGE_INJECTION_TOKENZ", "concierge_injection_tokenz"])
def test_unknown_variable_is_rejected(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "3")
    with pytest.raises(
        SettingsError, match=r"no setting CONCIERGE_INJECTION_TOKENZ\. Did you mean CONCIERGE_INJECTION_TOKENS\?"
    ):
        load_settings()


def test_unknown_variable_of_the_env_file_is_rejected() -> None:
    Path(".env").write_text("CONCIERGE_LANGUGE=ja\nLANGSMITH_TRACING=true\n")
    with pytest.raises(SettingsError, match=r"no setting CONCIERGE_LANGUGE\. Did you mean CONCIERGE_LANGUAGE\?"):
        load_settings()


def test_env_file_that_is_no_text_is_named() -> None:
    Path(".env").write_bytes("CONCIERGE_DEFAULT_USER=José\n".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"\.env.* UTF-8"):
        load_settings()


def test_unknown_argument_is_rejected() -> None:
    with pytest.raises(SettingsError, match=r"no setting max_turn\. Did you mean max_turns\?"):
        load_settings(max_turn=3)


def test_api_key_has_no_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_OPENAI_API_KEY", "secret")
    with pytest.raises(SettingsError, match=r"no setting CONCIERGE_OPENAI_API_KEY\. Did you mean OPENAI_API_KEY\?"):
        load_settings()


def test_name_without_a_near_match_gets_no_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_XYZZY", "3")
    with pytest.raises(SettingsError, match=r"no setting CONCIERGE_XYZZY\.$"):
        load_settings()


def test_variables_of_other_programs_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_DEBUG", "1")
    monkeypatch.setenv("OTHER_LANGUAGE", "xx")
    Path(".env").write_text("OPENAI_API_KEY=k\nOTHER=1\nCONCIERGE_LANGUAGE=ja\n")
    assert load_settings().language == "ja"


async def test_unknown_topic_is_rejected_at_startup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_MEMORY_TOPICS", "seats, meal")
    with pytest.raises(SettingsError, match=r"CONCIERGE_MEMORY_TOPICS names 'seats'.* Did you mean seat\?"):
        async with open_concierge(load_settings(model_provider="offline")):
            pass


async def test_unknown_scope_is_rejected_at_startup() -> None:
    with pytest.raises(SettingsError, match=r"CONCIERGE_MEMORY_SCOPES names 'trips'.* Did you mean trip\?"):
        async with open_concierge(Settings(memory_scopes=("trips",), model_provider="offline")):
            pass


def test_unknown_provider_is_named() -> None:
    with pytest.raises(SettingsError, match=r"'antropic' is no provider.* Did you mean anthropic\?"):
        load_settings(agent_model="antropic:claude-sonnet-4-5")
    for role in ("agent", "summary", "consolidation"):  # the offline model would answer in its place
        with pytest.raises(SettingsError, match=rf"CONCIERGE_{role.upper()}_MODEL is 'gpt-4o': .*Set OPENAI_API_KEY"):
            load_settings(**{f"{role}_model": "gpt-4o"})
    assert load_settings(agent_model="gpt-4o", model_provider="offline").is_offline
    assert load_settings(embedding_model="bge-m3").is_offline
    assert load_settings(agent_model="llama3.2:3b", openai_base_url="http://localhost:11434/v1").uses_openai


def test_data_directory_may_start_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_DATA_DIR", "~/concierge")
    assert load_settings().data_dir == Path.home() / "concierge"


@pytest.mark.parametrize(
    "hosts",
    [
        "https://concierge.example.com/",
        "concierge.example.com/app",
        "*.example.com",
        "a.example.com b.example.com",
        "me@x",
    ],
)
def test_invalid_host_is_rejected(hosts: str) -> None:
    with pytest.raises(SettingsError, match=r"CONCIERGE_ALLOWED_HOSTS.*such as concierge\.example\.com"):
        load_settings(allowed_hosts=hosts)


def test_hosts_are_names_and_addresses_with_or_without_port() -> None:
    hosts = "concierge.example.com, CONCIERGE.example.com:8443, app, 10.0.0.7, ::1, [fe80::1]:8000"
    assert load_settings(allowed_hosts=hosts).allowed_hosts == tuple(hosts.split(", "))


def test_unused_endpoint_may_be_malformed() -> None:
    unused = load_settings(model_provider="offline", OPENAI_BASE_URL="localhost:8080")
    assert unused.is_offline
    for used in ({"model_provider": "auto"}, {"model_provider": "offline", "embedder": "openai"}):
        with pytest.raises(SettingsError, match="OPENAI_BASE_URL is 'localhost:8080'"):
            load_settings(**used, OPENAI_BASE_URL="localhost:8080")


def test_unused_endpoint_of_the_environment_may_be_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost:8080")
    monkeypatch.setenv("CONCIERGE_MODEL_PROVIDER", "offline")
    assert load_settings().is_offline
