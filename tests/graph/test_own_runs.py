"""Running the compiled graph as LangGraph users do: concurrently, within a stream, and within another graph."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore

from config.errors import ConflictError, InvalidInputError, SetupError
from config.settings import Settings
from graph import build_graph
from graph.context import Context
from graph.entry import GuardedGraph
from tests.conftest import Opener
from tests.scripted import ScriptedModel, scripted

Make = Callable[..., Settings]
ANA = Context(user_id="ana")
THREAD: Any = {"configurable": {"thread_id": "t"}}


@pytest.fixture
def graph(make_settings: Make) -> GuardedGraph:
    agent = scripted(lambda messages: AIMessage(f"You said {messages[-1].text}."))
    return build_graph(make_settings(), models={"agent": agent}, checkpointer=InMemorySaver(), store=InMemoryStore())


def said(text: str) -> Any:
    return {"messages": text}


async def texts(graph: GuardedGraph) -> list[str]:
    return [message.text for message in (await graph.aget_state(THREAD)).values["messages"]]


async def test_runs_on_one_thread_wait_for_each_other(graph: GuardedGraph) -> None:
    words = ("one", "two", "three", "four")
    await asyncio.gather(*(graph.ainvoke(said(word), THREAD, context=ANA) for word in words))
    assert sorted(await texts(graph)) == sorted([*words, *(f"You said {word}." for word in words)])
    assert (await graph.aget_state(THREAD)).values["turns"] == 4


async def test_run_of_the_graph_waits_for_one_of_the_concierge(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        await asyncio.gather(
            concierge.send("one", user_id="ana", thread_id="t"),
            concierge.graph.ainvoke(said("two"), THREAD, context=ANA),
        )
        entries = await concierge.history(user_id="ana", thread_id="t")
        assert [one.turn for one in entries if one.role == "user"] == [1, 2]


class Typing(ScriptedModel):
    """Streams its answers letter by letter."""

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        text = self._generate(messages, *args, **kwargs).generations[0].message.text
        yield from (ChatGenerationChunk(message=AIMessageChunk(content=letter)) for letter in text)


@pytest.mark.parametrize("model", [ScriptedModel, Typing])
@pytest.mark.parametrize("how", [{}, {"subgraphs": True}, {"version": "v2"}], ids=str)
@pytest.mark.parametrize("mode", ["messages", ["messages", "values"]], ids=str)
async def test_streamed_answer_has_no_marker(
    make_settings: Make, model: type[ScriptedModel], how: dict[str, Any], mode: Any
) -> None:
    agent = model(script=[AIMessage('Try "Da *Mario*".\n<used>nffff</used>')], asked=[])
    graph = build_graph(make_settings(), models={"agent": agent}, checkpointer=InMemorySaver(), store=InMemoryStore())
    parts = [part async for part in graph.astream(said("hi"), THREAD, context=ANA, stream_mode=mode, **how)]
    parts = [
        part["data"] if isinstance(part, dict) else part if "langgraph_node" in part[1] else part[-1] for part in parts
    ]
    pieces = [part[0].text for part in parts if isinstance(part, tuple) and isinstance(part[0], AIMessage)]
    assert "".join(pieces) == (await texts(graph))[-1] == 'Try "Da *Mario*".'
    assert (len(pieces) > 10) is (model is Typing)


class Block(Typing):
    """Streams its answers in a content block, with an id of its own."""

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        for chunk in super()._stream(*args, **kwargs):
            block = {"type": "text", "text": str(chunk.message.text), "index": 0}
            yield ChatGenerationChunk(message=AIMessageChunk(content=[block], id="chatcmpl-1"))


@pytest.mark.parametrize(
    ("answer", "marker"), [("Take **Finnair** now: **AY1**", ""), ("Take **AY1** now.", "\n<used>nffff</used>")]
)
async def test_streamed_blocks_add_up_to_the_answer(make_settings: Make, answer: str, marker: str) -> None:
    agent = Block(script=[AIMessage(answer + marker)], asked=[])
    graph = build_graph(make_settings(), models={"agent": agent}, checkpointer=InMemorySaver(), store=InMemoryStore())
    parts = graph.astream(said("hi"), THREAD, context=ANA, stream_mode="messages")
    chunks = [message async for message, _ in parts if message.id == "chatcmpl-1"]
    assert reduce(add, chunks).content == [{"type": "text", "text": answer, "index": 0}]
    assert (await texts(graph))[-1] == answer


async def test_second_run_within_an_unread_stream_is_refused(graph: GuardedGraph) -> None:
    stream = graph.astream(said("one"), THREAD, context=ANA, stream_mode="values")
    async for _ in stream:
        with pytest.raises(ConflictError, match="Read its stream to the end"):
            await graph.ainvoke(said("two"), THREAD, context=ANA)
    await graph.ainvoke(said("three"), THREAD, context=ANA)
    assert await texts(graph) == ["one", "You said one.", "three", "You said three."]


async def test_closed_stream_frees_its_thread(graph: GuardedGraph) -> None:
    stream = graph.astream(said("one"), THREAD, context=ANA, stream_mode="values")
    await anext(stream)
    await stream.aclose()
    await graph.ainvoke(said("two"), THREAD, context=ANA)
    assert "two" in await texts(graph)


@pytest.mark.parametrize("checkpointer", [None, True, InMemorySaver()], ids=["none", "True", "own"])
async def test_graph_as_a_node_of_another_graph_is_refused(make_settings: Make, checkpointer: Any) -> None:
    agent = scripted(AIMessage("Hello."))
    store = InMemoryStore()
    inner = build_graph(make_settings(), models={"agent": agent}, checkpointer=checkpointer, store=store)
    outer = StateGraph(MessagesState, context_schema=Context)
    outer.add_node("coach", inner)
    outer.add_edge(START, "coach")
    compiled = outer.compile(checkpointer=InMemorySaver(), store=store)
    with pytest.raises(SetupError, match="a node that calls it"):
        await compiled.ainvoke(said("hi"), THREAD, context=ANA)
    assert agent.asked == []


@pytest.mark.parametrize(("mode", "written"), [("on", 1), ("off", 0), (None, 1)])
async def test_context_may_stand_in_the_configuration(make_settings: Make, mode: str | None, written: int) -> None:
    graph = build_graph(make_settings(), checkpointer=InMemorySaver(), store=InMemoryStore())
    named = {"thread_id": "t", "user_id": "ana", **({"memory_mode": mode} if mode else {})}
    done = await graph.ainvoke(said("I'm vegetarian"), {"configurable": named})
    assert len(done["report"]["memory"]["written"]) == written


async def test_unusable_configuration_is_refused_with_what_to_do(graph: GuardedGraph) -> None:
    with pytest.raises(InvalidInputError, match="memory_mode is 'never'"):
        await graph.ainvoke(said("hi"), {"configurable": {"thread_id": "t", "user_id": "ana", "memory_mode": "never"}})
    with pytest.raises(SetupError, match="thread_id"):
        await graph.ainvoke(said("hi"), context=ANA)
    assert (await graph.aget_state(THREAD)).values == {}


async def test_graph_called_by_a_node_of_another_graph_keeps_its_own_thread(graph: GuardedGraph) -> None:
    async def coach(state: MessagesState) -> dict[str, Any]:
        done = await graph.ainvoke(said(state["messages"][-1].text), THREAD, context=ANA)
        return {"messages": done["messages"][-1:]}

    outer = StateGraph(MessagesState)
    outer.add_node("coach", coach)
    outer.add_edge(START, "coach")
    compiled = outer.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
    config: Any = {"configurable": {"thread_id": "outer"}}
    for _ in range(2):
        done = await compiled.ainvoke(said("hi"), config)
        assert done["messages"][-1].text == "You said hi."
    assert len(await texts(graph)) == 4
