"""Parses the closing marker of an answer, which names the memories it used; checks and hides it."""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

from graph.state import META, ShownNote, meta

_LESS, _MORE = r"(?:\\?(?:<|&lt;|‹|＜))", r"(?:\\?(?:>|&gt;|›|＞))"
_OPEN = rf"{_LESS}\s*used\b(?P<attributes>[^<>‹›＜＞]{{0,80}}?){_MORE}"
_CLOSE = rf"{_LESS}\s*\\?/\s*used\s*{_MORE}"
_NOT_CLOSING = r"(?!(?<=\S)[`*_~\"']{1,12}\s)"
"""Marks after a word and before white space end what the answer quotes or stresses, and wrap no marker."""
_LEAD = rf"{_NOT_CLOSING}(?:\n[-•+] +|```\w*\n|[\s`*_~(\[\"'>\\]){{0,12}}+"
"""What a model may put around the marker: white space, quotes, bold, a list item, a code fence."""
_TRAIL = r"(?:[\s`*_~)\]\"'.。\\]*$|[`*_~)\]\"']*(?:\s*```)?)"
_MARKER = re.compile(rf"{_LEAD}{_OPEN}(?P<handles>.*?)(?:{_CLOSE}|$){_TRAIL}", re.DOTALL | re.IGNORECASE)
_BEGINNING = re.compile(rf"{_LEAD}{_OPEN}", re.IGNORECASE)
_HANDLE = re.compile(r"[\w-]+")
_MAY_OPEN = re.compile(
    _NOT_CLOSING + r"(?:\n[-•+] *|`{1,3}\w{0,12}\n?|[\s`*_~(\[\"'>\\]){0,12}+"
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
        self._before = ""
        """The last character that was shown."""

    def feed(self, token: str) -> str:
        """Add a piece of the answer; return the text that can be shown now."""
        text, start = f"{self._before}{self._buffer}{token}", len(self._before)
        opened = _BEGINNING.search(text, start)
        may_open = opened or _MAY_OPEN.search(text, start)
        end = may_open.start() if may_open else len(text)
        self._buffer, self._before = text[end:], text[:end][-1:]
        return text[start:end]

    def close(self) -> str:
        """Return the rest of the text to show, once the answer is complete."""
        text, start = f"{self._before}{self._buffer}", len(self._before)
        self._buffer, self._before = "", text[-1:]
        if not (marker := _MARKER.search(text, start)):
            return text[start:]
        return (text[start : marker.start()] + _MARKER.sub("", text[marker.end() :])).rstrip()


async def unmarked(parts: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield the parts of a run's stream, in any of LangGraph's forms, without the markers of streamed messages.

    The end of a text that may begin a marker is held back. It follows in a part of its own once its message is
    complete, another message starts in the same task, or the stream ends.
    """
    streamed: dict[str | None, _Streamed] = {}
    async for part in parts:
        for shown in _shown(part, streamed):
            yield shown
    for rest in _rests(streamed.values()):
        yield rest


class _Streamed:
    """A message of a task while it is streamed, with its latest text block and the part that held it."""

    def __init__(self, task: str) -> None:
        self.task = task
        self._filter = MarkerFilter()
        self._part: Any = None
        self._block: Any = ""

    def shown(self, part: Any, message: AIMessage, *, is_last: bool) -> Any:
        """Return the part of a message that has text with what can be shown now, each block in its place."""
        content: Any = message.content
        blocks = [content] if isinstance(content, str) else list(content)
        places = [at for at, block in enumerate(blocks) if _text(block) is not None]
        for at in places:
            text = self._filter.feed(str(_text(blocks[at])))
            if is_last and at == places[-1]:
                text += self._filter.close()
            blocks[at] = _with_text(blocks[at], text)
        self._part, self._block = part, blocks[places[-1]]
        new = blocks[0] if isinstance(content, str) else blocks
        return part if new == content else _with_message(part, message.model_copy(update={"content": new}))

    def rest(self) -> Any:
        """Return the text that was held back, as another part of the message; None if there is none."""
        text = self._filter.close()
        if not text:
            return None
        message, _ = _message(self._part)
        if isinstance(self._block, str):
            return _with_message(self._part, AIMessageChunk(content=text, id=message.id))
        names = {name: self._block[name] for name in ("type", "id", "index") if name in self._block}
        return _with_message(self._part, AIMessageChunk(content=[_with_text(names, text)], id=message.id))


def _shown(part: Any, streamed: dict[str | None, _Streamed]) -> list[Any]:
    message, task = _message(part)
    if message is None:
        return [part]
    rests, is_chunk = [], isinstance(message, AIMessageChunk)
    if not is_chunk or message.id not in streamed:
        rests = _rests(one for one in streamed.values() if one.task == task)
        streamed[message.id] = _Streamed(task)
    current, is_last = streamed[message.id], not is_chunk or message.chunk_position == "last"
    if message.text:
        return [*rests, current.shown(part, message, is_last=is_last)]
    return [*rests, *_rests([current] if is_last else []), part]


def _rests(streamed: Iterable[_Streamed]) -> list[Any]:
    return [rest for one in streamed if (rest := one.rest()) is not None]


def _text(block: Any) -> str | None:
    """Return the text of a content block; None if it has none."""
    if isinstance(block, str):
        return block
    text = block.get("text") if block.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _with_text(block: Any, text: str) -> Any:
    return text if isinstance(block, str) else {**block, "text": text}


def _message(part: Any) -> tuple[Any, str]:
    """Return the assistant's message in a part of a stream, and the task that it comes from; None if it has none."""
    if isinstance(part, dict) and part.get("type") == "messages":  # version="v2"
        part = part.get("data")
    while isinstance(part, tuple) and part and not isinstance(part[0], AIMessage):
        part = part[-1]  # a mode or a namespace stands before the message
    match part:
        case (AIMessage() as message, {"langgraph_checkpoint_ns": task}):
            return message, str(task)
    return None, ""


def _with_message(part: Any, message: AIMessage) -> Any:
    if isinstance(part, dict):
        return {**part, "data": _with_message(part["data"], message)}
    if isinstance(part[0], AIMessage):
        return (message, *part[1:])
    return (*part[:-1], _with_message(part[-1], message))
