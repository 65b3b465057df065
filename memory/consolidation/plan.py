"""The plan: what becomes of each session note."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from memory.records.episodes import Episode
from memory.records.notes import Record

Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE", "PROMOTE"]
WRITES_TEXT: frozenset[Op] = frozenset({"ADD", "MERGE", "SUPERSEDE"})


class Operation(Record):
    """One operation: the session notes it rests on, the global notes it touches, its reason, and its new text."""

    op: Op
    session: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reason: str = Field(max_length=300)
    text: str | None = None


class Plan(Record):
    """A checked plan for one session, made against one revision of the user's memory."""

    session_id: str
    revision: int
    origin: Literal["model", "deterministic"]
    operations: tuple[Operation, ...]
    faults: tuple[str, ...] = ()
    """Why proposals of the model were refused, if any were."""
    episode: Episode | None = None
    """What is remembered of the session as a whole."""

    def step(self, index: int) -> str:
        """The name under which operation `index` is journalled, the same in every attempt."""
        return f"consolidate:{self.session_id}:{index}"
