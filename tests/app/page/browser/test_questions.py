"""A question of the server's own code on the page: the next message answers it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from playwright.sync_api import Browser, expect

from app.api.opening import open_concierge
from app.auth.tokens import Tokens
from app.server.app import create_app
from config.settings import load_settings
from graph.context import Context
from graph.state import State
from tests.app.page.browser.visit import Site, Visit
from tests.app.page.conftest import served
from tests.scripted import scripted

pytestmark = pytest.mark.slow


async def where(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    return {"added_instructions": f"They are at {interrupt({'question': 'Which café?'})!r}."}


def test_question_is_shown_and_the_next_message_answers_it(tmp_path: Path, browser: Browser) -> None:
    settings = load_settings(data_dir=tmp_path, model_provider="offline")
    tokens, agent = Tokens(settings), scripted(AIMessage("Welcome."))
    parts: Any = {"models": {"agent": agent}, "before_agent": [where]}
    with served(create_app(settings, lambda: open_concierge(settings, **parts), tokens=tokens)) as url:
        here = Visit(browser, Site(url, tokens), "ana")
        here.say("Hello")
        expect(here.page.locator(".approval")).to_contain_text("Which café?")
        here.page.reload()
        expect(here.page.locator(".approval")).to_contain_text("Your next message answers this question.")
        here.say("downtown")
        expect(here.page.locator("#log")).to_contain_text("Welcome.")
        expect(here.page.locator(".approval")).to_have_count(0)
        here.context.close()
        assert here.complaints == []
    assert str(agent.asked[0][0].content).endswith("They are at 'downtown'.")
