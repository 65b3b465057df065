"""Every reply exists in both languages with the same placeholders, and no message makes the model raise."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import models.offline
from tests.models.offline.talker import PROFILE, SYSTEM, Talker, memories

FOLDER = Path(models.offline.__file__).parent
SPOKEN = sorted(FOLDER.rglob("*.py"))


def _replies(code: str) -> dict[str, list[str]]:
    """The wordings of each sentence, and those of a table under the names of both: "blocked.paused"."""
    texts = tomllib.loads((FOLDER / "wording" / f"{code}.toml").read_text(encoding="utf-8"))
    tables = {name: each for name, each in texts.items() if isinstance(each, dict)}
    entries = {f"{table}.{name}": text for table, each in tables.items() for name, text in each.items()}
    plain = {name: text for name, text in texts.items() if name not in tables}
    return {name: _wordings(text) for name, text in (plain | entries).items()}


def _wordings(text: str | list[str] | list[list[str]]) -> list[str]:
    """A sentence, its wordings, or the cells of a table's columns."""
    return [text] if isinstance(text, str) else [one if isinstance(one, str) else one[1] for one in text]


def _placeholders(wordings: list[str], *, needed: bool = False) -> set[str]:
    """The names of the values that a sentence takes in all its wordings; with `needed`, those of no optional part."""
    texts = [re.sub(r"\[[^\]]*\]", "", one) if needed else one for one in wordings]
    return {name.split(".")[0] for one in texts for _, name, _, _ in string.Formatter().parse(one) if name}


def _said() -> list[tuple[str, str, set[str]]]:
    """File, key and given values of each reply that the code names outright; "*" where some are given unnamed."""
    found = []
    for path in SPOKEN:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "say" and isinstance(node.args[0].value, str):
                found.append((path.name, node.args[0].value, {word.arg or "*" for word in node.keywords}))
    return found


def test_both_languages_have_the_same_replies() -> None:
    english, japanese = _replies("en"), _replies("ja")
    assert english.keys() == japanese.keys()
    differing = {key for key in english if _placeholders(english[key]) != _placeholders(japanese[key])}
    assert differing - {"day_format"} == set()


@pytest.mark.parametrize("code", ["en", "ja"])
def test_each_reply_that_is_named_exists_and_gets_its_values(code: str) -> None:
    replies, said = _replies(code), _said()
    assert len(said) > 50
    assert [(file, key) for file, key, _ in said if key not in replies] == []
    named = [each for each in said if "*" not in each[2]]
    lacking = [
        (file, key)
        for file, key, given in named
        if not any(_placeholders([wording], needed=True) <= given for wording in replies[key])
    ]
    assert lacking == []


def test_each_reply_is_said_somewhere() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SPOKEN).replace("'", '"')
    replies = _replies("en")
    named = {spec for each in replies.values() for one in each for _, _, spec, _ in string.Formatter().parse(one)}
    said = [key for key in replies if {key, key.split(".")[0]} & named or any(part in code for part in _calls(key))]
    assert sorted({*replies} - {*said}) == []


def _calls(key: str) -> list[str]:
    """The key as code says it: whole, or made of its beginning: "ask_" of "ask_origin", "head." of "head.car"."""
    parts = re.split(r"(?<=[_.])", key)
    name = key.split(".")[0]
    table = [f'["{name}"]', f', "{name}")'] if "." in key else []
    return [f'"{key}"', *(f'"{"".join(parts[:at])}{{' for at in range(1, len(parts))), *table]


SAID = (
    "book find plan me us a the flight hotel day week trip to from in for Porto Dubai Paris on 3 May June nights two "
    "three people back later earlier more make it instead I we am vegetarian always never prefer window aisle forget "
    "remember that what do you know about my which did look at when where how yes no thanks 旅行 東京 へ 行きたい 三泊 "
    "窓側 が 好き 覚えて 忘れて 何 ? ! , ."
)
WORDS = st.sampled_from(SAID.split())
SHOWN = memories(
    "- [n1] seat, 2026-10-01, on overnight flights: Prefers a window seat", "- [n2] meal, hard, x: bad line"
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.lists(WORDS, max_size=9).map(" ".join), st.text(max_size=40)), min_size=1, max_size=4))
def test_no_conversation_makes_it_raise_or_say_nothing(said: list[str]) -> None:
    talker = Talker(SYSTEM + PROFILE + SHOWN)
    for text in said:
        assert talker.say(text).strip()


@pytest.mark.parametrize("said", ["Find me a hotel in Porto for three nights.", "Plan me a day in Dubai."])
def test_nights_without_dates_are_restated(said: str) -> None:
    reply = Talker(SYSTEM + PROFILE).say(said)
    assert "Porto" in reply or "Dubai" in reply
