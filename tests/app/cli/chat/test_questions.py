"""Questions of a developer's own code on the command line: the value is shown, and the next line is the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.api import open_concierge
from app.cli.chat.chat import Script
from app.cli.chat.conversation import Conversation
from app.cli.opening import CommandContext
from app.cli.screen import Screen
from app.json_records import ThreadIds
from config.settings import Settings
from graph.context import Context
from graph.state import State
from tests.scripted import scripted

Make = Callable[..., Settings]
IDS = ThreadIds(user_id="ana", thread_id="t")


async def where(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    return {"added_instructions": f"They are at {interrupt({'question': 'Which café?'})!r}."}


def test_typed_line_answers_the_question(make_settings: Make, capsys: pytest.CaptureFixture[str]) -> None:
    agent = scripted(AIMessage("Welcome."))
    opened = open_concierge(make_settings(), models={"agent": agent}, before_agent=[where])
    with asyncio.Runner() as runner:
        concierge = runner.run(opened.__aenter__())
        talk = Conversation(CommandContext(concierge, **IDS), runner, Screen(), mode="on")
        talk.say("Hello")
        assert '"question": "Which café?"' in (shown := capsys.readouterr().out)
        assert "--resume 'your answer'" in shown
        assert talk.is_undecided
        talk.answer("approve the one downtown")
        assert "Welcome." in capsys.readouterr().out
        assert talk.pending is None
        runner.run(opened.__aexit__(None, None, None))
    assert str(agent.asked[0][0].content).endswith("They are at 'approve the one downtown'.")


@pytest.mark.parametrize("as_json", [False, True])
async def test_resume_option_answers_with_its_text(
    make_settings: Make, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    agent = scripted(AIMessage("Welcome."))
    screen = None if as_json else Screen()
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=[where]) as concierge:
        await Script(["Hello", "never sent"], IDS, "on", screen, None, False, is_new=False).play(concierge)
        asked = capsys.readouterr()
        assert "left out" in asked.err
        if as_json:
            assert json.loads(asked.out)["interrupts"] == [{"question": "Which café?"}]
        await Script([], IDS, "on", screen, "downtown", False, is_new=False).play(concierge)
        assert "Welcome." in capsys.readouterr().out
        await Script(["Hello again"], IDS, "on", screen, None, False, is_new=False).play(concierge)
        await Script(["Never mind"], IDS, "on", screen, None, False, is_new=False).play(concierge)
    assert str(agent.asked[0][0].content).endswith("They are at 'downtown'.")
