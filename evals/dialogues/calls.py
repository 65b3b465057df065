"""Compares the calls of tools with those that a row expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from app.api.reply import ToolUse
from evals.dialogues.values import fits
from nodes.tools.memory import arguments as of_memory
from nodes.tools.travel.acting import ACTS
from nodes.tools.travel.call import arguments_of
from nodes.tools.travel.reading import READS
from nodes.tools.travel.searching import SEARCHES

_ARGUMENTS: Mapping[str, type[BaseModel]] = {
    **{getattr(carry, "__name__", ""): arguments_of(carry) for carry in (*SEARCHES, *READS, *ACTS)},
    "recall_memory": of_memory.RecallArguments,
    "forget_memory": of_memory.ForgetArguments,
    "list_memories": of_memory.ListArguments,
}
"""The arguments of each tool; those of another are taken as they come."""


def named(expected: Mapping[str, Any]) -> Sequence[str]:
    """Return the tools that an expected call may go to."""
    name = expected["name"]
    return [name] if isinstance(name, str) else list(name)


def whole(use: ToolUse) -> dict[str, Any] | None:
    """Return the arguments, defaults for those left out, as plain JSON values; None where they do not fit the tool."""
    arguments = _ARGUMENTS.get(use.name)
    if arguments is None:
        return use.arguments
    try:
        return arguments.model_validate(use.arguments).model_dump(mode="json")
    except ValidationError:
        return None


def answers(expected: Mapping[str, Any], use: ToolUse) -> bool:
    """Return whether `use` is the call that is expected."""
    return use.name in named(expected) and not mismatches(expected, use)


def mismatches(expected: Mapping[str, Any], use: ToolUse) -> list[str]:
    """Return each named argument of a call that has another value, as in "adults is 1, not 2"."""
    given = whole(use)
    if given is None:
        return ["its arguments do not fit"]
    wanted = expected.get("args") or {}
    return [
        f"{name} is {given.get(name)!r}, not {value!r}"
        for name, value in wanted.items()
        if not fits(name, value, given.get(name))
    ]


def nearest(expected: Mapping[str, Any], uses: Sequence[ToolUse]) -> str:
    """Say what is wrong with the call that comes nearest to the expected one."""
    wrong = [(use.name, mismatches(expected, use)) for use in uses if use.name in named(expected)]
    if not wrong:
        return f"{' or '.join(named(expected))} was not called"
    name, faults = min(wrong, key=lambda one: len(one[1]))
    return f"{name} was called otherwise: {'; '.join(faults)}"
