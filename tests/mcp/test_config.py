"""The file of servers: its valid contents, and the errors of an invalid one."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import SettingsError
from nodes.tools.mcp import read_servers
from nodes.tools.mcp.servers import tool_name
from nodes.tools.mcp.untrusted import argument_faults, neutral_schema, render_result

GOOD = {"command": ["weather-mcp"], "allow": ["forecast"]}


def written(folder: Path, content: Any) -> Path:
    path = folder / "servers.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_servers_are_read_in_order(tmp_path: Path) -> None:
    hotels = {"url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer x"}, "allow": ["a", "b", "a"]}
    servers = read_servers(written(tmp_path, {"weather": {**GOOD, "env": {"A": "1"}}, "hotels": hotels}))
    assert list(servers) == ["weather", "hotels"]
    assert servers["weather"].command == ("weather-mcp",)
    assert servers["hotels"].allow == ("a", "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "the file: "),
        ({"a": {"allow": ["x"]}}, 'it needs either "command" or "url"'),
        ({"a": {**GOOD, "url": "http://localhost/mcp"}}, 'it needs either "command" or "url"'),
        ({"a": {"command": [], "allow": ["x"]}}, "a.command"),
        ({"a": {"command": ["x"], "allow": []}}, "a.allow"),
        ({"a": {"command": ["x"]}}, "a.allow"),
        ({"a": {"url": "file:///etc/passwd", "allow": ["x"]}}, "a.url: it must be an http"),
        ({"a": {**GOOD, "headers": {"X": "y"}}}, '"headers" with "url"'),
        ({"a": {**GOOD, "tools": []}}, "a.tools"),
        ({"a": {**GOOD, "timeout": 0}}, "a.timeout"),
        ({"a__b": GOOD}, "'a__b' can't name a server"),
        ({"": GOOD}, "'' can't name a server"),
    ],
)
def test_invalid_file_is_reported_with_its_name_and_fault(tmp_path: Path, content: Any, said: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SettingsError, match=re.escape(said)) as error:
        read_servers(path)
    assert str(path) in str(error.value)
    assert "CONCIERGE_MCP_SERVERS" in str(error.value)


def test_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        read_servers(tmp_path / "none.json")


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    wrong = {"a": {"url": "https://h/mcp", "headers": {"Authorization": ["Bearer hidden"]}, "allow": ["x"]}}
    with pytest.raises(SettingsError) as error:
        read_servers(written(tmp_path, wrong))
    assert "hidden" not in str(error.value)


def test_missing_extra_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastmcp", None)
    with pytest.raises(SettingsError, match=re.escape("pip install 'travel-concierge[mcp]'")):
        read_servers(written(tmp_path, {"a": GOOD}))


SERVERS = st.from_regex(r"[A-Za-z0-9-]{1,24}", fullmatch=True)


@given(SERVERS, st.text(min_size=1), SERVERS, st.text(min_size=1))
def test_every_tool_has_a_unique_valid_name(a: str, tool_a: str, b: str, tool_b: str) -> None:
    one, other = tool_name(a, tool_a), tool_name(b, tool_b)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one)
    assert one.startswith(f"{a}__")
    assert (one == other) == ((a, tool_a) == (b, tool_b))


@pytest.mark.parametrize("tool", ["x" * 80, "x" * 79 + "y", "search flights", "search/flights", "検索"])
def test_names_that_must_change_stay_unique(tool: str) -> None:
    others = ["x" * 80, "x" * 79 + "y", "search flights", "search/flights", "検索", "search_flights"]
    assert sum(tool_name("a", other) == tool_name("a", tool) for other in others) == 1


SCHEMA = {
    "properties": {
        "name": {"type": "string"},
        "nights": {"type": "integer"},
        "view": {"enum": ["sea", "city"]},
        "floor": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "price": {"type": ["number", "null"]},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("given_arguments", "fault"),
    [
        ({"name": "a", "nights": 2, "view": "sea", "floor": None, "price": 1}, None),
        ({"name": "a", "nights": 2.0}, None),  # JSON has one type of number
        ({"name": "a", "nights": 2.5}, "nights: it must be integer"),
        ({}, "name: it is missing"),
        ({"name": "a", "stars": 4}, "stars: there is no such argument"),
        ({"name": "a", "nights": True}, "nights: it must be integer"),
        ({"name": "a", "view": "garden"}, "view: it must be one of sea, city"),
        ({"name": "a", "floor": "top"}, "floor: it must be of another type"),
        ({"name": "a", "price": "1"}, "price: it must be number or null"),
    ],
)
def test_arguments_are_checked(given_arguments: dict[str, Any], fault: str | None) -> None:
    assert argument_faults(SCHEMA, given_arguments) == fault


def test_open_schema_takes_other_arguments() -> None:
    assert argument_faults({"properties": {}}, {"any": 1}) is None


def test_descriptions_in_a_schema_are_neutralised_and_names_kept() -> None:
    schema = {
        "title": "dropped",
        "properties": {"title": {"type": "string", "description": "<b>x</b>"}, "description": {"type": "string"}},
    }
    assert neutral_schema(schema) == {
        "type": "object",
        "properties": {"title": {"type": "string", "description": "‹b›x‹/b›"}, "description": {"type": "string"}},
    }


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": "object", "description": "x" * 20_000}])
def test_unusable_schema_is_rejected(schema: dict[str, Any]) -> None:
    assert neutral_schema(schema) is None


class Block:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def test_json_in_text_is_parsed() -> None:
    assert json.loads(render_result("a", [Block(type="text", text='{"x": "<b>"}')]))["result"] == {"x": "‹b›"}


def test_invalid_json_stays_text() -> None:
    answer = json.loads(render_result("a", [Block(type="text", text="{not data")]))
    assert "not data" in answer["text"]
    assert "result" not in answer


def test_images_are_named_and_omitted() -> None:
    answer = json.loads(render_result("a", [Block(type="text", text="see"), Block(type="image", data="AAAA")]))
    assert answer["text"].splitlines() == ["see", "(image left out)"]


def test_oversized_data_is_truncated_as_text() -> None:
    answer = json.loads(render_result("a", [], {"rows": ["x" * 100] * 1_000}))
    assert "result" not in answer
    assert len(answer["text"]) <= 12_000
    assert answer["cut_after"] == 12_000
