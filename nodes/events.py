"""Events of memory, streamed to whoever listens to the run (`stream_mode="custom"`) (S7.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langgraph.config import get_stream_writer

EventName = Literal["memory.created", "memory.recalled", "memory.blocked", "memory.consolidated"]


def emit(name: EventName, items: Sequence[Mapping[str, Any]]) -> None:
    """Send one event `{"event": name, "items": [...]}`; nothing is sent where there are no items."""
    if items:
        get_stream_writer()({"event": name, "items": [dict(item) for item in items]})
