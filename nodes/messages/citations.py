"""Parses the closing marker of an answer, which names the memories it used; checks and hides it."""

import re
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from graph.state import META, ShownNote, meta

_LESS, _MORE = r"(?:\\?(?:<|&lt;|‹|＜))", r"(?:\\?(?:>|&gt;|›|＞))"
_OPEN = rf"{_LESS}\s*used\b(?P<attributes>[^<>‹›＜＞]{{0,80}}?){_MORE}"
_CLOSE = rf"{_LESS}\s*\\?/\s*used\s*{_MORE}"
_LEAD = r"(?:\n[-•+] +|```\w*\n|[\s`*_~(\[\"'>\\]){0,12}+"
"""What a model may put around the marker: white space, quotes, bold, a list item, a code fence."""
_TRAIL = r"(?:[\s`*_~)\]\"'.。\\]*$|[`*_~)\]\"']*(?:\s*```)?)"
_MARKER = re.compile(rf"{_LEAD}{_OPEN}(?P<handles>.*?)(?:{_CLOSE}|$){_TRAIL}", re.DOTALL | re.IGNORECASE)
_BEGINNING = re.compile(rf"{_LEAD}{_OPEN}", re.IGNORECASE)
_HANDLE = re.compile(r"[\w-]+")
_MAY_OPEN = re.compile(
    r"(?:\n[-•+] *|`{1,3}\w{0,12}\n?|[\s`*_~(\[\"'>\\]){0,12}+"
    r"(?:(?:<|&(?:l(?:t;?)?)?|‹|＜)\s*(?:u(?:s(?:e(?:d[^<>]{0,80})?)?)?)?)?$",
    re.IGNORECASE,
)
"""Matches the end of an incomplete text that may be the beginning of a marker."""


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer without its marker, the ids of the notes it used, and each false claim with its code."""

    message: AIMessage
    used: list[str] = field(default_factory=list)
    violations: list[dict[str, str]] = field(default_factory=list)


def cite(message: AIMessage, shown: Sequence[ShownNote]) -> Cited:
    """Check an answer's claims against the notes shown.

    A handle that was not shown is a `memory_out_of_context` violation and does not count as used. The marker is moved
    from the text to the metadata of the message, so that the model later sees its own answer unchanged.
    """
    text = message.text
    markers = list(_MARKER.finditer(text))
    if not markers:
        return Cited(message)
    by_handle = {note["handle"]: note["id"] for note in shown}
    named = [name for marker in markers for name in _HANDLE.findall(marker["attributes"]) if name in by_handle]
    handles = dict.fromkeys([*named, *(name for marker in markers for name in _HANDLE.findall(marker["handles"]))])
    plain = _MARKER.sub("", text).strip()
    extra = {**message.additional_kwargs, META: {**meta(message), "marker": markers[-1][0]}}
    cleaned = message.model_copy(update={"content": plain, "additional_kwargs": extra})
    used = [by_handle[handle] for handle in handles if handle in by_handle]
    wrong = [{"code": "memory_out_of_context", "handle": handle} for handle in handles if handle not in by_handle]
    return Cited(cleaned, used, wrong)


def with_marker(message: AIMessage) -> AIMessage:
    """Return an answer as the model wrote it, including its marker."""
    marker = meta(message).get("marker")
    if not marker or not isinstance(message.content, str):
        return message
    return message.model_copy(update={"content": f"{message.content}{marker}"})


class MarkerFilter:
    """Filters the closing marker out of an answer while it is streamed."""

    def __init__(self) -> None:
        self._buffer = ""

    def feed(self, token: str) -> str:
        """Add a piece of the answer; return the text that can be shown now."""
        text = self._buffer + token
        opened = _BEGINNING.search(text)
        may_open = opened or _MAY_OPEN.search(text)
        end = may_open.start() if may_open else len(text)
        self._buffer = text[end:]
        return text[:end]

    def close(self) -> str:
        """Return the rest of the text to show, once the answer is complete."""
        rest, self._buffer = _MARKER.sub("", self._buffer).rstrip(), ""
        return rest


async def unmarked(parts: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield the parts of a run's stream, in any of LangGraph's forms, without the markers of streamed messages."""
    filters: defaultdict[str | None, MarkerFilter] = defaultdict(MarkerFilter)
    async for part in parts:
        if isinstance(part, dict) and part.get("type") == "messages" and "ns" in part:  # version="v2"
            yield {**part, "data": _unmarked(part["data"], filters)}
        else:
            yield _unmarked(part, filters)


def _unmarked(part: Any, filters: defaultdict[str | None, MarkerFilter]) -> Any:
    if not isinstance(part, tuple) or not part:
        return part
    message = part[0]
    if not isinstance(message, AIMessage):  # a mode or a namespace stands before the message
        return (*part[:-1], _unmarked(part[-1], filters))
    text = filters[message.id].feed(str(message.text))
    if not isinstance(message, AIMessageChunk) or message.chunk_position == "last":
        text += filters.pop(message.id).close()
    if text == message.text:
        return part
    blocks = [] if isinstance(message.content, str) else message.content
    others = [block for block in blocks if isinstance(block, dict) and block.get("type") != "text"]
    content = [*others, {"type": "text", "text": text}] if blocks else text
    return (message.model_copy(update={"content": content}), *part[1:])
