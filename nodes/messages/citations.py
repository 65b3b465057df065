"""Reads which memories an answer says it used from its closing marker, checks them, and hides the marker."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage

from graph.state import META, ShownNote, meta

_LESS, _MORE = r"(?:\\?(?:<|&lt;|‹|＜))", r"(?:\\?(?:>|&gt;|›|＞))"
_OPEN = rf"{_LESS}\s*used\b(?P<attributes>[^<>‹›＜＞]{{0,80}}?){_MORE}"
_CLOSE = rf"{_LESS}\s*\\?/\s*used\s*{_MORE}"
_LEAD = r"(?:\n[-•+] +|```\w*\n|[\s`*_~(\[\"'>\\]){0,12}+"
"""What a model wraps the marker in: white space, quotes, bold, an item of a list, a code fence."""
_TRAIL = r"(?:[\s`*_~)\]\"'.。\\]*$|[`*_~)\]\"']*(?:\s*```)?)"
_MARKER = re.compile(rf"{_LEAD}{_OPEN}(?P<handles>.*?)(?:{_CLOSE}|$){_TRAIL}", re.DOTALL | re.IGNORECASE)
_BEGINNING = re.compile(rf"{_LEAD}{_OPEN}", re.IGNORECASE)
_HANDLE = re.compile(r"[\w-]+")
_MAY_OPEN = re.compile(
    r"(?:\n[-•+] *|`{1,3}\w{0,12}\n?|[\s`*_~(\[\"'>\\]){0,12}+"
    r"(?:(?:<|&(?:l(?:t;?)?)?|‹|＜)\s*(?:u(?:s(?:e(?:d[^<>]{0,80})?)?)?)?)?$",
    re.IGNORECASE,
)
"""The end of a text that could turn out to be the beginning of a marker."""


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer without its marker, the ids of the notes it used, and each false claim with its code."""

    message: AIMessage
    used: list[str] = field(default_factory=list)
    violations: list[dict[str, str]] = field(default_factory=list)


def cite(message: AIMessage, shown: Sequence[ShownNote]) -> Cited:
    """Check an answer's claims against the notes shown.

    A handle that was not shown is `memory_out_of_context` and does not count as used. The marker is taken out of the
    text and kept beside it, so that the model finds its own answer unchanged in the history.
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
    """Return an answer as the model wrote it, its marker included."""
    marker = meta(message).get("marker")
    if not marker or not isinstance(message.content, str):
        return message
    return message.model_copy(update={"content": f"{message.content}{marker}"})


class MarkerFilter:
    """Lets the text of one answer through as it is written, and holds back its closing marker."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, token: str) -> str:
        """Return what may be shown of the answer after one more piece of it."""
        held = self._held + token
        opened = _BEGINNING.search(held)
        may_open = opened or _MAY_OPEN.search(held)
        end = may_open.start() if may_open else len(held)
        self._held = held[end:]
        return held[:end]

    def close(self) -> str:
        """Return what is left to show when the answer is complete."""
        rest, self._held = _MARKER.sub("", self._held).rstrip(), ""
        return rest
