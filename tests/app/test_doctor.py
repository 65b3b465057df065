"""`concierge doctor` on installations that lack something: it names the part and says what to do."""

from __future__ import annotations

import base64
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.app.commandline import CommandLine

KEY, OTHER = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))


def failed(concierge: CommandLine, **env: str) -> dict[str, str]:
    outcome = concierge("doctor", "--json", env={"CONCIERGE_EMBEDDER": "none", **env})
    found = {check["what"]: check["told"] for check in outcome.json if check["status"] == "failed"}
    assert outcome.code == bool(found)
    return found


def test_a_sound_installation_is_said_to_be_sound(concierge: CommandLine) -> None:
    assert failed(concierge) == {}
    shown = concierge("doctor")
    assert (shown.code, "all is well" in shown.out) == (0, True)
    assert {"settings", "model", "embedder", "clock"} <= {
        line.split()[1].rstrip(":") for line in shown.out.splitlines()
    }


@pytest.mark.parametrize(
    ("env", "part", "told"),
    [
        ({"CONCIERGE_MAX_TURNS": "x"}, "settings", "CONCIERGE_MAX_TURNS"),
        ({"CONCIERGE_DATA_DIR": "/proc/version/none"}, "data directory", "CONCIERGE_DATA_DIR"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "model", "OPENAI_BASE_URL"),
        ({"CONCIERGE_CHROMA_URL": "http://127.0.0.1:9"}, "chroma", "Start it"),
        ({"CONCIERGE_STORE_URL": "postgresql://u:s3cr3t@127.0.0.1:9/d"}, "memory and conversations", "STORE_URL"),
        ({"CONCIERGE_EMBEDDER": "openai"}, "embedder", "OPENAI_API_KEY"),
        ({"CONCIERGE_AUTH_PUBLIC_KEY": "/nope"}, "sign-in", "CONCIERGE_AUTH_PUBLIC_KEY"),
        ({"CONCIERGE_ALLOWED_ORIGINS": "*"}, "settings", "no wildcards"),
    ],
)
def test_what_is_missing_is_named_with_what_to_do(
    concierge: CommandLine, env: dict[str, str], part: str, told: str
) -> None:
    found = failed(concierge, **env)
    assert told in found[part]
    assert "s3cr3t" not in str(found)


def test_a_wrong_key_a_wrong_clock_an_open_folder_and_a_damaged_record_are_found(concierge: CommandLine) -> None:
    concierge("demo", "--user", "ana", env={"CONCIERGE_ENCRYPTION_KEY": KEY})
    assert "another key" in failed(concierge, CONCIERGE_ENCRYPTION_KEY=OTHER)["memory and conversations"]
    other = {"CONCIERGE_DATA_DIR": str(concierge.folder / "plain")}
    concierge("demo", "--user", "ana", env=other)
    with closing(sqlite3.connect(concierge.folder / "plain" / "store" / "items.sqlite")) as db, db:
        db.execute("UPDATE store SET updated_at = '2999-01-01 00:00:00.000000+00:00'")
        db.execute("UPDATE store SET value = '{\"id\": 1}' WHERE prefix LIKE '%.trips'")
        db.execute("UPDATE vector_record SET attempts = 3 WHERE vectors IS NULL")
    Path(other["CONCIERGE_DATA_DIR"]).chmod(0o755)
    found = failed(concierge, **other)
    assert "chmod 700" in found["data directory"]
    assert "2999" in found["clock"]
    assert [name for name in found if "trip" in name]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_memory_that_was_lost_beside_its_conversations_is_found(concierge: CommandLine, is_there: bool) -> None:
    concierge("chat", "--user", "ana", "--message", "I'm vegan.")
    items = concierge.data_dir / "store" / "items.sqlite"
    items.unlink()
    if is_there:
        items.touch()
    assert "Restore it from a backup" in failed(concierge)["memory"]


def test_what_was_not_looked_at_is_not_said_to_be_well(concierge: CommandLine) -> None:
    shown = concierge("doctor", env={"CONCIERGE_AGENT_MODEL": "anthropic:claude", "CONCIERGE_EMBEDDER": "none"})
    assert "skipped model" in shown.out
    assert "not looked at" in shown.out
