"""Tools of MCP providers on a real `langgraph dev`: started with the first turn, ended with the server."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.mcp.running import PROVIDER
from tests.server.dev import checkout, langgraph_dev, signed_in

pytestmark = pytest.mark.slow


def _providers() -> set[psutil.Process]:
    below = psutil.Process().children(recursive=True)
    return {one for one in below if one.is_running() and str(PROVIDER) in one.cmdline()}


async def test_program_is_started_by_the_first_turn_and_ends_with_the_server(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    entry = {"command": [sys.executable, str(PROVIDER), "stdio"], "allow": ["forecast"], "start_timeout": 60}
    file.write_text(json.dumps({"w": entry}), encoding="utf-8")
    before = _providers()  # those of other tests
    with langgraph_dev(checkout(tmp_path / "checkout"), tmp_path / "data", mcp_servers=os.fspath(file)) as url:
        assert _providers() == before
        async with signed_in(url, tmp_path / "data") as client:
            thread = await client.threads.create()
            asked: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
            state = await client.runs.wait(thread["thread_id"], "concierge", input=asked)
        assert "__error__" not in state
        (program,) = _providers() - before
    _, alive = psutil.wait_procs([program], timeout=30)
    assert alive == []
    log = (tmp_path / "checkout" / "server.log").read_text(encoding="utf-8")
    assert "Blocking call" not in log
    assert "can't be used" not in log
