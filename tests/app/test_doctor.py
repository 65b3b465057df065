"""`concierge doctor` on incomplete installations: it names the part and says what to do."""

from __future__ import annotations

import base64
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from langchain_core.language_models import FakeListChatModel

from tests.app.commandline import CommandLine

KEY, OTHER = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))


def failed(concierge: CommandLine, **env: str) -> dict[str, str]:
    outcome = concierge("doctor", "--json", env={"CONCIERGE_EMBEDDER": "none", **env})
    failures = {check["what"]: check["told"] for check in outcome.json if check["status"] == "failed"}
    assert outcome.code == bool(failures)
    return failures


def test_sound_installation_passes(concierge: CommandLine) -> None:
    assert failed(concierge) == {}
    shown = concierge("doctor")
    assert (shown.code, "all is well" in shown.out) == (0, True)
    assert {"settings", "model", "embedder", "clock"} <= {
        line.split()[1].rstrip(":") for line in shown.out.splitlines()
    }


@pytest.mark.parametrize(
    ("env", "part", "expected"),
    [
        ({"CONCIERGE_MAX_TURNS": "x"}, "settings", "CONCIERGE_MAX_TURNS"),
        ({"CONCIERGE_DATA_DIR": "/proc/version/none"}, "data directory", "CONCIERGE_DATA_DIR"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "model", "OPENAI_BASE_URL"),
        ({"CONCIERGE_AGENT_MODEL": "anthropic:claude"}, "model", "pip install langchain-anthropic"),
        ({"CONCIERGE_SUMMARY_MODEL": "groq:llama"}, "model", "pip install langchain-groq"),
        ({"CONCIERGE_CHROMA_URL": "http://127.0.0.1:9"}, "chroma", "Start it"),
        ({"CONCIERGE_STORE_URL": "postgresql://u:s3cr3t@127.0.0.1:9/d"}, "memory and conversations", "STORE_URL"),
        ({"CONCIERGE_EMBEDDER": "openai"}, "embedder", "OPENAI_API_KEY"),
        ({"CONCIERGE_AUTH_PUBLIC_KEY": "/nope"}, "sign-in", "CONCIERGE_AUTH_PUBLIC_KEY"),
        ({"CONCIERGE_ALLOWED_ORIGINS": "*"}, "settings", "no wildcards"),
    ],
)
def test_missing_part_is_named_with_its_remedy(
    concierge: CommandLine, env: dict[str, str], part: str, expected: str
) -> None:
    failures = failed(concierge, **env)
    assert expected in failures[part]
    assert "s3cr3t" not in str(failures)


def test_wrong_key_wrong_clock_open_folder_and_damaged_record_are_reported(concierge: CommandLine) -> None:
    concierge("demo", "--user", "ana", env={"CONCIERGE_ENCRYPTION_KEY": KEY})
    assert "another key" in failed(concierge, CONCIERGE_ENCRYPTION_KEY=OTHER)["memory and conversations"]
    other = {"CONCIERGE_DATA_DIR": str(concierge.folder / "plain")}
    concierge("demo", "--user", "ana", env=other)
    with closing(sqlite3.connect(concierge.folder / "plain" / "store" / "items.sqlite")) as db, db:
        db.execute("UPDATE store SET updated_at = '2999-01-01 00:00:00.000000+00:00'")
        db.execute("UPDATE store SET value = '{\"id\": 1}' WHERE prefix LIKE '%.trips'")
        db.execute("UPDATE vector_record SET attempts = 3 WHERE vectors IS NULL")
    Path(other["CONCIERGE_DATA_DIR"]).chmod(0o755)
    failures = failed(concierge, **other)
    assert "chmod 700" in failures["data directory"]
    assert "2999" in failures["clock"]
    assert [name for name in failures if "trip" in name]


@pytest.mark.parametrize("is_there", [True, False])
def test_lost_memory_with_remaining_conversations_is_reported(concierge: CommandLine, is_there: bool) -> None:
    concierge("chat", "--user", "ana", "--message", "I'm vegan.")
    items = concierge.data_dir / "store" / "items.sqlite"
    items.unlink()
    if is_there:
        items.touch()
    assert "Restore it from a backup" in failed(concierge)["memory"]


def test_unchecked_parts_are_not_reported_as_sound(concierge: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = SimpleNamespace(ChatMistralAI=lambda **_: FakeListChatModel(responses=["Hello."]))
    monkeypatch.setitem(sys.modules, "langchain_mistralai", installed)
    shown = concierge("doctor", env={"CONCIERGE_AGENT_MODEL": "mistralai:large", "CONCIERGE_EMBEDDER": "none"})
    assert "skipped model" in shown.out
    assert "not looked at" in shown.out
