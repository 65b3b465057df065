"""Rows of a dialogue file: a traveller, what they say and decide in order, and what has to hold after each turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Expected = Mapping[str, Any]
"""What is expected of a turn or at the end, by the keys of the file; what is absent, null, false or empty is free."""

CHANGING = frozenset(
    ("book_offer", "hold_offer", "change_booking", "cancel_booking", "add_bags", "choose_seats", "forget_memory")
)
"""Tools that change something; all others only look something up."""


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """What the traveller does: say something, or decide on what waits (`approve` or `reject`)."""

    say: str | None
    decide: str | None
    expect: Expected


@dataclass(frozen=True, slots=True)
class Row:
    """One dialogue with a fresh traveller in a fresh thread."""

    id: str
    language: str
    about: str
    profile: Mapping[str, Any]
    notes: Sequence[str]
    turns: Sequence[ScriptedTurn]
    end: Expected

    @property
    def kind(self) -> str:
        """What stands before the colon of `about`."""
        return self.about.partition(":")[0].strip()


def read_rows(path: Path) -> list[Row]:
    """Read a file with one row a line. Raises ValueError naming the line that is no row."""
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
    turns = [ScriptedTurn(one.get("say"), one.get("decide"), one.get("expect") or {}) for one in data["turns"]]
    return Row(
        id=str(data["id"]),
        language=data.get("lang") or "en",
        about=data.get("about") or "",
        profile=data.get("profile") or {},
        notes=data.get("notes") or (),
        turns=turns,
        end=data.get("end") or {},
    )
