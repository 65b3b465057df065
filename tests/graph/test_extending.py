"""A developer's own parts through the public API: they are used, and wrong ones are rejected with a clear message."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command

from app.api import acting, open_concierge, open_concierge_sync
from config.errors import InvalidInputError, SettingsError, SetupError, StorageError
from config.settings import Settings
from graph import Parts, build_graph
from graph.context import Context
from graph.routing import Node
from graph.state import State, StopReason
from memory.schema import load_schema
from tests.conftest import Opener
from tests.graph.test_conversation import save
from tests.memory.schema.gardener import GARDENER
from tests.scripted import calls, scripted
from travel.sample.world import SampleWorld

Make = Callable[..., Settings]
ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}


def reserver(done: list[tuple[str, int]]) -> BaseTool:
    """Return a tool that records whom it served."""

    @tool
    def reserve(people: int, runtime: ToolRuntime[Context, Any]) -> str:
        """Reserve a table."""
        done.append((runtime.context.user_id or "", people))
        return "reserved"

    return reserve


async def table_for(people: int) -> str:
    """Describe a call of `reserve`."""
    if people > 8:
        raise ToolException("No table is that large.")
    return f"Reserve a table for {people}."


async def test_acting_tool_waits_for_approval(make_settings: Make) -> None:
    done: list[tuple[str, int]] = []
    agent = scripted(calls("reserve", people=2), AIMessage("Done."))
    own = [acting(reserver(done), table_for)]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own) as concierge:
        asked = await concierge.send("A table for two", **ANA)
        assert asked.interrupts[0]["action_requests"][0]["description"] == "Reserve a table for 2."
        edit = {"type": "edit", "edited_action": {"name": "reserve", "args": {"people": 3}}}
        again = await concierge.resume({"decisions": [edit]}, **ANA)
        assert again.interrupts[0]["action_requests"][0]["description"] == "Reserve a table for 3."
        assert done == []
        assert (await concierge.resume("approve", **ANA)).tools[0].outcome == "ran"
        assert done == [("ana", 3)]


async def test_tool_gets_the_user_without_a_warning(make_settings: Make) -> None:
    @tool
    def whoami(greeting: str, runtime: ToolRuntime) -> str:
        """Say who speaks."""
        context: Any = runtime.context
        return f"{greeting} {context.user_id}, call {runtime.tool_call_id}"

    call = calls("whoami", greeting="Hello")
    agent = scripted(call, AIMessage("Done."))
    async with open_concierge(make_settings(), models={"agent": agent}, tools=[whoami]) as concierge:
        (used,) = (await concierge.send("Who am I?", **ANA)).tools
    assert (used.outcome, used.result) == ("ran", f"Hello ana, call {call.tool_calls[0]['id']}")


async def test_time_spent_waiting_for_approval_does_not_count_for_the_turn(make_settings: Make) -> None:
    @tool
    def tides(port: str) -> str:
        """Look up the tides."""
        return f"high tide in {port} at noon"

    both = AIMessage("", tool_calls=[*calls("tides", port="Faro").tool_calls, *calls("reserve", people=2).tool_calls])
    agent, limit = scripted(both, AIMessage("Done.")), 3
    own: list[Any] = [tides, acting(reserver([]), table_for)]
    async with open_concierge(make_settings(turn_timeout=limit), models={"agent": agent}, tools=own) as concierge:
        assert (await concierge.send("A table, and the tides", **ANA)).interrupts
        await asyncio.sleep(limit)  # the passing of time itself is tested
        reply = await concierge.resume("approve", **ANA)
    assert [each.outcome for each in reply.tools] == ["ran", "ran"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"people": 9}, "No table is that large."), ({"people": "many"}, "people: Input should be a valid integer")],
)
async def test_invalid_call_is_refused_before_approval(
    make_settings: Make, given: dict[str, Any], expected: str
) -> None:
    done: list[tuple[str, int]] = []
    agent = scripted(calls("reserve", **given), AIMessage("That can't be done."))
    own = [acting(reserver(done), table_for)]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own) as concierge:
        reply = await concierge.send("A table for many", **ANA)
        assert (reply.text, reply.interrupts, done) == ("That can't be done.", (), [])
        assert expected in str(agent.asked[-1][-1].content)


async def test_tool_that_never_answers_ends_with_the_turn(make_settings: Make) -> None:
    @tool
    async def tides(port: str) -> str:
        """Return the tides of a port."""
        await asyncio.Event().wait()
        return port

    agent = scripted(calls("tides", port="Faro"), AIMessage("No tides."))
    async with open_concierge(make_settings(turn_timeout=2), models={"agent": agent}, tools=[tides]) as concierge:
        reply = await concierge.send("When is high tide?", **ANA)
        assert (reply.stop_reason, reply.tools[0].outcome) == (StopReason.TURN_TIMEOUT, "failed")


async def test_node_that_never_ends_is_cancelled_with_the_turn(make_settings: Make) -> None:
    async def hanging(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    agent = scripted(AIMessage("Hello."))
    hanging_too = HangingNode()
    own: list[Node] = [hanging, hanging_too]
    async with open_concierge(make_settings(turn_timeout=2), models={"agent": agent}, before_agent=own) as concierge:
        reply = await concierge.send("Hello", **ANA)
    assert (reply.stop_reason, hanging_too.calls, agent.asked) == (StopReason.TURN_TIMEOUT, 1, [])


async def test_turn_ends_although_a_node_blocks_its_thread(make_settings: Make) -> None:
    may_end = Event()

    def blocking(state: State) -> dict[str, Any]:
        may_end.wait(60)
        return {}

    own: Any = [blocking]
    async with open_concierge(make_settings(turn_timeout=2), models={"agent": scripted()}, before_agent=own) as one:
        reply = await one.send("Hello", **ANA)
        may_end.set()
    assert reply.stop_reason == StopReason.TURN_TIMEOUT


class HangingNode:
    """A node that is an object."""

    calls = 0

    async def __call__(self, state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        self.calls += 1
        await asyncio.Event().wait()
        return {}


async def test_error_of_a_node_is_raised_unchanged(make_settings: Make) -> None:
    async def failing(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        raise TimeoutError("its own")

    own = [failing]
    async with open_concierge(make_settings(), models={"agent": scripted()}, before_agent=own) as concierge:
        with pytest.raises(TimeoutError, match="its own"):
            await concierge.send("Hello", **ANA)


def _closed(people: int) -> str:
    raise ValueError(f"Closed on Mondays; ask for {people} on Tuesday.")


def _says(told: Any) -> Callable[[int], Any]:
    return lambda people: told


@pytest.mark.parametrize(
    ("describe", "expected"),
    [
        (_closed, "Closed on Mondays"),
        *((_says(said), "nobody can approve it") for said in ("", " \n", "\u200b", "\u2060\u00ad", None, 5, ["Pay."])),
    ],
)
async def test_failing_or_empty_description_refuses_the_call(
    make_settings: Make, describe: Callable[[int], Any], expected: str
) -> None:
    done: list[tuple[str, int]] = []
    agent = scripted(calls("reserve", people=2), AIMessage("That can't be done."))
    own = [acting(reserver(done), describe)]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own) as concierge:
        reply = await concierge.send("A table for two", **ANA)
        assert (reply.interrupts, done) == ((), [])
        assert expected in str(agent.asked[-1][-1].content)


def command(update: Any) -> Any:
    return Command(update=update)


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ({"added_instruction": "Trains are on strike."}, "own.added_instruction. Did you mean added_instructions?"),
        ({"added_instructions": 5}, "What own returns as added_instructions must be a text."),
    ],
)
@pytest.mark.parametrize("made", [dict, command, lambda update: [command(update)]], ids=["dict", "command", "list"])
@pytest.mark.parametrize("is_async", [True, False])
async def test_update_returned_by_a_node_is_checked(
    make_settings: Make, update: Any, expected: str, made: Callable[[Any], Any], is_async: bool
) -> None:
    def plain(state: State) -> Any:
        return made(update)

    async def own(state: State) -> Any:
        return made(update)

    plain.__name__ = "own"
    nodes: Any = [own if is_async else plain]
    async with open_concierge(make_settings(), models={"agent": scripted()}, before_agent=nodes) as concierge:
        with pytest.raises(InvalidInputError, match=re.escape(expected)):
            await concierge.send("Hello", **ANA)


async def test_instructions_of_several_nodes_add_up(make_settings: Make) -> None:
    async def first(state: State) -> dict[str, Any]:
        return {"added_instructions": "Trains are on strike."}

    async def silent(state: State) -> dict[str, Any]:
        return {"added_instructions": ""}

    async def second(state: State) -> Any:
        return Command(update={"added_instructions": "Ferries run."})

    own: Any = [first, silent, second]
    agent = scripted(AIMessage("Hello."))
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=own) as concierge:
        for _ in range(2):
            await concierge.send("Hello", **ANA)
    for asked in agent.asked:
        assert str(asked[0].content).count("Trains are on strike.\n\nFerries run.") == 1


_NO_MESSAGES = "input.messages must be texts or {'role': 'user', 'content': 'Hello'}."


@pytest.mark.parametrize(
    ("given", "context", "expected"),
    [
        ({"messages": "hi"}, {"user_id": 5}, "user_id is 5; it must be a text."),
        ({"messages": "hi"}, {"user_id": "ana", "workspace": 5}, "workspace is 5; it must be a text."),
        ({"messages": "hi"}, {"user": "ana"}, "There is no context.user. Did you mean user_id?"),
        ({"messages": "hi"}, "ana", "The context must be an object, such as {'user_id': 'ana'}, not 'ana'."),
        ({"message": "hi"}, Context("ana"), "There is no input.message. Did you mean messages?"),
        ({"messages": 5}, Context("ana"), _NO_MESSAGES),
        ({"messages": [{"role": "usr", "content": "x"}]}, Context("ana"), _NO_MESSAGES),
        ({"end_session": "yes"}, Context("ana"), "input.end_session must be true or false."),
        ("hi", Context("ana"), "input must be an object, such as {'messages': 'Hello'}."),
    ],
)
async def test_wrong_input_of_a_graph_run_is_named(
    make_settings: Make, given: Any, context: Any, expected: str
) -> None:
    saver = InMemorySaver()
    graph = build_graph(make_settings(), models={"agent": scripted()}, checkpointer=saver, store=InMemoryStore())
    with pytest.raises(InvalidInputError, match=re.escape(expected)):
        await graph.ainvoke(given, {"configurable": {"thread_id": "t"}}, context=context)
    assert list(saver.list(None)) == []


async def misnamed(state: State, rt: Runtime[Context]) -> dict[str, Any]:
    """A node with a second parameter that LangGraph does not fill."""
    return {}


class MisnamedNode:
    """The same node as an object."""

    async def __call__(self, state: State, rt: Runtime[Context]) -> dict[str, Any]:
        return {}


async def test_node_may_take_every_parameter_that_langgraph_fills(make_settings: Make) -> None:
    async def alone(state: State) -> dict[str, Any]:
        return {}

    async def both(state: State, runtime: Runtime[Context], config: RunnableConfig, more: int = 1) -> dict[str, Any]:
        return {"added_instructions": f"In {config['configurable']['thread_id']}."}

    own: Any = [alone, both]
    agent = scripted(AIMessage("Hello."))
    async with open_concierge(make_settings(), models={"agent": agent}, before_agent=own) as concierge:
        await concierge.send("Hello", **ANA)
    assert str(agent.asked[0][0].content).endswith("In t.")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {"tools": [acting(tool("search_flights", description="Mine")(print), str)]},
            "a tool named search_flights already",
        ),
        ({"tools": [print]}, "tools= takes LangChain tools"),
        ({"tools": [tool("tides", description="Tides", return_direct=True)(print)]}, "tides has return_direct"),
        *(
            ({"tools": [acting(reserver([]), wrong)]}, r"acting\(reserve, …\) takes a function")
            for wrong in list[Any]([None, "Reserve a table."])
        ),
        ({"travel": object()}, "object lacks name, capabilities, country, offer"),
        ({"embedder": "openai"}, "embedder= takes an Embeddings object"),
        ({"models": {"agents": scripted()}}, "for agent, summary, consolidation, not agents="),
        ({"models": {"agent": "anthropic:claude"}}, "load_settings"),
        ({"before_agent": [table_for, table_for]}, "a node named table_for already"),
        ({"before_agent": [misnamed]}, r"async functions of state and runtime.*misnamed takes 'rt'"),
        ({"before_agent": [MisnamedNode()]}, "MisnamedNode takes 'rt'"),
        ({"members": lambda user_id, workspace: True}, "members= takes an async function"),
    ],
)
async def test_wrong_parts_are_rejected_at_startup(make_settings: Make, parts: Any, expected: str) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        build_graph(make_settings(), **parts)
    with pytest.raises(InvalidInputError, match=expected):
        async with open_concierge(make_settings(), **parts):
            pass


async def test_values_that_are_no_parts_are_rejected_at_startup(make_settings: Make) -> None:
    misspelt: Any = {"modles": {}}
    with pytest.raises(TypeError, match=r"'modles' is an unknown keyword argument.*models"):
        build_graph(make_settings(), **misspelt)
    with pytest.raises(TypeError, match="modles"):
        async with open_concierge(make_settings(), **misspelt):
            pass


async def test_provider_sells_only_the_kinds_that_it_declares(make_settings: Make, tmp_path: Path) -> None:
    class Houses:
        """Sells the rooms of the sample world, and nothing else."""

        name, capabilities = "Houses", frozenset({"hotels"})

        def __init__(self) -> None:
            world = SampleWorld(tmp_path, clock=lambda: pytest.fail("nobody asks for the time"))
            self.country, self.offer = world.country, world.offer

    houses: Any = Houses()
    with pytest.raises(InvalidInputError, match="Houses lacks search_hotels"):
        build_graph(make_settings(), travel=houses)
    houses.search_hotels = None
    agent = scripted(AIMessage("Hello."))
    async with open_concierge(make_settings(), models={"agent": agent}, travel=houses) as concierge:
        await concierge.send("hello", **ANA)
    offered = set(agent.offered[0])
    assert {"search_hotels", "offer_details"} <= offered
    assert {"search_flights", "seat_map", "book_offer", "choose_seats"} & offered == set()


async def test_schema_is_a_file_or_an_object(make_settings: Make, tmp_path: Path) -> None:
    claims = [{"attribute": "poison", "value": "none", "stance": "requires"}]
    for schema in (str(GARDENER), load_schema(GARDENER)):
        agent = scripted(save("No poison in my garden", "pests", claims=claims), AIMessage("Noted."))
        async with open_concierge(make_settings(), models={"agent": agent}, schema=schema) as concierge:
            reply = await concierge.send("No poison in my garden", user_id="ana", thread_id=type(schema).__name__)
            assert [note.topic for note in reply.memory.written] == ["pests"]
            assert (await concierge.memory("ana").deny("pests")).denied == ("pests",)
            await concierge.memory("ana").allow("pests")
    faulty = tmp_path / "faulty.toml"
    faulty.write_text('name = "x"\n[topics.other]\nabuot = "typo"\n')
    with pytest.raises(SettingsError, match="line 2"):
        build_graph(make_settings(), schema=faulty)


async def test_embedder_is_used_by_every_search(make_settings: Make) -> None:
    seen: list[str] = []

    class Counted(DeterministicFakeEmbedding):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            seen.extend(texts)
            return super().embed_documents(texts)

    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with open_concierge(
        make_settings(episodes="off"), models={"agent": agent}, embedder=Counted(size=32)
    ) as concierge:
        await concierge.send("I am vegetarian", **ANA, end_session=True)
        assert await concierge.recall("vegetarian food", user_id="ana")
        assert seen
        before = len(seen)
        assert await concierge.memory("ana").search("vegetarian food")
        assert len(seen) > before


async def test_search_raises_if_the_embedder_fails(make_settings: Make) -> None:
    class Down(DeterministicFakeEmbedding):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise RuntimeError("down")

    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with open_concierge(
        make_settings(preload_episodes=1), models={"agent": agent}, embedder=Down(size=32)
    ) as concierge:
        await concierge.send("I am vegetarian", **ANA, end_session=True)
        assert (await concierge.send("Where shall we eat?", user_id="ana", thread_id="u")).text == "Noted."
        (hit,) = await concierge.recall("vegetarian", user_id="ana", scopes=["note"])
        assert hit.why["fault"] == "the embedder raised RuntimeError"
        with pytest.raises(SetupError, match="its meaning could not be compared"):
            await concierge.recall("which food", user_id="ana")
        with pytest.raises(StorageError, match="Down failed on the query: down"):
            await concierge.memory("ana").search("vegetarian")


async def test_own_store_and_checkpointer_remain_open_after_the_concierge(make_settings: Make) -> None:
    parts: dict[str, Any] = {"store": InMemoryStore(), "checkpointer": InMemorySaver()}
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    for _ in range(2):
        async with open_concierge(make_settings(), models={"agent": agent}, **parts) as concierge:
            await concierge.send("I am vegetarian", **ANA, end_session=True)
    async with open_concierge(make_settings(), **parts) as concierge:
        assert [note.text for note in await concierge.memory("ana").notes()] == ["I am vegetarian"]
        assert [one.turn for one in await concierge.history(**ANA) if one.role == "user"] == [1, 2]
    assert not (make_settings().data_dir / "store").exists()


async def test_instructions_added_by_a_node_last_for_its_turn_including_an_approval(make_settings: Make) -> None:
    instructions = iter(["Trains are on strike.", ""])

    async def strikes(state: Any, runtime: Any) -> dict[str, Any]:
        return {"added_instructions": text} if (text := next(instructions)) else {}

    agent = scripted(calls("reserve", people=2), AIMessage("Done."))
    own = [acting(reserver([]), table_for)]
    async with open_concierge(make_settings(), models={"agent": agent}, tools=own, before_agent=[strikes]) as concierge:
        await concierge.send("A table for two", **ANA)
        await concierge.resume("approve", **ANA)
        await concierge.send("Thanks", **ANA)
    ends = [str(asked[0].content).endswith("Trains are on strike.") for asked in agent.asked]
    assert ends == [True, True, False]


def test_synchronous_opening_takes_the_same_parts() -> None:
    assert inspect.signature(open_concierge_sync).parameters == inspect.signature(open_concierge).parameters
    parts = [inspect.signature(opening).parameters["parts"].annotation for opening in (open_concierge, build_graph)]
    assert parts == ["Unpack[Parts]"] * 2
    assert {"models", "tools", "travel", "embedder", "schema", "before_agent", "store"} <= Parts.__optional_keys__


async def test_own_tools_run_in_a_notebook(make_settings: Make) -> None:
    done: list[tuple[str, int]] = []
    agent = scripted(calls("reserve", people=2), AIMessage("Done."))
    with open_concierge_sync(make_settings(), models={"agent": agent}, tools=[reserver(done)]) as concierge:
        assert concierge.send("A table for two", **ANA).text == "Done."
    assert done == [("ana", 2)]


async def test_concierge_within_another_graph_uses_its_own_store(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:

        async def ask(state: MessagesState) -> dict[str, Any]:
            return {"messages": [AIMessage((await concierge.send("hi", **ANA)).text)]}

        graph, other = StateGraph(MessagesState), InMemoryStore()
        graph.add_node("ask", ask)
        graph.add_edge(START, "ask")
        done = await graph.compile(store=other).ainvoke({"messages": []})
        assert done["messages"][-1].text == "Hello."
        assert other.list_namespaces() == []
        assert len(await concierge.sweep(idle=timedelta(0))) == 1
