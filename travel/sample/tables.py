"""Reading the tables that ship: lines of fields between bars, comments behind a hash."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "data"


def read_table(name: str) -> list[list[str]]:
    """Return the fields of each line of `data/<name>.txt`."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


def names(field: str) -> tuple[str, ...]:
    """Return the names of a field that holds several, between commas."""
    return tuple(name for name in field.split(",") if name)
