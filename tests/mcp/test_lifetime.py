"""Servers that are down, crash, hang or come back, and the processes that remain."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from langchain_core.tools import ToolException

from nodes.tools.mcp import McpServer, McpServers
from tests.mcp.running import (
    PROVIDER,
    call,
    http_provider,
    raw_server,
    read,
    run,
    stdio_server,
    url_server,
)
from tests.processes import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Seconds:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def reached(server: McpServer, monotonic: Callable[[], float] | None = None) -> AsyncIterator[McpServers]:
    """Open a connection to one server, named `w`."""
    servers = McpServers({"w": server}, **({"monotonic": monotonic} if monotonic else {}))
    await servers.ready()
    try:
        yield servers
    finally:
        await servers.close()


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    ours = [record for record in caplog.records if record.name.startswith("nodes.")]
    return [record.getMessage() for record in ours if record.levelno >= logging.WARNING]


async def test_program_ends_with_its_connection_and_is_restarted_when_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-theirs")
    before = children()
    async with reached(stdio_server("process", "environment")) as servers:
        first = int((await read(servers, call("w__process")))["text"])
        assert first in children() - before
        assert (await read(servers, call("w__environment", name="OPENAI_API_KEY")))["text"] == "(not set)"
        await servers.close()
        assert children() == before
        assert servers.offered == []
        second = int((await read(servers, call("w__process")))["text"])
        assert second != first
    assert children() == before


async def test_program_is_started_only_when_needed() -> None:
    before = children()
    servers = McpServers({"w": stdio_server("process")})
    assert servers.tools
    assert not servers.offered
    await servers.close()
    assert children() == before


async def test_hanging_program_is_abandoned_and_killed(caplog: pytest.LogCaptureFixture) -> None:
    before = children()
    hanging = McpServer(
        command=(sys.executable, "-c", "import time; time.sleep(600)"), allow=("forecast",), start_timeout=0.5
    )
    async with reached(hanging) as servers:
        assert servers.offered == []
        assert len(warnings(caplog)) == 1
    assert children() == before


async def test_turn_cancelled_while_a_program_starts_leaves_no_process() -> None:
    before = children()
    servers = McpServers({"w": McpServer(command=("sleep", "600"), allow=("forecast",), start_timeout=300)})
    connecting = asyncio.create_task(servers.ready())
    await asyncio.to_thread(_until_started, before)
    connecting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connecting
    await servers.close()
    assert children() == before


def _until_started(before: set[int]) -> None:
    end = time.monotonic() + 60
    while children() == before:
        assert time.monotonic() < end, "the program was not started"
        time.sleep(0.01)


async def test_unreachable_server_is_logged_once_and_used_when_it_returns(caplog: pytest.LogCaptureFixture) -> None:
    port, clock = free_port(), Seconds()
    caplog.set_level(logging.INFO, "nodes.tools.mcp")
    async with reached(url_server(f"http://127.0.0.1:{port}/mcp", "forecast"), clock) as servers:
        assert servers.offered == []
        with pytest.raises(ToolException, match="can't be reached"):
            await run(servers, call("w__forecast", city="Lisbon"))
        clock.now = 31
        await servers.ready()
        assert len(warnings(caplog)) == 1
        with http_provider(port):
            await servers.ready()
            assert servers.offered == []  # it is not tried again at every turn
            clock.now = 100
            await servers.ready()
            assert [tool.name for tool in servers.offered] == ["w__forecast"]
            assert (await read(servers, call("w__forecast", city="Lisbon")))["result"]["city"] == "Lisbon"
    assert len(warnings(caplog)) == 1
    assert any("answers again" in record.getMessage() for record in caplog.records)


async def test_read_is_retried_if_the_server_crashes(tmp_path: Path) -> None:
    async with reached(stdio_server("dying", "process")) as servers:
        first = (await read(servers, call("w__process")))["text"]
        answer = await read(servers, call("w__dying", flag=str(tmp_path / "flag")))
        assert answer["text"] == "alive"
        assert (await read(servers, call("w__process")))["text"] != first


async def test_action_is_not_retried_if_the_server_crashes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    asked = call("w__dying_reservation", hotel="Solar")
    async with reached(stdio_server("dying_reservation", env={"PROVIDER_LOG": str(log)})) as servers:
        servers.described(asked, "t")
        with pytest.raises(ToolException, match="not known whether it was carried out"):
            await run(servers, asked)
        with pytest.raises(ToolException, match=r"can't be reached|cut off"):
            await run(servers, asked)
    assert log.read_text(encoding="utf-8").splitlines() == ["dying_reservation Solar"]


async def test_call_that_times_out_is_answered(tmp_path: Path) -> None:
    before = children()
    async with reached(stdio_server("sleepy", timeout=0.5)) as servers:
        with pytest.raises(ToolException, match=r"did not answer within 0\.5 seconds"):
            await run(servers, call("w__sleepy"))
    assert children() == before


async def test_malformed_tool_affects_no_other_and_is_logged_if_it_is_allowed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with reached(raw_server("forecast", "crooked", "shapeless", "reserve")) as servers:
        assert [tool.name for tool in servers.offered] == ["w__forecast", "w__reserve"]
        crooked, shapeless = warnings(caplog)
        assert "crooked is malformed (inputSchema.properties:" in crooked
        assert "shapeless is malformed (inputSchema:" in shapeless
        assert servers.fault(call("w__crooked")) == "The provider w does not offer crooked just now."


@pytest.mark.parametrize(
    ("city", "expected", "is_sure"),
    [("closed", "refused: No ‹data› today", False), ("params", "refused: No such city", True),
     ("garbled", "an answer that can't be read", False)],
)  # fmt: skip
async def test_error_answer_fails_only_its_call(city: str, expected: str, is_sure: bool) -> None:
    before = children()
    async with reached(raw_server("forecast", "reserve")) as servers:
        programs = children() - before
        with pytest.raises(ToolException, match=expected):
            await run(servers, call("w__forecast", city=city))
        servers.described(call("w__reserve", city=city), "t")
        with pytest.raises(ToolException, match=expected) as caught:
            await run(servers, call("w__reserve", city=city))
        assert ("not known whether it was carried out" not in str(caught.value)) == is_sure
        assert (await read(servers, call("w__forecast", city="sunny")))["text"] == "Sunny"
        assert children() - before == programs


async def test_stray_output_of_a_program_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async with reached(raw_server("forecast")) as servers:
        for number in range(2):
            assert (await read(servers, call("w__forecast", f"call_{number}", city="sunny")))["text"] == "Sunny"
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == [
        "MCP server w sends what is no message of the protocol; it is left out"
    ]


async def test_restarted_http_server_is_found_again() -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    with http_provider(port):
        servers = McpServers({"w": url_server(url, "process")})
        first = (await read(servers, call("w__process")))["text"]
    with http_provider(port):
        assert (await read(servers, call("w__process")))["text"] != first
        await servers.close()


def test_program_that_is_not_closed_ends_with_its_server(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from nodes.tools.mcp import McpServer, McpServers\n"
        f"command = (sys.executable, {str(PROVIDER)!r}, 'stdio')\n"
        "server = McpServer(command=command, allow=('process',), start_timeout=60)\n"
        "servers = McpServers({'w': server})\n"
        "asyncio.run(servers.ready())\n"
        "tool = servers.offered[0]\n"
        "print(asyncio.run(tool.ainvoke({})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    number = int(done.stdout.split('"text": "')[1].split('"')[0])
    _gone, alive = psutil.wait_procs([psutil.Process(number)] if psutil.pid_exists(number) else [], timeout=30)
    assert not alive


def test_importing_starts_no_process_and_loads_no_client() -> None:
    program = (
        "import sys, threading\nimport nodes.tools.mcp\n"
        "print([name for name in ('fastmcp', 'mcp', 'langchain') if name in sys.modules], threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 1"
