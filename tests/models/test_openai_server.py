from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.openai_protocol import DIMENSIONS, request_fault
from tests.openai_server import EMBEDDINGS, Call, OpenAIServer, Reply

USER = {"role": "user", "content": "hi"}
CALLS = {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}, {"id": "b"}]}


def post(server: OpenAIServer, path: str, body: dict[str, Any], key: str = "k") -> Any:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Connection": "close"}
    with urlopen(Request(server.url + path, json.dumps(body).encode(), headers), timeout=10) as response:
        return json.loads(response.read())


def test_answer_without_streaming(openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("Hi.", calls=(Call("search", "{}"),), usage=(3, 4)))
    body = post(openai_server, "/chat/completions", {"model": "m", "messages": [USER]})
    (choice,) = body["choices"]
    assert choice["message"]["content"] == "Hi."
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}
    assert choice["finish_reason"] == "tool_calls"
    assert body["usage"] == {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}


def test_texts_with_common_words_have_near_vectors(openai_server: OpenAIServer) -> None:
    texts = ["window seat please", "a window seat", "vegetarian meal"]
    body = post(openai_server, "/embeddings", {"model": "m", "input": texts})
    window, seat, meal = [entry["embedding"] for entry in body["data"]]
    assert len(window) == DIMENSIONS
    assert _dot(window, window) == pytest.approx(1)
    assert _dot(window, seat) > _dot(window, meal)


def test_scripted_embedding_errors_do_not_affect_chat(openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(status=500), path=EMBEDDINGS)
    post(openai_server, "/chat/completions", {"model": "m", "messages": [USER]})
    with pytest.raises(HTTPError) as caught:
        post(openai_server, "/embeddings", {"model": "m", "input": "x"})
    caught.value.close()
    assert caught.value.code == 500
    assert [request.path for request in openai_server.requests] == ["/v1/chat/completions", "/v1/embeddings"]


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([USER, CALLS, {"role": "tool", "tool_call_id": "a"}, {"role": "tool", "tool_call_id": "b"}, USER], ""),
        ([USER, CALLS, {"role": "tool", "tool_call_id": "a"}, USER], "without an answer"),
        ([USER, CALLS], "without an answer"),
        ([USER, {"role": "tool", "tool_call_id": "a"}], "must follow"),
        ([{"role": "robot", "content": "hi"}], "unknown role"),
        ([], "required"),
    ],
)
def test_invalid_conversations_are_rejected(messages: list[dict[str, Any]], fault: str) -> None:
    actual = request_fault({"model": "m", "messages": messages})
    assert fault in actual
    assert bool(actual) == bool(fault)


def _dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
