from __future__ import annotations

import asyncio
import logging
import socket
import traceback
from collections.abc import AsyncIterator

import httpx
import langchain_core.exceptions as lc
import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import tool

from config.errors import ModelError
from config.settings import load_settings
from models import Models, answer, structured
from models.schemas import PlanProposal
from tests.models.conftest import KEY, MakeModels
from tests.openai_server import OpenAIServer, Reply

SECRET = "my card is 4111 1111 1111 1111"
ASK: list[BaseMessage] = [HumanMessage(SECRET)]
SOON = {"retry-after-ms": "1"}


class _Raises(FakeListChatModel):
    """A chat model of another library, with exceptions of its own."""

    error: Exception

    async def _astream(self, *args: object, **kwargs: object) -> AsyncIterator[ChatGenerationChunk]:
        raise self.error
        yield


async def fault_of(models: Models, *, timeout: float = 20) -> ModelError:  # noqa: ASYNC109
    with pytest.raises(ModelError) as caught:
        await answer(models.get("agent"), ASK, timeout=timeout)
    shown = "".join(traceback.format_exception(caught.value))
    assert SECRET not in shown
    assert KEY not in shown
    return caught.value


@pytest.mark.parametrize(
    ("status", "code", "fault", "words"),
    [
        (400, "", "invalid", "HTTP 400"),
        (400, "context_length_exceeded", "invalid", "context_length_exceeded"),
        (400, "content_filter", "refused", "content_filter"),
        (401, "invalid_api_key", "auth", "OPENAI_API_KEY"),
        (403, "", "auth", "OPENAI_API_KEY"),
        (404, "model_not_found", "invalid", "model_not_found"),
        (408, "", "timeout", "CONCIERGE_MODEL_TIMEOUT"),
        (422, "", "invalid", "HTTP 422"),
        (429, "", "rate_limited", "HTTP 429"),
        (429, "insufficient_quota", "rate_limited", "insufficient_quota"),
        (500, "", "server", "HTTP 500"),
        (502, "", "server", "HTTP 502"),
        (503, "", "server", "HTTP 503"),
        (504, "", "timeout", "HTTP 504"),
    ],
)
async def test_each_status_has_its_fault(
    make_models: MakeModels, openai_server: OpenAIServer, status: int, code: str, fault: str, words: str
) -> None:
    openai_server.script(Reply(status=status, code=code))
    error = await fault_of(make_models())
    assert error.fault == fault
    assert words in str(error)
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_transient_errors_are_retried(make_models: MakeModels, openai_server: OpenAIServer, status: int) -> None:
    trouble = Reply(status=status, headers=SOON)
    openai_server.script(trouble, trouble, Reply("At last."))
    message = await answer(make_models(model_max_retries=2).get("agent"), ASK, timeout=20)
    assert message.text == "At last."
    assert len(openai_server.requests) == 3


@pytest.mark.parametrize(("status", "fault"), [(429, "rate_limited"), (500, "server")])
async def test_retries_are_limited(
    make_models: MakeModels, openai_server: OpenAIServer, status: int, fault: str
) -> None:
    openai_server.script(*[Reply(status=status, headers=SOON)] * 9)
    error = await fault_of(make_models(model_max_retries=3))
    assert error.fault == fault
    assert len(openai_server.requests) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_permanent_errors_are_not_retried(
    make_models: MakeModels, openai_server: OpenAIServer, status: int
) -> None:
    openai_server.script(Reply(status=status, headers=SOON), Reply("never"))
    await fault_of(make_models(model_max_retries=3))
    assert len(openai_server.requests) == 1


async def test_structured_calls_are_retried(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(status=500, headers=SOON), Reply('{"operations": []}'))
    models = make_models(model_max_retries=1)
    assert (await structured(models.get("consolidation"), PlanProposal, ASK, timeout=20)).operations == []
    assert len(openai_server.requests) == 2


async def test_lost_connection_is_retried(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(drop="before"), Reply("Back again."))
    assert (await answer(make_models(model_max_retries=1).get("agent"), ASK, timeout=20)).text == "Back again."
    assert len(openai_server.requests) == 2


