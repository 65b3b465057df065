"""What the tests of the command line share."""

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
    """The command on a fresh data directory, run in this process."""
    return CommandLine(tmp_path)


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """The command on the same data directory, in a process of its own each time."""
    return CommandLine(tmp_path, run_process)


@pytest.fixture(scope="session")
def host() -> Iterator[socket]:
    """Where terminals come from, started once: loading the command takes longer than most conversations."""
    with terminal_host() as door:
        yield door


@pytest.fixture
def open_terminal(concierge: CommandLine, host: socket) -> Opened:
    """Opens Ana's conversation `t` in a terminal of its own; arguments and environment may be added."""

    def opened(*more: str, **env: str) -> Terminal:
        command = [COMMAND, "chat", "--user", "ana", "--thread", "t", *more]
        return Terminal(host, command, env=concierge.env(env), cwd=concierge.folder)

    return opened
