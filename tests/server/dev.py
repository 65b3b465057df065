"""Runs a real `langgraph dev` on a copy of the checkout, with its state in a folder of the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from app.auth.tokens import Tokens
from config.settings import load_settings
from tests.processes import free_port, running

ROOT = Path(__file__).parents[2]
_PARTS = ("langgraph.json", "pyproject.toml", "README.md", "graph", "nodes", "stores", "prompts", "models", "app")
ANA = "ana.maria@example.com"
_TIMEOUT = 120.0


def checkout(folder: Path) -> Path:
    """Create a checkout of links to the files of this one, so that the files that the server writes stay separate."""
    folder.mkdir()
    for part in _PARTS:
        (folder / part).symlink_to(ROOT / part)
    return folder


def token_of(data_dir: Path, user_id: str) -> str:
    """Return a token that a development server with this data directory accepts."""
    return Tokens(load_settings(data_dir=data_dir)).mint(user_id)


def signed_in(url: str, data_dir: Path, user_id: str = ANA) -> LangGraphClient:
    """Yield a client of the server that is signed in as a user."""
    return get_client(url=url, api_key=None, headers={"Authorization": f"Bearer {token_of(data_dir, user_id)}"})


@contextmanager
def langgraph_dev(
    folder: Path, data_dir: Path, *, end: int = signal.SIGINT, options: Sequence[str] = (), **settings: str
) -> Iterator[str]:
    """Serve the checkout in `folder` until the end of the block, and then send the signal `end`; yield the URL.

    Other settings are given by their names without prefix: `session_idle_minutes="0.05"`.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
    with (folder / "server.log").open("a") as log:
        streams = {"stdout": log, "stderr": subprocess.STDOUT}
        command += ["--port", str(port), *options]
        with running(command, cwd=folder, env=_env(data_dir, settings), **streams) as server:
            try:
                _wait_until_ready(url, server, folder / "server.log")
                yield url
            finally:
                server.send_signal(end)
                server.wait(_TIMEOUT)


def _env(data_dir: Path, settings: Mapping[str, str]) -> dict[str, str]:
    foreign = ("CONCIERGE_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_")
    machine = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {
        **machine,
        **{f"CONCIERGE_{name.upper()}": value for name, value in settings.items()},
        "CONCIERGE_DATA_DIR": str(data_dir),
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "1",
    }


def _wait_until_ready(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _TIMEOUT
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if httpx.get(f"{url}/ok", timeout=1).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError(f"langgraph dev did not come up:\n{log.read_text()[-4000:]}")
