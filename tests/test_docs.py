"""The files, commands and make targets that the documents mention exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from app.cli.main import app
from graph.state import StopReason
from memory.schema import load_schema
from tests.readme import SCHEMA, shown

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
MARKDOWN = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
TOP = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}


@pytest.mark.parametrize("page", MARKDOWN)
def test_linked_files_exist(page: str) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", MARKDOWN[page])
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


@pytest.mark.parametrize("page", MARKDOWN)
def test_mentioned_files_exist(page: str) -> None:
    named = re.findall(r"`([\w.-]+(?:/[\w.-]+)*/?)`", MARKDOWN[page])
    ours = [name for name in named if "/" in name and name.split("/")[0] in TOP]
    assert [name for name in ours if not (ROOT / name).exists()] == []


def test_mentioned_commands_and_make_targets_exist() -> None:
    text = "\n".join(MARKDOWN.values())
    commands = set(re.findall(r"(?:`|\$ |^)concierge ([a-z]+)", text, re.MULTILINE))
    targets = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"chat", "memory"} <= commands <= set(typer.main.get_group(app).commands)
    assert {"chat", "test-fast"} <= targets <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_every_stop_reason_is_documented() -> None:
    table = MARKDOWN["docs/architecture.md"].partition("| stop reason |")[2]
    assert set(re.findall(r"`([a-z_]+)`", table)) == {reason.value for reason in StopReason}


def test_schema_document_matches_the_shipped_schema() -> None:
    assert SCHEMA.read_text(encoding="utf-8").endswith(shown(load_schema()))