async def test_only_a_bare_error_code_is_repeated(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(status=400, code=SECRET), Reply(status=400, code=KEY))
    models = make_models()
    for _ in range(2):
        assert "HTTP 400" in str(await fault_of(models))


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (lc.ModelTimeoutError(), "timeout"),
        (lc.ModelConnectionError(), "unreachable"),
        (lc.ModelAuthenticationError(), "auth"),
        (lc.ModelPermissionDeniedError(), "auth"),
        (lc.ModelRateLimitError(), "rate_limited"),
        (lc.ModelInvalidRequestError(), "invalid"),
        (lc.ModelNotFoundError(), "invalid"),
        (lc.ContextOverflowError(), "invalid"),
        (lc.OutputParserException(SECRET), "invalid"),
        (httpx.ReadTimeout(SECRET), "timeout"),
        (httpx.ConnectError(SECRET), "unreachable"),
        (ConnectionResetError(SECRET), "unreachable"),
        (KeyError(SECRET), "invalid"),
        (TypeError(SECRET), "invalid"),
        (RuntimeError(SECRET), "server"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_every_exception_of_a_chat_model_has_a_fault(error: Exception, fault: str) -> None:
    models = Models(load_settings(_env_file=None), {"agent": _Raises(responses=[], error=error)})
    assert (await fault_of(models)).fault == fault


async def test_wrong_key_is_reported_and_not_shown(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.key = "sk-another"
    error = await fault_of(make_models())
    assert error.fault == "auth"
    assert "OPENAI_API_KEY" in str(error)


async def test_missing_endpoint_is_unreachable(make_models: MakeModels) -> None:
    with socket.socket() as taken:  # bound but not listening, so that no connection succeeds
        taken.bind(("127.0.0.1", 0))
        error = await fault_of(make_models(openai_base_url=f"http://me:hunter2@127.0.0.1:{taken.getsockname()[1]}/v1"))
    assert error.fault == "unreachable"
    assert "OPENAI_BASE_URL" in str(error)
    assert "127.0.0.1" in str(error)
    assert "hunter2" not in str(error)


@pytest.mark.parametrize("drop", ["before", "midway"])
async def test_broken_connection_is_unreachable(
    make_models: MakeModels, openai_server: OpenAIServer, drop: str
) -> None:
    openai_server.script(Reply("one two three four five", drop=drop))  # type: ignore[arg-type]
    assert (await fault_of(make_models())).fault == "unreachable"


async def test_base_url_of_another_service_is_invalid(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    error = await fault_of(make_models(openai_base_url=openai_server.url + "/nothing"))
    assert error.fault == "invalid"
    assert "OPENAI_BASE_URL" in str(error)


@pytest.mark.parametrize(
    ("kind", "body", "fault"),
    [
        ("application/json", '{"choices": [{"del', "invalid"),
        ("text/html", "<html>It works!</html>", "invalid"),
        ("text/event-stream", 'data: {"choices": [{"del\n\n', "invalid"),
        ("text/event-stream", 'data: "text"\n\n', "invalid"),
        ("text/event-stream", 'data: {"unexpected": true}\n\ndata: [DONE]\n\n', "empty"),
    ],
    ids=["cut json", "html", "cut event", "no object", "other event"],
)
async def test_malformed_body_has_its_fault(
    make_models: MakeModels, openai_server: OpenAIServer, kind: str, body: str, fault: str
) -> None:
    openai_server.script(Reply(raw=body, content_type=kind))
    assert (await fault_of(make_models())).fault == fault


@pytest.mark.parametrize(
    "reply",
    [Reply(raw='{"choices": [{"mes'), Reply(raw="<html></html>", content_type="text/html"), Reply(raw="null")],
    ids=["cut", "html", "null"],
)
async def test_malformed_body_of_a_structured_call_is_invalid(
    make_models: MakeModels, openai_server: OpenAIServer, reply: Reply
) -> None:
    openai_server.script(reply)
    with pytest.raises(ModelError) as caught:
        await structured(make_models().get("consolidation"), PlanProposal, ASK, timeout=20)
    assert caught.value.fault == "invalid"


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ('"rate_limit_exceeded"', "rate_limited"),
        ('"server_error"', "server"),
        ("null", "server"),
        ("400", "invalid"),
        ('"429"', "rate_limited"),
    ],
)
async def test_error_event_in_a_stream_is_an_error(
    make_models: MakeModels, openai_server: OpenAIServer, code: str, fault: str
) -> None:
    event = f'data: {{"error": {{"message": "{SECRET}", "type": "server_error", "code": {code}}}}}\n\n'
    openai_server.script(Reply(raw=event, content_type="text/event-stream"))
    assert (await fault_of(make_models())).fault == fault


async def test_timeout_ends_a_call(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("late", wait=60))
    error = await fault_of(make_models(), timeout=0.3)
    assert error.fault == "timeout"
    assert "CONCIERGE_MODEL_TIMEOUT" in str(error)


async def test_configured_timeout_ends_a_request(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("late", wait=60))
    assert (await fault_of(make_models(model_timeout=0.3), timeout=60)).fault == "timeout"


async def test_timeout_includes_retries(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(*[Reply(status=500, headers={"retry-after": "50"})] * 9)
    assert (await fault_of(make_models(model_max_retries=9), timeout=0.5)).fault == "timeout"
    assert len(openai_server.requests) == 1


async def test_timeout_ends_a_structured_call(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("late", wait=60))
    with pytest.raises(ModelError) as caught:
        await structured(make_models().get("consolidation"), PlanProposal, ASK, timeout=0.3)
    assert caught.value.fault == "timeout"


async def test_text_that_cannot_be_encoded_is_invalid(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    with pytest.raises(ModelError) as caught:
        await answer(make_models().get("agent"), [HumanMessage("half a pair \ud83d")], timeout=20)
    assert caught.value.fault == "invalid"
    assert openai_server.requests == []


async def test_failure_does_not_affect_concurrent_calls(make_models: MakeModels, openai_server: OpenAIServer) -> None:
    openai_server.script(*[Reply(status=500), Reply("fine")] * 5)
    model = make_models().get("agent")
    results = await asyncio.gather(*(answer(model, ASK, timeout=20) for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(one, ModelError) for one in results) == 5
    assert sum(getattr(one, "text", "") == "fine" for one in results) == 5


async def test_logs_contain_neither_key_nor_conversation(
    make_models: MakeModels, openai_server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    openai_server.script(Reply(status=400), Reply("nonsense " + SECRET))
    models = make_models()
    with caplog.at_level(logging.DEBUG, logger="models"):
        await fault_of(models)
        with pytest.raises(ModelError):
            await structured(models.get("consolidation"), PlanProposal, ASK, timeout=20)
    assert "invalid" in caplog.text
    assert SECRET not in caplog.text
    assert KEY not in caplog.text


async def test_model_without_tools_or_structured_answers_is_a_clear_fault() -> None:
    plain = FakeListChatModel(responses=["x"])
    for call in (answer(plain, ASK, tools=[add], timeout=20), structured(plain, PlanProposal, ASK, timeout=20)):
        with pytest.raises(ModelError, match="bind_tools") as caught:
            await call
        assert caught.value.fault == "unsupported"


@tool
def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second
