"""Reads the rows of a dialogue file: a traveller, their messages and decisions, and the expectations of each turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Expected = Mapping[str, Any]
"""The expectations of a turn or of the end, by the keys of the file. Absent, null, false or empty: no check."""

CHANGING = frozenset(
    ("book_offer", "hold_offer", "change_booking", "cancel_booking", "add_bags", "choose_seats", "forget_memory")
)
"""Tools that change something; all others only read."""


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One message of the traveller, or their decision on the waiting calls (`approve` or `reject`)."""

    say: str | None
    decide: str | None
    expect: Expected


@dataclass(frozen=True, slots=True)
class Row:
    """One dialogue with a new traveller in a new thread."""

    id: str
    language: str
    about: str
    profile: Mapping[str, Any]
    notes: Sequence[str]
    turns: Sequence[ScriptedTurn]
    end: Expected

    @property
    def kind(self) -> str:
        """Return the part of `about` before its colon."""
        return self.about.partition(":")[0].strip()


def read_rows(path: Path) -> list[Row]:
    """Read a file with one row per line. Raises ValueError, with the number of the line, if a line is not a row."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                rows.append(row_of(json.loads(line)))
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise ValueError(f"Line {number} of {path} is no row of a dialogue: {error!r}.") from error
    return rows


def row_of(data: Mapping[str, Any]) -> Row:
    """Return the row of one JSON object."""
    turns = [ScriptedTurn(turn.get("say"), turn.get("decide"), turn.get("expect") or {}) for turn in data["turns"]]
    return Row(
        id=str(data["id"]),
        language=data.get("lang") or "en",
        about=data.get("about") or "",
        profile=data.get("profile") or {},
        notes=data.get("notes") or (),
        turns=turns,
        end=data.get("end") or {},
    )
