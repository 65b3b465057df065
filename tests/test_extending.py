"""The examples of docs/extending.md run unchanged and print the outputs shown there."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.openai_server import Call, OpenAIServer, Reply, openai_server
from tests.warm import run

__all__ = ["openai_server"]

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "extending.md"
_BLOCK = re.compile(r"^```(python|toml|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MOST_LINES = 30
_SOON, _SHOWN = (datetime.now(UTC) + timedelta(days=13)).date().isoformat(), "2026-12-05"
"""A future date, and the date that the page shows in its place."""


def _call(tool: str, **arguments: object) -> Reply:
    return Reply(calls=(Call(tool, json.dumps(arguments)),))


_SAVED = {
    "text": "Has heavy clay soil", "quote": "My soil is heavy clay", "topic": "soil",
    "claims": [{"attribute": "texture", "value": "clay", "stance": "is"}],
}  # fmt: skip
_SCRIPTS = {
    "A tool": [
        _call("opening_hours", restaurant="Ramiro"),
        _call("reserve_table", restaurant="Ramiro", people=2, at="5 December 8 pm"),
        Reply("Reserved."),
    ],
    "A travel provider": [
        _call("search_activities", city="Lisbon", first_day=_SOON, last_day=_SOON, people=2),
        Reply("There is a walk."),
    ],
    "A memory schema": [_call("save_memory_note", **_SAVED), Reply("I'll remember that.")],
    "A model": [],
    "A node": [Reply("Not before the 8th: trains are on strike.")],
    "A question of your own": [_call("lounge", airport="Lisbon"), Reply("Terminal 1 has one.")],
    "A graph of your own": [Reply("When do you leave for Lyon?")],
}
_INTEGRATION = """
from langchain_core.messages import AIMessage
from tests.scripted import ScriptedModel

class {name}(ScriptedModel):
    def __init__(self, model, **given):
        super().__init__(script=[AIMessage(f"Good morning, this is {{model}}.")])
"""


def _sections() -> dict[str, dict[str, str]]:
    parts = re.split(r"^## (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: dict(_BLOCK.findall(body)) for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _printed(blocks: dict[str, str], folder: Path, url: str) -> str:
    """Run the example of a section, in a folder with its TOML file and two fake integrations, and return its output."""
    (folder / "garden.toml").write_text(blocks.get("toml", ""))
    for module, name in (("langchain_anthropic", "ChatAnthropic"), ("langchain_ollama", "ChatOllama")):
        (folder / f"{module}.py").write_text(_INTEGRATION.format(name=name))
    env = {**os.environ, "OPENAI_BASE_URL": url, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    done = run(blocks["python"], cwd=folder, env=env)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    return done.stdout.decode().replace(_SOON, _SHOWN)


@pytest.mark.parametrize("section", _SCRIPTS)
def test_example_prints_the_output_shown_below_it(section: str, tmp_path: Path, openai_server: OpenAIServer) -> None:
    blocks = _sections()[section]
    openai_server.script(*_SCRIPTS[section])
    assert _printed(blocks, tmp_path, openai_server.url) == blocks["text"]
    assert len(openai_server.requests) == len(_SCRIPTS[section])


def test_examples_fit_on_a_screen() -> None:
    lengths = {name: len(blocks["python"].splitlines()) for name, blocks in _sections().items()}
    assert lengths.keys() == _SCRIPTS.keys()
    assert [name for name, lines in lengths.items() if lines > _MOST_LINES] == []
