"""No setting and no error shows a password, wherever it is configured."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from config import Settings, load_settings
from config.errors import ConciergeError, SettingsError, StorageError
from config.redact import redact
from nodes.tools.mcp.config import McpServer
from stores.lifespan import open_checkpoints, open_store
from stores.vectors.backends import ServerVectors
from tests.app.commandline import CommandLine

SECRET = "s3cr3t"
URLS = {
    "CONCIERGE_STORE_URL": f"postgresql://ana:{SECRET}@127.0.0.1:9/db?password={SECRET}",
    "CONCIERGE_CHROMA_URL": f"http://ana:{SECRET}@127.0.0.1:9?token={SECRET}",
    "OPENAI_BASE_URL": f"http://ana:{SECRET}@127.0.0.1:9/v1?key={SECRET}",
    "OPENAI_API_KEY": f"sk-{SECRET}",
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("at http://u:p@host:1/x?key=k&b=c#d now", "at http://(hidden)@host:1/x?key=(hidden)&b=(hidden)#d now"),
        ("postgresql://u:p/w@d@host/db", "postgresql://(hidden)@host/db"),
        ("postgresql://u@host:5432/db", "postgresql://u@host:5432/db"),
        ("postgresql://u@p@host:5432/db", "postgresql://(hidden)@host:5432/db"),
        ("https://token@host/x", "https://(hidden)@host/x"),
        ("http://localhost:8000/v1 and ana@example.com?x=1", "http://localhost:8000/v1 and ana@example.com?x=1"),
        ("like postgresql://user:password@host:5432/database", "like postgresql://user:password@host:5432/database"),
    ],
)
def test_secret_parts_of_a_url_are_removed(text: str, shown: str) -> None:
    assert redact(text) == shown


async def test_settings_and_errors_of_every_server_hide_the_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in URLS.items():
        monkeypatch.setenv(name, value)
    settings = load_settings(data_dir=tmp_path)
    texts = [repr(settings), str(settings), repr(McpServer(url=URLS["OPENAI_BASE_URL"], allow=("x",)))]
    with pytest.raises(StorageError) as refused:
        ServerVectors(URLS["CONCIERGE_CHROMA_URL"]).open("id", "x")
    texts.append(str(refused.value))
    for opened in (open_store, open_checkpoints):
        with pytest.raises(StorageError) as unreachable:
            async with opened(settings):
                pass
        texts.append(str(unreachable.value))
    with pytest.raises(SettingsError) as wrong:
        load_settings(chroma_url=f"ftp://ana:{SECRET}@h", store_url=SecretStr(f"mysql://{SECRET}"), max_turns=-1)
    with pytest.raises(ValidationError) as raw:
        Settings(chroma_url=f"ftp://ana:{SECRET}@h")
    texts += [str(wrong.value), repr(raw.value), str(ConciergeError(f"no {URLS['OPENAI_BASE_URL']}"))]
    assert [text for text in texts if SECRET in text] == []
    assert "127.0.0.1:9" in texts[0]


def test_command_line_hides_the_password_in_lists_and_tracebacks(tmp_path: Path) -> None:
    concierge = CommandLine(tmp_path)
    shown = [concierge("settings", env=URLS), concierge("settings", "--json", env=URLS)]
    failed = [concierge("reindex", env=URLS), concierge("doctor", env={**URLS, "CONCIERGE_EMBEDDER": "none"})]
    assert [one.code for one in (*shown, *failed)] == [0, 0, 1, 1]
    assert [one for one in (*shown, *failed) if SECRET in one.out + one.err] == []
