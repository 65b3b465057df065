"""No setting and no error prints a password, wherever it was written."""

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
def test_an_address_loses_what_may_be_secret(text: str, shown: str) -> None:
    assert redact(text) == shown


async def test_settings_and_errors_of_every_server_hide_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in URLS.items():
        monkeypatch.setenv(name, value)
    settings = load_settings(data_dir=tmp_path)
    told = [repr(settings), str(settings), repr(McpServer(url=URLS["OPENAI_BASE_URL"], allow=("x",)))]
    with pytest.raises(StorageError) as refused:
        ServerVectors(URLS["CONCIERGE_CHROMA_URL"]).open("id", "x")
    told.append(str(refused.value))
    for opened in (open_store, open_checkpoints):
        with pytest.raises(StorageError) as unreachable:
            async with opened(settings):
                pass
        told.append(str(unreachable.value))
    with pytest.raises(SettingsError) as wrong:
        load_settings(chroma_url=f"ftp://ana:{SECRET}@h", store_url=SecretStr(f"mysql://{SECRET}"), max_turns=-1)
    with pytest.raises(ValidationError) as raw:
        Settings(chroma_url=f"ftp://ana:{SECRET}@h")
    told += [str(wrong.value), repr(raw.value), str(ConciergeError(f"no {URLS['OPENAI_BASE_URL']}"))]
    assert [text for text in told if SECRET in text] == []
    assert "127.0.0.1:9" in told[0]


def test_the_command_line_hides_it_from_lists_and_from_tracebacks(tmp_path: Path) -> None:
    concierge = CommandLine(tmp_path)
    shown = [concierge("settings", env=URLS), concierge("settings", "--json", env=URLS)]
    failed = [concierge("reindex", env=URLS), concierge("doctor", env={**URLS, "CONCIERGE_EMBEDDER": "none"})]
    assert [one.code for one in (*shown, *failed)] == [0, 0, 1, 1]
    assert [one for one in (*shown, *failed) if SECRET in one.out + one.err] == []
