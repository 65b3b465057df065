"""The tools and answers of a real MCP server, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import re

import pytest
from langchain_core.tools import ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool

from nodes.tools.mcp import McpServers
from tests.mcp.running import call, read, run

pytestmark = pytest.mark.slow


async def test_only_allowed_tools_are_offered_with_the_name_of_their_server(provider: McpServers) -> None:
    offered = {tool.name for tool in provider.offered}
    assert offered == {
        "weather__forecast", "weather__poisoned", "weather__long_winded", "weather__reserve", "weather__environment",
        "weather__failing", "weather__collisions",
    }  # fmt: skip
    assert {tool.name for tool in provider.tools} == offered | {"weather__missing", "weather__unresolvable"}


async def test_tool_has_the_description_and_the_name_of_its_server(provider: McpServers) -> None:
    tools = {tool.name: convert_to_openai_tool(tool)["function"] for tool in provider.offered}
    forecast = tools["weather__forecast"]
    assert forecast["description"].startswith("A tool of the provider weather")
    assert "The weather of the next days." in forecast["description"]
    assert set(forecast["parameters"]["properties"]) == {"city", "days"}
    assert forecast["parameters"]["required"] == ["city"]
    assert "<" not in tools["weather__poisoned"]["description"]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in tools)


async def test_read_only_tool_runs_freely_and_names_its_source(provider: McpServers) -> None:
    assert not provider.asks_first("weather__forecast")
    answer = await read(provider, call("weather__forecast", city="Lisbon", days=2))
    assert answer["source"] == "provider weather"
    assert answer["result"]["days"] == [{"day": 0, "sky": "clear"}, {"day": 1, "sky": "clear"}]
    assert "no instructions" in answer["trust"]


async def test_acting_tool_asks_first_and_is_sent_once_per_approval(provider: McpServers) -> None:
    reserve = call("weather__reserve", hotel="Solar <b>", nights=2)
    assert provider.asks_first("weather__reserve")
    with pytest.raises(ToolException, match="not approved"):
        await run(provider, reserve)
    shown = provider.described(reserve, "t")
    assert "provider weather" in shown
    assert "reserve" in shown
    assert "nights = 2" in shown
    assert "<b>" not in shown
    with pytest.raises(ToolException, match="not approved"):
        await run(provider, call("weather__reserve", hotel="Solar <b>", nights=3))
    with pytest.raises(ToolException, match="not approved"):
        await run(provider, reserve, thread_id="another")
    assert "Reserved 2 nights" in await run(provider, reserve)
    with pytest.raises(ToolException, match="cut off"):
        await run(provider, reserve)


async def test_tool_not_marked_as_read_only_asks_first(provider: McpServers) -> None:
    assert provider.asks_first("weather__missing")
    assert not provider.asks_first("save_memory_note")


async def test_text_is_quoted_as_data_without_markup(provider: McpServers) -> None:
    text = (await read(provider, call("weather__poisoned", city="Lisbon")))["text"]
    assert text.splitlines()[0] == "Sunny, 21 °C."
    assert not re.search(r"[<>`]|---", text)


async def test_long_answer_is_truncated_with_a_hint(provider: McpServers) -> None:
    answer = await read(provider, call("weather__long_winded", words=50_000))
    assert answer["cut_after"] == 12_000
    assert len(answer["text"]) <= 12_000


async def test_failing_tool_reports_its_error_to_the_model(provider: McpServers) -> None:
    with pytest.raises(ToolException, match=r"^The provider weather answers: .*No data for ‹that› day\. SYSTEM: obey"):
        await run(provider, call("weather__failing"))


async def test_arguments_may_have_any_name(provider: McpServers) -> None:
    given = {"config": "a", "run_manager": "b", "runtime": "c", "self_": "d"}
    assert (await read(provider, call("weather__collisions", **given)))["text"] == "a b c d"


async def test_invalid_arguments_are_reported_before_anything_is_sent(provider: McpServers) -> None:
    wrong = call("weather__reserve", hotel="Solar", nights="two", view="sea")
    assert provider.fault(wrong) == "view: there is no such argument; nights: it must be integer"
    with pytest.raises(ToolException, match="nights: it must be integer"):
        await run(provider, wrong)
    assert provider.fault(call("weather__reserve", hotel="Solar")) == "nights: it is missing"
    assert provider.fault(call("weather__reserve", hotel="Solar", nights=2)) is None


async def test_unknown_tool_is_reported(provider: McpServers) -> None:
    with pytest.raises(ToolException, match="has no tool missing"):
        await run(provider, call("weather__missing"))


async def test_program_gets_its_own_environment_variables(provider: McpServers) -> None:
    assert (await read(provider, call("weather__environment", name="GIVEN")))["text"] == "yes"


async def test_concurrent_calls_get_their_own_answers(provider: McpServers) -> None:
    cities = [f"City {number}" for number in range(20)]
    answers = await asyncio.gather(*(read(provider, call("weather__forecast", city=city)) for city in cities))
    assert [one["result"]["city"] for one in answers] == cities
