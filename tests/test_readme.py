"""README.md, `docs/graph.mmd` and `.env.example` are up to date."""

from __future__ import annotations

import re

import pytest

from app.cli.system.settings import drawing, env_example
from tests.readme import README, refreshed

pytestmark = pytest.mark.slow

ROOT = README.parent


def test_readme_shows_the_current_outputs() -> None:
    text = README.read_text(encoding="utf-8")
    assert refreshed(text) == text


def test_readme_has_blocks_of_each_kind() -> None:
    kinds = re.findall(r"^```(\w+)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"console", "python", "text", "mermaid", "sh"} <= set(kinds)


def test_drawing_matches_the_graph() -> None:
    assert (ROOT / "docs" / "graph.mmd").read_text(encoding="utf-8") == drawing()


def test_env_example_matches_the_settings() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == env_example()
