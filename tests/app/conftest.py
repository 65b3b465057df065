"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.commandline import CommandLine
from tests.openai_server import openai_server

__all__ = ["openai_server"]


@pytest.fixture
def command_line(tmp_path: Path) -> CommandLine:
    """The command on a fresh data directory."""
    return CommandLine(tmp_path)


@pytest.fixture
def concierge(command_line: CommandLine) -> CommandLine:
    """The same, under the name that a person calls it by."""
    return command_line
