"""The rules and shapes of the OpenAI API that `tests.openai_server` speaks: chat completions and embeddings.

Rules follow the API reference and the guide to structured outputs at platform.openai.com/docs.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

_ROLES = {"system", "developer", "user", "assistant", "tool"}
_NOT_STRICT = {
    "default", "oneOf", "allOf", "not", "if", "then", "else", "minLength", "maxLength", "uniqueItems", "prefixItems",
    "contains", "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired",
    "dependentSchemas", "unevaluatedProperties", "unevaluatedItems",
}  # fmt: skip
_DEPTH = 10
DIMENSIONS = 64


@dataclass(frozen=True)
class Call:
    """One tool call of a scripted reply. `arguments` is sent unchanged; `id=""` leaves out the id."""

    name: str
    arguments: str
    id: str = "call_1"


@dataclass(frozen=True)
class Reply:
    """The server's answer to one request.

    Attributes:
        text, calls, refusal, finish: The assistant's message and its finish reason.
        usage: Prompt and completion tokens.
        status, code, headers: An error of the API instead, from status 400 on.
        raw, content_type: A body to send unchanged instead of the message.
        choices: Whether the answer has choices.
        drop: Where to close the connection: before the answer, or in the middle of it.
        wait: Seconds before the answer; the wait ends when the server stops.
        together: The number of such requests that must wait before any is answered.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str = ""
    finish: str = ""
    usage: tuple[int, int] = (11, 7)
    status: int = 200
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: str = ""
    content_type: str = "application/json"
    choices: bool = True
    drop: Literal["", "before", "midway"] = ""
    wait: float = 0.0
    together: int = 1

    @property
    def finish_reason(self) -> str:
        """Return the scripted reason, else the one that fits the message."""
        return self.finish or ("tool_calls" if self.calls else "stop")


def error_body(status: int, message: str, code: str = "") -> dict[str, Any]:
    """Return an error in the format of the API."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code or None}}


def completion(reply: Reply, model: str, number: int) -> dict[str, Any]:
    """Return the body of an answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal or None}
    if reply.calls:
        message["tool_calls"] = [_call(call, call.arguments) for call in reply.calls]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason, "logprobs": None}
    return {
        **_head("chat.completion", model, number),
        "choices": [choice] if reply.choices else [],
        "usage": _usage(reply),
    }


def chunks(reply: Reply, model: str, number: int, *, usage: bool) -> Iterator[dict[str, Any]]:
    """Yield the events of a streamed answer: single words, fragments of arguments, and `usage` last if requested."""
    head = _head("chat.completion.chunk", model, number)
    if reply.choices:
        for delta in _deltas(reply):
            yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]}
    if usage:
        yield {**head, "choices": [], "usage": _usage(reply)}


def _deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for piece in re.findall(r"\S+\s*|\s+", reply.text):
        yield {"content": piece}
    if reply.refusal:
        yield {"refusal": reply.refusal}
    for index, call in enumerate(reply.calls):
        yield {"tool_calls": [{"index": index, **_call(call, "")}]}
        for start in range(0, len(call.arguments), 5):
            fragment = {"arguments": call.arguments[start : start + 5]}
            yield {"tool_calls": [{"index": index, "function": fragment}]}


def _head(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 1_790_000_000, "model": model}


def _call(call: Call, arguments: str) -> dict[str, Any]:
    function = {"type": "function", "function": {"name": call.name, "arguments": arguments}}
    return {"id": call.id, **function} if call.id else function


def _usage(reply: Reply) -> dict[str, int]:
    prompt, answer = reply.usage
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return unit vectors that are near for texts with common words, as base64 of float32 if requested."""
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    size = int(body.get("dimensions") or DIMENSIONS)
    data = []
    for index, text in enumerate(texts):
        vector = _vector(text if isinstance(text, str) else " ".join(map(str, text)), size)
        packed = base64.b64encode(struct.pack(f"<{size}f", *vector)).decode()
        embedding = packed if body.get("encoding_format") == "base64" else vector
        data.append({"object": "embedding", "index": index, "embedding": embedding})
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _vector(text: str, size: int) -> list[float]:
    counts = [0.0] * size
    for word in re.findall(r"\w+", text.lower()) or [""]:
        counts[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % size] += 1.0
    length = math.sqrt(sum(value * value for value in counts))
    return [value / length for value in counts]


def request_fault(body: Mapping[str, Any]) -> str:
    """Return why the API would reject this chat request with 400, or "" if it would accept it."""
    if not body.get("model") or not body.get("messages"):
        return "model and messages are required"
    if body.get("stream_options") and not body.get("stream"):
        return "stream_options is only allowed with stream"
    wanted = body.get("response_format") or {}
    schema = wanted.get("json_schema") or {}
    if wanted.get("type") == "json_schema" and schema.get("strict") and (fault := strict_fault(schema["schema"])):
        return f"Invalid schema for response_format {schema['name']!r}: {fault}"
    for tool in body.get("tools") or []:
        function = tool["function"]
        if function.get("strict") and (fault := strict_fault(function["parameters"])):
            return f"Invalid schema for function {function['name']!r}: {fault}"
    return _conversation_fault(body["messages"])


def _conversation_fault(messages: Sequence[Mapping[str, Any]]) -> str:
    open_calls: list[str] = []
    for message in messages:
        if message.get("role") not in _ROLES:
            return f"unknown role {message.get('role')!r}"
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return "a tool message must follow the call that it answers"
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return f"calls without an answer: {open_calls}"
        open_calls += [call["id"] for call in message.get("tool_calls") or []]
    return f"calls without an answer: {open_calls}" if open_calls else ""


def strict_fault(schema: Mapping[str, Any]) -> str:
    """Return how a JSON schema breaks the rules of strict mode, or "" if it follows them."""
    if schema.get("type") != "object":
        return "the root must be an object"
    faults = [*_strict_faults(schema, "$", 0)]
    return faults[0] if faults else ""


def _strict_faults(node: Mapping[str, Any], path: str, depth: int) -> Iterator[str]:
    if depth > _DEPTH:
        yield f"{path}: deeper than {_DEPTH} objects"
        return
    if banned := _NOT_STRICT & node.keys():
        yield f"{path}: {sorted(banned)} not permitted"
    if "$ref" in node and len(node) > 1:
        yield f"{path}: $ref cannot have other keywords"
    if "properties" in node or node.get("type") == "object":
        if node.get("additionalProperties") is not False:
            yield f"{path}: additionalProperties must be false"
        if set(node.get("required", ())) != set(node.get("properties", {})):
            yield f"{path}: required must name every property"
    for name, child in [*node.get("properties", {}).items(), *node.get("$defs", {}).items()]:
        yield from _strict_faults(child, f"{path}.{name}", depth + 1)
    for index, child in enumerate(node.get("anyOf", ())):
        yield from _strict_faults(child, f"{path}|{index}", depth)
    if isinstance(items := node.get("items"), Mapping):
        yield from _strict_faults(items, f"{path}[]", depth)
