from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, MessagesState, StateGraph

from config.errors import ModelError
from models import answer
from tests.models.conftest import MakeModels
from tests.openai_server import Call, OpenAIServer, Reply

ASK: list[BaseMessage] = [SystemMessage("You book trips."), HumanMessage("A flight to Paris, please.")]


@tool
def search_flights(origin: str, destination: str) -> str:
    """Search flights."""
    return f"{origin}-{destination}"


@tool
def list_memories() -> str:
    """List what is remembered."""
    return ""


TOOLS: list[BaseTool] = [search_flights, list_memories]
PARIS = '{"origin": "SFO", "destination": "CDG"}'


async def test_answer_is_one_whole_message_with_its_token_counts(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply("When would you like to fly? ✈️", usage=(120, 9)))
    message = await answer(make_models().get("agent"), ASK, timeout=10)
    assert type(message) is AIMessage
    assert message.text == "When would you like to fly? ✈️"
    assert message.usage_metadata
    assert (message.usage_metadata["input_tokens"], message.usage_metadata["output_tokens"]) == (120, 9)
    sent = openai_server.requests[0].body
    assert sent["messages"] == [
        {"role": "system", "content": "You book trips."},
        {"role": "user", "content": "A flight to Paris, please."},
    ]
    assert sent["stream"] is True
    assert sent["stream_options"] == {"include_usage": True}
    assert "tools" not in sent


async def test_streaming_graph_sees_the_words_in_order(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("one two three four"))
    model = make_models().get("agent")

    async def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await answer(model, state["messages"], timeout=10)]}

    graph = StateGraph(MessagesState).add_node(agent).add_edge(START, "agent").compile()
    seen = [
        part.text
        async for part, _ in graph.astream(MessagesState(messages=[HumanMessage("hi")]), stream_mode="messages")
        if isinstance(part, AIMessage) and part.text
    ]
    assert seen == ["one ", "two ", "three ", "four"]


async def test_tool_calls_are_assembled_from_fragments(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(calls=(Call("search_flights", PARIS, "call_a"), Call("list_memories", "", "call_b"))))
    message = await answer(make_models().get("agent"), ASK, tools=TOOLS, timeout=10)
    assert [(call["name"], call["args"], call["id"]) for call in message.tool_calls] == [
        ("search_flights", {"origin": "SFO", "destination": "CDG"}, "call_a"),
        ("list_memories", {}, "call_b"),
    ]
    offered = openai_server.requests[0].body["tools"]
    assert [entry["function"]["name"] for entry in offered] == ["search_flights", "list_memories"]
    assert set(offered[0]["function"]["parameters"]["required"]) == {"origin", "destination"}


async def test_conversation_with_tool_results_is_sent(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(calls=(Call("search_flights", PARIS, "call_a"),)), Reply("Two flights."))
    model = make_models().get("agent")
    call = await answer(model, ASK, tools=TOOLS, timeout=10)
    done = await answer(model, [*ASK, call, ToolMessage("AF83", tool_call_id="call_a")], tools=TOOLS, timeout=10)
    assert done.text == "Two flights."
    assert openai_server.requests[1].body["messages"][-1] == {
        "role": "tool",
        "content": "AF83",
        "tool_call_id": "call_a",
    }


@pytest.mark.parametrize("arguments", ['{"origin": "SFO", "destina', "{origin: SFO}", '["SFO", "CDG"]', "SFO to CDG"])
async def test_malformed_call_is_sent_back_once(
    make_models: MakeModels, openai_server: OpenAIServer, arguments: str
) -> None:
    openai_server.script(
        Reply(calls=(Call("search_flights", arguments, "call_x"), Call("list_memories", "{}", "call_y"))),
        Reply(calls=(Call("search_flights", PARIS, "call_z"),)),
    )
    message = await answer(make_models().get("agent"), ASK, tools=TOOLS, timeout=10)
    assert [call["id"] for call in message.tool_calls] == ["call_z"]
    again = openai_server.requests[1].body["messages"][len(ASK) :]
    assert [entry["role"] for entry in again] == ["assistant", "tool", "tool"]
    assert {entry["tool_call_id"] for entry in again[1:]} == {"call_x", "call_y"}
    assert "JSON" in again[1]["content"]


