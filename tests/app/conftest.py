"""Fixtures of the tests of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from socket import socket

import pytest

from tests.app.commandline import COMMAND, CommandLine, run_process
from tests.app.terminal import Opened, Terminal, terminal_host
from tests.openai_server import openai_server

__all__ = ["openai_server"]


@pytest.fixture
def concierge(tmp_path: Path) -> CommandLine:
    """Return the command on an empty data directory, run in this process."""
    return CommandLine(tmp_path)


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """Return the command on the same data directory, run in a new process each time."""
    return CommandLine(tmp_path, run_process)


@pytest.fixture(scope="session")
def host() -> Iterator[socket]:
    """Start the process that forks terminals, once: loading the command takes longer than most conversations."""
    with terminal_host() as connection:
        yield connection


@pytest.fixture
def open_terminal(concierge: CommandLine, host: socket) -> Opened:
    """Return a function that opens Ana's conversation `t` in a terminal, with further arguments and variables."""

    def opened(*args: str, **env: str) -> Terminal:
        command = [COMMAND, "chat", "--user", "ana", "--thread", "t", *args]
        return Terminal(host, command, env=concierge.env(env), cwd=concierge.folder)

    return opened
