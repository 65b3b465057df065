"""README.md, `docs/graph.mmd` and `.env.example` show what is, not what was."""

from __future__ import annotations

import re

import pytest

from app.cli.system.settings import drawing, env_example
from tests.readme import README, refreshed

pytestmark = pytest.mark.slow

ROOT = README.parent


def test_what_the_readme_shows_is_what_happens() -> None:
    text = README.read_text(encoding="utf-8")
    assert refreshed(text) == text


def test_the_readme_shows_a_transcript_a_program_and_the_graph() -> None:
    kinds = re.findall(r"^```(\w+)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"console", "python", "text", "mermaid", "sh"} <= set(kinds)


def test_the_drawing_is_that_of_the_graph() -> None:
    assert (ROOT / "docs" / "graph.mmd").read_text(encoding="utf-8") == drawing()


def test_the_env_example_names_every_setting() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == env_example()