async def test_call_that_stays_malformed_is_invalid(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    broken = Reply(calls=(Call("search_flights", '{"origin": "SF'),))
    openai_server.script(broken, broken, Reply("never asked"))
    with pytest.raises(ModelError) as caught:
        await answer(make_models().get("agent"), ASK, tools=TOOLS, timeout=10)
    assert caught.value.fault == "invalid"
    assert len(openai_server.requests) == 2


async def test_call_without_a_name_is_sent_back(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(calls=(Call("", "{}"),)), Reply("I meant nothing."))
    message = await answer(make_models().get("agent"), ASK, tools=TOOLS, timeout=10)
    assert message.text == "I meant nothing."
    assert message.tool_calls == []


async def test_valid_calls_next_to_a_malformed_one_are_kept(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    mixed = Reply(calls=(Call("search_flights", "{", "call_x"), Call("list_memories", "{}", "call_y")))
    openai_server.script(mixed, mixed, Reply("Done."))
    model = make_models().get("agent")
    message = await answer(model, ASK, tools=TOOLS, timeout=10)
    (kept,) = message.tool_calls
    assert kept["name"] == "list_memories"
    assert message.invalid_tool_calls == []
    # The endpoint rejects a conversation with an unanswered call, so the malformed one must be removed.
    after = await answer(
        model, [*ASK, message, ToolMessage("none", tool_call_id=str(kept["id"]))], tools=TOOLS, timeout=10
    )
    assert after.text == "Done."


async def test_calls_without_an_id_get_distinct_ids(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(calls=(Call("list_memories", "{}", ""), Call("search_flights", PARIS, ""))))
    message = await answer(make_models().get("agent"), ASK, tools=TOOLS, timeout=10)
    ids = [call["id"] for call in message.tool_calls]
    assert all(ids)
    assert len(set(ids)) == 2


async def test_repeated_call_ids_are_made_distinct(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    again = Reply(calls=(Call("list_memories", "{}", "0"), Call("list_memories", "{}", "0")))
    openai_server.script(again, again, again)
    model = make_models().get("agent")
    conversation = list(ASK)
    for _ in range(3):
        message = await answer(model, conversation, tools=TOOLS, timeout=10)
        results = [ToolMessage("none", tool_call_id=str(call["id"])) for call in message.tool_calls]
        conversation += [message, *results]
    ids = [call["id"] for one in conversation if isinstance(one, AIMessage) for call in one.tool_calls]
    assert ids[0] == "0"
    assert len(set(ids)) == len(ids) == 6


async def test_same_conversation_gets_the_same_ids(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(*[Reply(calls=(Call("list_memories", "{}", ""),))] * 2)
    model = make_models().get("agent")
    first, second = [await answer(model, ASK, tools=TOOLS, timeout=10) for _ in range(2)]
    assert first.tool_calls == second.tool_calls


@pytest.mark.parametrize("reply", [Reply(""), Reply(" \n\t "), Reply(choices=False)], ids=["none", "blank", "choices"])
async def test_empty_answer_has_the_fault_empty(
    make_models: MakeModels, openai_server: OpenAIServer, reply: Reply
) -> None:
    openai_server.script(reply)
    with pytest.raises(ModelError, match="empty answer") as caught:
        await answer(make_models().get("agent"), ASK, timeout=10)
    assert caught.value.fault == "empty"


async def test_empty_answer_at_the_length_limit_says_so(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("", finish="length"))
    with pytest.raises(ModelError, match="length limit") as caught:
        await answer(make_models().get("agent"), ASK, timeout=10)
    assert caught.value.fault == "empty"


async def test_truncated_answer_names_the_setting_to_raise(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply("The first half of", finish="length"))
    with pytest.raises(ModelError, match="CONCIERGE_MAX_OUTPUT_TOKENS") as caught:
        await answer(make_models().get("agent"), ASK, timeout=10)
    assert caught.value.fault == "cut"


def _stream(*events: dict[str, Any]) -> Reply:
    return Reply(raw="".join(f"data: {json.dumps(one)}\n\n" for one in events), content_type="text/event-stream")


HALF: dict[str, Any] = {
    "id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk",
    "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Half an ans"}, "finish_reason": None}],
}  # fmt: skip
COUNTED = {**HALF, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}}


async def test_stream_that_ends_before_its_answer_is_an_error(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    openai_server.script(_stream(HALF), _stream(HALF, COUNTED))
    model = make_models().get("agent")
    with pytest.raises(ModelError, match="its answer broke off") as caught:
        await answer(model, ASK, timeout=10)
    assert caught.value.fault == "server"
    # Some servers send no finish reason.
    assert (await answer(model, ASK, timeout=10)).text == "Half an ans"


async def test_endless_answer_is_stopped() -> None:
    class Endless(FakeListChatModel):
        async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
            for _ in range(20_000):
                with suppress(asyncio.CancelledError):  # as a client that waits for a chunk with `asyncio.wait_for` may
                    await asyncio.sleep(0)
                yield ChatGenerationChunk(message=AIMessageChunk(content="and "))

    with pytest.raises(ModelError) as caught:
        await answer(Endless(responses=[""]), ASK, timeout=0.05)
    assert caught.value.fault == "timeout"


async def test_content_filter_is_a_refusal(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("", finish="content_filter"))
    with pytest.raises(ModelError) as caught:
        await answer(make_models().get("agent"), ASK, timeout=10)
    assert caught.value.fault == "refused"


async def test_any_chat_model_can_be_used() -> None:
    streaming = GenericFakeChatModel(messages=iter([AIMessage("Where do you want to go?")]))
    assert (await answer(streaming, ASK, timeout=10)).text == "Where do you want to go?"
    assert (await answer(FakeListChatModel(responses=["Hello there"]), ASK, timeout=10)).text == "Hello there"


async def test_text_in_any_script_is_unchanged(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    text = "窓側の席\u0000 مقعد 👩‍👩‍👧 é"
    openai_server.script(Reply(text))
    message = await answer(make_models().get("agent"), [HumanMessage(text)], timeout=10)
    assert message.text == text
    assert openai_server.requests[0].body["messages"][0]["content"] == text


async def test_cancellation_is_passed_on(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("late", wait=60))
    task = asyncio.create_task(answer(make_models().get("agent"), ASK, timeout=60))
    assert await asyncio.to_thread(openai_server.arrived.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
