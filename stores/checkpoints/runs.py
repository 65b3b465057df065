"""What a checkpoint saver knows of the run that it serves: it spares reading twice, and writing what is never read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple

_RUN = "__concierge_run"
"""Under what a configuration holds the run; the underscores keep it out of metadata."""
_TASKS = "__pregel_tasks"
_TRIGGERS = ("__start__", "branch:to:", "join:", _TASKS)
"""How the names of the channels begin that start tasks of the next step."""


@dataclass(slots=True)
class Run:
    """One run of a graph.

    Attributes:
        read: The checkpoint that it begins from, until it is taken.
        lone: The latest checkpoint, where the step behind it has one task only.
    """

    read: list[CheckpointTuple]
    lone: str = ""

    def goes_on(self, checkpoint: Checkpoint) -> None:
        """Keep that the run goes on from a new checkpoint."""
        triggers = [name for name in checkpoint["channel_values"] if name.startswith(_TRIGGERS)]
        self.lone = checkpoint["id"] if len(triggers) == 1 and triggers != [_TASKS] else ""

    def is_passing(self, checkpoint_id: str, writes: Sequence[tuple[str, Any]]) -> bool:
        """Tell whether the next checkpoint holds at once what a task wrote: its step has no other to wait for.

        LangGraph's own channels, which begin with underscores, tell of questions and faults; no checkpoint does.
        """
        return checkpoint_id == self.lone and not any(channel.startswith("__") for channel, _ in writes)


def handed(config: RunnableConfig | None, read: Sequence[CheckpointTuple | None]) -> RunnableConfig:
    """Return the configuration of a run with the checkpoint, already `read`, that it begins from.

    A saver of ours gives it to the run in place of reading again: what was checked is what runs.
    """
    given = config or {}
    run = Run([one for one in read if one])
    return {**given, "configurable": {**given.get("configurable", {}), _RUN: run}}


def run_of(config: RunnableConfig) -> Run | None:
    """Return the run of a configuration that was `handed` one."""
    return cast(Run | None, config["configurable"].get(_RUN))
