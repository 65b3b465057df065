from __future__ import annotations

import re
from pathlib import Path

import pytest

import prompts
from prompts import prompt, reply
from prompts.loader import _replies

ROOT = Path(prompts.__file__).parent


def test_a_prompt_is_filled() -> None:
    assert "Attributes by topic\nseat: seat_side" in prompt("memory_saving", schema="seat: seat_side")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="schema"):
        prompt("memory_saving")


def test_a_value_without_a_placeholder_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        prompt("memory_saving", schema="x", colour="red")


def test_braces_in_values_are_left_alone() -> None:
    assert '{"id": "{today}"}' in prompt("extract", user_words='{"id": "{today}"}', schema="s", today="2026-11-20")


def test_every_language_has_the_same_prompts_with_the_same_placeholders() -> None:
    folders = {folder.name: folder for folder in ROOT.iterdir() if (folder / "replies.toml").exists()}
    assert {"en", "ja"} <= folders.keys()

    def placeholders(folder: Path) -> dict[str, set[str]]:
        return {
            str(path.relative_to(folder)): set(re.findall(r"\{([a-z_]+)\}", path.read_text(encoding="utf-8")))
            for path in folder.rglob("*.md")
        }

    english = placeholders(folders["en"])
    for folder in folders.values():
        assert placeholders(folder) == english


def test_every_language_has_the_same_replies_with_the_same_placeholders() -> None:
    english = {name: set(re.findall(r"\{([a-z_]+)\}", text)) for name, text in _replies("en").items()}
    japanese = {name: set(re.findall(r"\{([a-z_]+)\}", text)) for name, text in _replies("ja").items()}
    assert japanese == english
    assert reply("message_too_long", "ja", length="30", limit="20").count("30") == 1
