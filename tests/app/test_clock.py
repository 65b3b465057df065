"""A clock that is set back, or that is behind another server's, loses no answered message."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.app.commandline import COMMAND, CommandLine

AHEAD = Path(__file__).parents[1] / "ahead"


@pytest.mark.slow
def test_messages_after_the_clock_was_set_back_are_kept(concierge: CommandLine) -> None:
    days = {"DAYS_AHEAD": str(int(os.environ.get("DAYS_AHEAD", "0")) + 1)}
    path = {"PYTHONPATH": os.pathsep.join(filter(None, (str(AHEAD), os.environ.get("PYTHONPATH"))))}
    command = [COMMAND, "chat", "--user", "ana", "--thread", "t", "-m", "I'm vegan."]
    subprocess.run(command, env=concierge.env({**days, **path}), cwd=concierge.folder, check=True, capture_output=True)
    concierge.say("ana", "t", "I love museums.", "I hate loud hotels.")
    history = concierge("sessions", "history", "--user", "ana", "--thread", "t").out
    places = [history.find(said) for said in ("vegan", "museums", "loud hotels")]
    assert -1 < places[0] < places[1] < places[2]
