"""Shapes what the command line prints as JSON, which programs may rely on."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.api.history import HistoryEntry
    from app.api.reply import Reply, ToolUse
    from graph.state import ConsolidatedNote
    from memory.control.forget import Forgotten
    from memory.control.versions import Version
    from memory.records.journal import JournalEntry
    from memory.records.notes import Note

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a session: the notes it left in long-term memory, and how many were let go."""

    thread_id: str
    stop_reason: str
    kept: tuple[Note, ...]
    dropped: int
    operations: tuple[ConsolidatedNote, ...]

    def record(self) -> Record:
        """As plain JSON values."""
        return {
            "thread_id": self.thread_id,
            "stop_reason": self.stop_reason,
            "kept": [note.dump() for note in self.kept],
            "dropped": self.dropped,
            "operations": list(self.operations),
        }


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
        "memory": {
            "shown": _dumped(memory.shown),
            "used": _dumped(memory.used),
            "written": _dumped(memory.written),
            "blocked": list(memory.blocked),
        },
        "violations": list(memory.violations),
        "tools": [_tool_record(use) for use in reply.tools],
        "interrupts": list(reply.interrupts),
        "trace": [step.dump() for step in reply.trace],
    }


def _tool_record(use: ToolUse) -> Record:
    told = {"name": use.name, "arguments": use.arguments, "outcome": use.outcome}
    return {**told, "error": use.result} if use.outcome == "failed" else told


def history_record(entry: HistoryEntry) -> Record:
    """Return one message of a history, with everything known of it."""
    return asdict(entry)


def forgotten_record(gone: Forgotten) -> Record:
    """Return what an act of forgetting reached."""
    return {
        "status": "forgotten",
        "notes": _dumped(gone.notes),
        "turns": gone.turns,
        "episodes": gone.episodes,
        "threads": list(gone.threads),
        "waiting": list(gone.waiting),
    }


def version_record(version: Version) -> Record:
    """Return one version of a note, the note whole."""
    return {
        "seq": version.seq,
        "entry_id": version.entry_id,
        "at": version.at.isoformat(),
        "actor": version.actor,
        "action": version.action,
        "reason": version.reason,
        "thread_id": version.thread_id,
        "removed": version.removed,
        "note": version.note.dump(),
    }


def entry_record(entry: JournalEntry, journal: Sequence[JournalEntry]) -> Record:
    """Return one entry of the journal, and whether it is undone or may be."""
    from memory.control.undo import can_undo, is_undone

    return {**entry.dump(), "undone": is_undone(entry, journal), "undoable": can_undo(entry, journal)}


def _dumped(notes: Sequence[Note]) -> list[Record]:
    return [note.dump() for note in notes]


def print_json(value: object, *, lines: bool = True) -> None:
    """Print `value` on stdout, on one line or indented."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    text = json.dumps(value, ensure_ascii=encoding != "utf8", indent=None if lines else 2)
    print(text, flush=True)
