"""Markers are filtered out of streams: in all of LangGraph's forms, in blocks, and whatever the ids of the chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langgraph.graph import START, MessagesState, StateGraph

from nodes.messages.citations import unmarked
from tests.tables import table

TASK = {"langgraph_node": "agent", "langgraph_checkpoint_ns": "agent:1"}
MARKER = "\n<used>n1a2b</used>"
PIECES = ["Take **Finn", "air** ", "now at ", "nine**", ". <us", "ed>n1a2b</used>"]


def block(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, "index": 0, **more}


def chunk(content: Any, id_: str = "one", **more: Any) -> AIMessageChunk:
    return AIMessageChunk(content=content, id=id_, **more)


def last(id_: str = "one", content: Any = "") -> AIMessageChunk:
    return chunk(content, id_, chunk_position="last")


async def streamed(parts: Sequence[Any]) -> list[Any]:
    async def source() -> AsyncIterator[Any]:
        for part in parts:
            yield part

    return [part async for part in unmarked(source())]


async def messages(*given: BaseMessage, **task: str) -> list[AIMessage]:
    return [message for message, _ in await streamed([(message, {**TASK, **task}) for message in given])]


def texts(given: Sequence[AIMessage]) -> list[tuple[str | None, str]]:
    return [(message.id, str(message.text)) for message in given if message.text]


async def test_added_blocks_keep_their_order() -> None:
    shown = await messages(*(chunk([block(piece)]) for piece in PIECES), last(content=[]))
    whole = reduce(add, shown)
    assert whole.content == [block("Take **Finnair** now at nine**.")]


async def test_held_text_is_added_to_its_own_block() -> None:
    call = {"type": "tool_use", "id": "c", "name": "find", "input": {}, "index": 1}
    shown = await messages(chunk([block("I look **")]), chunk([block("", citations=["a"])]), chunk([call]), last())
    assert reduce(add, shown[:-1]).content == [block("I look **", citations=["a"]), call]
    assert shown[-1] == last()


async def test_blocks_keep_their_place_and_keys() -> None:
    call = {"type": "tool_use", "id": "c", "name": "find", "input": {}}
    first, second = block("I look.", id="t1", annotations=["a"]), block(f"Done.{MARKER}", id="t2", annotations=["b"])
    (shown,) = await messages(AIMessage(["Well: ", first, call, second], id="one"))
    assert shown.content == ["Well:", {**first, "text": " I look."}, call, {**second, "text": "Done."}]


async def test_message_without_a_marker_is_unchanged() -> None:
    whole = AIMessage(["a ", block("b "), block("c **")], id="one")
    (shown,) = await messages(whole)
    assert shown.text == whole.text
    (same,) = await messages(unchanged := AIMessage("b **\n", id="one"))
    assert same is unchanged


async def test_held_text_is_shown_when_another_message_starts() -> None:
    flight = [chunk("Your flight is **", "chatcmpl-1"), chunk("AY1", "chatcmpl-1"), chunk("**", "chatcmpl-1")]
    shown = await messages(*flight, last("run-1"))
    assert [part.id for part in shown] == ["chatcmpl-1"] * 4 + ["run-1"]
    assert reduce(add, shown[:-1]).content == "Your flight is **AY1**"
    shown = await messages(*flight, AIMessage("The model broke off.", id="end"))
    assert texts(shown)[-2:] == [("chatcmpl-1", "**"), ("end", "The model broke off.")]


async def test_held_text_is_shown_before_the_same_message_arrives_whole() -> None:
    shown = await messages(chunk("AY1 **"), AIMessage(f"AY1 **now**.{MARKER}", id="one"))
    assert texts(shown) == [("one", "AY1"), ("one", " **"), ("one", "AY1 **now**.")]


async def test_held_text_is_shown_at_the_end_of_an_interrupted_stream() -> None:
    assert texts(await messages(chunk("AY1"), chunk("**"))) == [("one", "AY1"), ("one", "**")]
    assert texts(await messages(chunk("AY1"), chunk("**\n<used>n1"))) == [("one", "AY1"), ("one", "**")]


async def test_held_text_keeps_nothing_but_the_identity_of_its_message() -> None:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    given = chunk([block("**", id="t1", annotations=["a"])], usage_metadata=usage, response_metadata={"model": "m"})
    _, rest = await messages(given)
    assert rest == chunk([block("**", id="t1")])


async def test_streams_of_other_tasks_and_started_messages_do_not_show_held_text() -> None:
    parts = [(chunk("a <us"), TASK), (chunk("b ", "two"), {**TASK, "langgraph_checkpoint_ns": "agent:2"})]
    parts += [(chunk("ed>n1a2b</used>"), TASK), (last(), TASK)]
    assert texts([message for message, _ in await streamed(parts)]) == [("one", "a"), ("two", "b"), ("two", " ")]
    mixed = [chunk("", "response"), chunk("a <us"), chunk("", "response"), chunk("ed>n1</used>"), last()]
    assert texts(await messages(*mixed)) == [("one", "a")]


FORMS: list[Any] = [
    lambda message: (message, TASK),
    lambda message: ("messages", (message, TASK)),
    lambda message: (("inner:1",), (message, TASK)),
    lambda message: (("inner:1",), "messages", (message, TASK)),
    lambda message: {"type": "messages", "ns": ("inner:1",), "data": (message, TASK)},
]


@table("form", FORMS)
async def test_each_form_of_a_stream_is_kept(form: Any) -> None:
    parts = await streamed([form(chunk("AY1 **")), form(chunk(MARKER)), form(chunk("**", "two"))])
    expected = [chunk("AY1"), chunk(""), chunk("", "two"), chunk("**", "two")]
    assert parts == [form(message) for message in expected]


OTHERS: list[Any] = [
    {"messages": [AIMessage("a **", id="one")]},
    ("values", {"messages": [AIMessage("a **", id="one")]}),
    ("custom", (AIMessage("a **", id="one"), {})),
    (("inner:1",), "updates", {"agent": None}),
    {"type": "values", "ns": (), "data": {"messages": [AIMessage("a **", id="one")]}},
    {"type": "messages", "ns": (), "data": {"event": "message-start"}},
    (HumanMessage(f"a{MARKER}"), TASK),
    (),
    ((), ()),
    "a **",
    None,
]


@table("part", OTHERS)
async def test_parts_without_an_answer_are_unchanged(part: Any) -> None:
    assert (await streamed([part]))[0] is part


class Streaming(BaseChatModel):
    """Streams these chunks."""

    chunks: list[Any]

    @property
    def _llm_type(self) -> str:
        return "streaming"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        yield from (ChatGenerationChunk(message=one.model_copy()) for one in self.chunks)


@pytest.mark.parametrize("id_", [None, "chatcmpl-1"])
@pytest.mark.parametrize("make", [str, lambda piece: [block(piece)]], ids=["text", "blocks"])
async def test_streamed_messages_of_a_graph_add_up_to_the_answer(id_: Any, make: Any) -> None:
    pieces = ["Take **Finn", "air** ", "now at ", "**", "nine", "**"]
    model = Streaming(chunks=[chunk(make(piece), id_) for piece in pieces])

    async def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState).add_node("agent", agent).add_edge(START, "agent").compile()
    added: dict[str | None, Any] = {}
    async for message, _ in unmarked(graph.astream({"messages": [HumanMessage("hi")]}, stream_mode="messages")):
        added[message.id] = added[message.id] + message if message.id in added else message
    contents = [message.content for message in added.values() if message.text]
    assert contents == [make("Take **Finnair** now at **nine**")]
