"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.commandline import CommandLine
from tests.openai_server import openai_server

__all__ = ["openai_server"]


@pytest.fixture
def concierge(tmp_path: Path) -> CommandLine:
    """The command on a fresh data directory."""
    return CommandLine(tmp_path)
