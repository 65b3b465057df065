"""State that a run shares with the checkpoint saver, which then skips a second read and needless writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple

_RUN = "__concierge_run"
"""Key of the run in a configuration; the underscores keep it out of metadata."""
_TASKS = "__pregel_tasks"
_TRIGGERS = ("__start__", "branch:to:", "join:", _TASKS)
"""Prefixes of the channels that start tasks of the next step."""


@dataclass(slots=True)
class Run:
    """One run of a graph.

    Attributes:
        read: The checkpoint that the run begins from, in a list that is empty once the saver has returned it.
        single: Id of the latest checkpoint if the step after it has only one task, else empty.
    """

    read: list[CheckpointTuple]
    single: str = ""

    def advance(self, checkpoint: Checkpoint) -> None:
        """Record the run's new checkpoint."""
        triggers = [name for name in checkpoint["channel_values"] if name.startswith(_TRIGGERS)]
        self.single = checkpoint["id"] if len(triggers) == 1 and triggers != [_TASKS] else ""

    def is_redundant(self, checkpoint_id: str, writes: Sequence[tuple[str, Any]]) -> bool:
        """Return whether a task's writes need not be saved, since its step has no other task to wait for.

        The next checkpoint contains such writes. It never contains the interrupts and errors that LangGraph writes to
        its own channels, whose names begin with underscores.
        """
        return checkpoint_id == self.single and not any(channel.startswith("__") for channel, _ in writes)


def handed(config: RunnableConfig | None, read: Sequence[CheckpointTuple | None]) -> RunnableConfig:
    """Return `config` with the already `read` checkpoint that the run begins from.

    Our savers return that one instead of reading it again, so the run begins from the checkpoint that was checked.
    """
    base = config or {}
    run = Run([row for row in read if row])
    return {**base, "configurable": {**base.get("configurable", {}), _RUN: run}}


def run_of(config: RunnableConfig) -> Run | None:
    """Return the run that `handed` put into `config`, or None."""
    return cast(Run | None, config["configurable"].get(_RUN))
