"""The texts of the command line, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.cli.wording import words
from tests.app.commandline import CommandLine

CLI = Path(__file__).parents[3] / "app" / "cli"
_NAMED = re.compile(r'\b(?:say|counted)\(\s*"([a-z_]+)"')


def test_languages_have_the_same_texts_with_the_same_values() -> None:
    english, japanese = ({name: _values(text) for name, text in words(one).items()} for one in ("en", "ja"))
    assert english == japanese


def test_texts_used_in_the_code_exist() -> None:
    named = {name for path in CLI.rglob("*.py") for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert {name for name in named if not {name, f"{name}_one"} & set(words("en"))} == set()


def test_every_tool_has_a_progress_text() -> None:
    tools = {path.stem for path in (CLI.parents[1] / "prompts" / "en" / "tools").glob("*.md")}
    assert len(tools) > 20
    assert {tool for tool in tools if f"doing_{tool}" not in words("en")} == set()


def test_help_names_every_command_in_every_language(concierge: CommandLine) -> None:
    code = (CLI / "chat" / "slash_commands.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"(/[a-z]+)": ', code)) - {"/exit"}
    assert len(names) > 10
    for language in ("en", "ja"):
        shown = concierge("chat", "--user", "ana", "--lang", language, stdin="/help\n").out
        assert {name for name in names if not re.search(rf"^  {name} ", shown, re.MULTILINE)} == set()


@pytest.mark.parametrize("args", [("--lang", "ja", "trips", "list"), ("--lang", "ja", "memory", "list")])
def test_every_command_uses_the_selected_language(concierge: CommandLine, args: tuple[str, ...]) -> None:
    spoken = concierge(*args, "--user", "ana")
    assert spoken.code == 0
    assert re.search(r"[ぁ-ん]", spoken.out)
    assert spoken.out == concierge(*args[2:], "--user", "ana", env={"CONCIERGE_LANGUAGE": "ja"}).out


@pytest.mark.parametrize(
    ("args", "stdin"), [((), "I like aisle seats.\n窓側の席が好きです\n"), (("-m", "窓側の席が好きです", "--end"), "")]
)
def test_language_follows_a_japanese_message_unless_one_is_selected(
    concierge: CommandLine, args: tuple[str, ...], stdin: str
) -> None:
    japanese, english = words("ja")["noted"], words("en")["noted"]
    followed = concierge("chat", "--user", "ana", *args, stdin=stdin).out
    named = concierge("chat", "--user", "ben", "--lang", "en", *args, stdin=stdin).out
    assert japanese.format(what="窓側の席が好きです") in followed
    assert english.format(what="窓側の席が好きです") in named


def _values(text: str) -> set[str]:
    return set(re.findall(r"\{([a-z]+)\}", text))
