"""Shapes what the command line prints as JSON, which programs may rely on."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from app.cli.screen import Screen

if TYPE_CHECKING:
    from app.api.reply import Reply
    from memory.records.journal import JournalEntry

Record = dict[str, Any]


def turn_record(reply: Reply, *, user_id: str, thread_id: str) -> Record:
    """Return one turn: the reply, why it ended, what memory did, each note whole, and the tools that were called."""
    memory = reply.memory
    return {
        "reply": reply.text,
        "run_id": reply.run_id,
        "stop_reason": str(reply.stop_reason),
        "outcome": reply.outcome,
        "thread_id": thread_id,
        "user_id": user_id,
        "memory": {name: getattr(memory, name) for name in ("shown", "used", "written", "blocked")},
        "violations": memory.violations,
        "tools": [
            {"name": use.name, "arguments": use.arguments, "outcome": use.outcome}
            | ({"error": use.result} if use.outcome == "failed" else {})
            for use in reply.tools
        ],
        "interrupts": reply.interrupts,
        "trace": [step.dump() for step in reply.trace],
    }


def entry_record(entry: JournalEntry, journal: Sequence[JournalEntry]) -> Record:
    """Return one entry of the journal, and whether it is undone or may be."""
    from memory.control.undo import can_undo, is_undone

    return {**entry.dump(), "undone": is_undone(entry, journal), "undoable": can_undo(entry, journal)}


def print_json(value: object, *, lines: bool = True) -> None:
    """Print `value` on stdout, on one line or indented; records and dataclasses are told by their fields."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    text = json.dumps(value, default=plain, ensure_ascii=encoding != "utf8", indent=None if lines else 2)
    print(text, flush=True)


def report(value: object, *asides: str, as_json: bool) -> None:
    """Print `value` for a program, or `asides` for a person."""
    if as_json:
        print_json(value)
        return
    for text in asides:
        Screen().aside(text)


def plain(value: Any) -> Any:
    """Return a record, a dataclass or a date as JSON values. Raises TypeError for anything else."""
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return value.isoformat() if isinstance(value, date) else _dumped(value)


def _dumped(value: Any) -> Record:
    from memory.records.notes import Record as Stored

    if not isinstance(value, Stored):
        raise TypeError(f"{type(value).__name__} is no JSON")
    return value.dump()
